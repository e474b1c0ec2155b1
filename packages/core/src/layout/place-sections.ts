import type { Layout, ResolvedSection, Slot } from "../index.js";

export interface SlotGroup {
  readonly slot: Slot;
  readonly sections: readonly ResolvedSection[];
  /** Text of the slot when it has no section. */
  readonly empty?: string;
}

/**
 * Sections by slot in the layout's order; within a slot in the order given. A slot the layout does not name comes
 * before `end`, or last.
 */
export function placeSections(layout: Layout, sections: readonly ResolvedSection[]): readonly SlotGroup[] {
  const order: { slot: Slot; empty?: string }[] = [...layout.slots];
  const end = order.findIndex(({ slot }) => slot === "end");
  const unplaced = unplacedSlots(layout, sections).map((slot) => ({ slot }));
  order.splice(end === -1 ? order.length : end, 0, ...unplaced);
  return order.map((entry) => ({ ...entry, sections: sections.filter(({ slot }) => slot === entry.slot) }));
}

/** Slots in use that the layout does not name, sorted. */
export function unplacedSlots(layout: Layout, sections: readonly ResolvedSection[]): readonly Slot[] {
  const used = new Set(sections.map(({ slot }) => slot));
  for (const { slot } of layout.slots) used.delete(slot);
  return [...used].sort();
}
