/**
 * Measures how alike texts are to `wanted`: the share of neighbouring letter pairs they have in common, case ignored.
 * @returns A function to a number from 0 to 1; 1 only for equal texts.
 */
export function similarTo(wanted: string): (text: string) => number {
  const pairs = new Set(pairsOf(wanted));
  return (text) => {
    if (text === wanted) return 1;
    const others = pairsOf(text);
    const shared = others.filter((pair) => pairs.has(pair)).length;
    const total = Math.max(1, wanted.length - 1 + others.length);
    return Math.min(0.99, (2 * shared) / total);
  };
}

function pairsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return Array.from({ length: Math.max(0, lower.length - 1) }, (_, index) => lower.slice(index, index + 2));
}
