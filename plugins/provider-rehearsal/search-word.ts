/** Words that say nothing about a project. */
const commonWords = new Set(
  (
    "about after also because before being code could does done explain file files find folder from give have help here " +
    "hello into just know like list look make many mean more most much need only other over please project read " +
    "repository review right same should show some such tell than that their them then there these they thing this " +
    "those through under using very want well were what when where which while whose will with without work would " +
    "write your"
  ).split(" "),
);

/**
 * The word of a question that is worth a search: one that looks like a name in code, else the longest that is not
 * common. Undefined when there is none.
 */
export function searchWord(question: string): string | undefined {
  const words = question.slice(0, 2000).match(/[\p{L}_$][\p{L}\p{N}_$.-]{2,}/gu) ?? [];
  const worthy = words.map((word) => word.replace(/[.-]+$/, "")).filter((word) => word.length > 3);
  const names = worthy.filter((word) => /[_$]|\p{L}\.\p{L}|\p{Ll}\p{Lu}/u.test(word));
  const plain = worthy.filter((word) => !commonWords.has(word.toLowerCase()));
  return longest(names) ?? longest(plain);
}

/** The first of the longest. */
function longest(words: readonly string[]): string | undefined {
  return words.reduce<string | undefined>(
    (best, word) => (best === undefined || word.length > best.length ? word : best),
    undefined,
  );
}
