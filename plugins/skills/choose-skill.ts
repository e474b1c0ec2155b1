import type { Skill } from "./skill.js";

/** The skill that a name or a handle means. */
export function findSkill(wanted: string, skills: readonly Skill[]): Skill | undefined {
  const key = wanted.trim();
  return skills.find(({ name }) => name === key) ?? skills.find(({ handle }) => handle === key);
}

/** Up to ten names, the ones most like `wanted` first; empty when there are no skills. */
export function nearestNames(wanted: string, skills: readonly Skill[]): string {
  const names = skills.map(({ name }) => name);
  return bySimilarity(wanted, names).slice(0, 10).join(", ");
}

/** Equal ones keep their order. */
function bySimilarity(wanted: string, names: readonly string[]): readonly string[] {
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
