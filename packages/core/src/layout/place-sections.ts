import type { Layout, ResolvedSection } from "../contracts/layout.js";
import type { Slot } from "../contracts/section.js";

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
  const named = new Set(layout.slots.map(({ slot }) => slot));
  const unnamed = [...new Set(sections.map(({ slot }) => slot))].filter((slot) => !named.has(slot)).sort();
  const order: { slot: Slot; empty?: string }[] = [...layout.slots];
  const end = order.findIndex(({ slot }) => slot === "end");
  order.splice(end === -1 ? order.length : end, 0, ...unnamed.map((slot) => ({ slot })));
  return order.map((entry) => ({ ...entry, sections: sections.filter(({ slot }) => slot === entry.slot) }));
}

/** Slots in use that the layout does not name. */
export function unplacedSlots(layout: Layout, sections: readonly ResolvedSection[]): readonly Slot[] {
  const named = new Set(layout.slots.map(({ slot }) => slot));
  return [...new Set(sections.map(({ slot }) => slot).filter((slot) => !named.has(slot)))];
}
