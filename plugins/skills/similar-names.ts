/** Names, the ones most like `wanted` first; equal ones keep their order. */
export function bySimilarity(wanted: string, names: readonly string[]): readonly string[] {
  const pairs = letterPairs(wanted);
  const score = (name: string) => {
    const own = letterPairs(name);
    const shared = [...own].filter((pair) => pairs.has(pair)).length;
    return shared / Math.max(1, pairs.size + own.size - shared);
  };
  return names.toSorted((a, b) => score(b) - score(a));
}

function letterPairs(text: string): ReadonlySet<string> {
  const letters = `^${text.toLowerCase()}$`;
  return new Set(Array.from({ length: letters.length - 1 }, (_, index) => letters.slice(index, index + 2)));
}
