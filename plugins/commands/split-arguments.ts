/**
 * Splits the words behind a command at white space. Single and double quotes keep white space together and are left
 * out, also in the middle of a word; a quote that is never closed is a plain character.
 */
export function splitArguments(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index);
    if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const end = sign === '"' || sign === "'" ? text.indexOf(sign, index + 1) : -1;
    word = (word ?? "") + (end === -1 ? sign : text.slice(index + 1, end));
    if (end !== -1) index = end;
  }
  return word === undefined ? words : [...words, word];
}
