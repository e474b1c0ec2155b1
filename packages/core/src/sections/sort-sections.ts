import type { Diagnostic } from "../contracts/diagnostic.js";
import type { PlannedSection } from "./plan.js";

interface Entry {
  readonly section: PlannedSection;
  /** Position of the plugin. */
  readonly rank: number;
  /** Prepended to its slot. */
  readonly isFirst: boolean;
}

/**
 * Orders sections by `after` and `before`, then by plugin, then by name, so that the order of registration within a
 * plugin does not matter. A cycle is cut at its last member and reported.
 */
export function sortSections(entries: readonly Entry[]): {
  sections: readonly PlannedSection[];
  diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const waiting = [...entries].sort(compare);
  const done = new Set<string>();
  const sections: PlannedSection[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex(
      (entry) =>
        !waiting.some((other) => other !== entry && comesBefore(other, entry) && !done.has(other.section.name)),
    );
    if (ready === -1) {
      const names = waiting.map((entry) => entry.section.name);
      diagnostics.push({
        code: "section-cycle",
        level: "warn",
        message: `Sections ${names.map((name) => `"${name}"`).join(", ")} want to stand before each other; the order of plugins decides`,
        fix: "Remove one of their after or before relations",
      });
    }
    const [next] = waiting.splice(Math.max(ready, 0), 1);
    if (next === undefined) break;
    done.add(next.section.name);
    sections.push(next.section);
  }
  return { sections, diagnostics };
}

/** `a` is to stand before `b`, in the same slot. */
function comesBefore(a: Entry, b: Entry): boolean {
  if (a.section.slot !== b.section.slot) return false;
  return (
    (b.section.body.after?.includes(a.section.name) ?? false) ||
    (a.section.body.before?.includes(b.section.name) ?? false)
  );
}

function compare(a: Entry, b: Entry): number {
  if (a.isFirst !== b.isFirst) return a.isFirst ? -1 : 1;
  return Math.floor(a.rank) - Math.floor(b.rank) || compareNames(a.section.name, b.section.name);
}

/** By code point, numbers by value: `append-2` before `append-10`. No locale takes part. */
export function compareNames(a: string, b: string): number {
  const left = a.match(/\d+|\D+/g) ?? [];
  const right = b.match(/\d+|\D+/g) ?? [];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [x = "", y = ""] = [left[index], right[index]];
    if (x === y) continue;
    const numbers = /^\d/.test(x) && /^\d/.test(y);
    if (numbers && Number(x) !== Number(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return left.length - right.length;
}
