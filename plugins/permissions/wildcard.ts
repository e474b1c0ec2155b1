/**
 * Whether `text` fits `pattern` as a whole; `*` stands for any text, line ends included. A pattern that ends in ` *`
 * also fits without anything behind it: `npm test *` fits `npm test`. Takes time in proportion to the lengths, whatever
 * the pattern.
 */
export function fitsWildcard(pattern: string, text: string): boolean {
  return fits(pattern, text) || (pattern.endsWith(" *") && fits(pattern.slice(0, -2), text));
}

function fits(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let position = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, position);
    if (at === -1) return false;
    position = at + part.length;
  }
  return position <= text.length - last.length;
}
