import type { Diagnostic } from "../contracts/diagnostic.js";
import type { SectionBody, Slot } from "../contracts/section.js";
import { warning } from "../errors.js";
import { sortByRelations } from "../order/sort-by-relations.js";

interface Orderable extends Pick<SectionBody, "after" | "before"> {
  readonly name: string;
  readonly slot: Slot;
  /** Position of the plugin. */
  readonly rank: number;
  /** Prepended to its slot. */
  readonly isFirst?: boolean | undefined;
}

/**
 * Names in the order of their sections within a slot: by `after` and `before`, then by plugin, then by name, so that
 * the order of registration within a plugin does not matter.
 */
export function orderSections(sections: readonly Orderable[]): {
  readonly names: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const ranked = [...sections].sort(compare);
  const slotOf = new Map(ranked.map(({ name, slot }) => [name, slot]));
  const relations = ranked.flatMap(({ name, after = [], before = [] }) => [
    ...after.map((earlier) => [earlier, name] as const),
    ...before.map((later) => [name, later] as const),
  ]);
  const { order, cycles } = sortByRelations(
    ranked.map(({ name }) => name),
    relations.filter(([earlier, later]) => slotOf.get(earlier) === slotOf.get(later)),
  );
  const diagnostics = cycles.map((cycle) => {
    const names = cycle.map((name) => `"${name}"`).join(", ");
    const message = `Sections ${names} want to stand before each other; ${names.split(",")[0]} goes first`;
    return warning("section-cycle", message, { fix: "Remove one of their after or before relations" });
  });
  return { names: order, diagnostics };
}

function compare(a: Orderable, b: Orderable): number {
  return Number(b.isFirst ?? false) - Number(a.isFirst ?? false) || a.rank - b.rank || compareNames(a.name, b.name);
}

/** By code point, numbers by value: `append-2` before `append-10`. No locale takes part. */
function compareNames(a: string, b: string): number {
  const [left, right] = [a, b].map((name) => name.replaceAll(/\d+/g, (digits) => digits.padStart(12, "0")));
  if (left === right || left === undefined || right === undefined) return 0;
  return left < right ? -1 : 1;
}
