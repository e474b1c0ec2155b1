import { createHash } from "node:crypto";

/** What a vendor takes as a name or an id. */
export interface NameRule {
  /** Matches each character it refuses; with the flag `g`. */
  readonly forbidden: RegExp;
  /** UTF-16 units; at least 16. */
  readonly maxLength: number;
}

/** The name with `_` for what the vendor refuses; one that is too long ends in a hash of the whole. Never empty. */
export function safeName(name: string, { forbidden, maxLength }: NameRule): string {
  const kept = name.replaceAll(forbidden, "_") || "_";
  if (kept.length <= maxLength) return kept;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${kept.slice(0, maxLength - 9)}_${hash}`;
}

/** A function that gives safe names of which no two are equal: equal sequences of names give equal answers. */
export function uniqueNames(rule: NameRule): (name: string) => string {
  const given = new Set<string>();
  const counts = new Map<string, number>();
  return (name) => {
    const base = safeName(name, rule);
    let count = counts.get(base) ?? 1;
    let unique = base;
    while (given.has(unique)) {
      count += 1;
      const suffix = `_${count}`;
      unique = base.slice(0, rule.maxLength - suffix.length) + suffix;
    }
    counts.set(base, count);
    given.add(unique);
    return unique;
  };
}
