import type { Edit } from "../contracts/host.js";
import type { Origin } from "../contracts/diagnostic.js";
import type { ContextItem, ResolvedSection } from "../contracts/layout.js";
import type { SectionContent, Slot } from "../contracts/section.js";
import type { TurnEdits } from "../contracts/turn.js";
import { defined } from "../defined.js";
import { contentText, toContent } from "../sections/content.js";
import { contextItem } from "./context-message.js";
import { turnCause } from "./told.js";

export interface TurnEditRecord {
  readonly op: "replace" | "remove" | "append";
  /** Of a text at a slot: the section it becomes. */
  readonly section: string;
  /** Of a text at a slot. */
  readonly slot?: Slot;
  /** Null: removed. */
  readonly content: SectionContent | null;
  readonly by: Origin;
  readonly bust: string | undefined;
}

/** The face a tap of `plugin` edits through. */
export function createTurnEdits(records: TurnEditRecord[], plugin: string | undefined): TurnEdits {
  const by: Origin = { kind: "turn", ...defined({ plugin }) };
  const add = (record: Omit<TurnEditRecord, "by" | "bust">, options?: { readonly bust?: string }): void =>
    void records.push({ ...record, by, bust: options?.bust });
  const content = (value: string | SectionContent) => toContent(value) ?? ({ kind: "text", text: "" } as const);
  return {
    replace: (section, value, options) => add({ op: "replace", section, content: content(value) }, options),
    remove: (section, options) => add({ op: "remove", section, content: null }, options),
    append(at, text, options) {
      const place = "section" in at ? at : { ...at, section: `${plugin ?? "turn"}/turn-${records.length + 1}` };
      add({ op: "append", content: content(text), ...place }, options);
    },
  };
}

/** Sections with edits in place. */
export function applyTurnEdits(
  sections: readonly ResolvedSection[],
  edits: readonly TurnEditRecord[],
): readonly ResolvedSection[] {
  return edits.reduce((current, { section: name, slot, op, content, by: origin, bust }) => {
    if (content === null) return current.filter((section) => section.name !== name);
    if (slot !== undefined) {
      const cache = { volatile: bust ?? "stands for one turn" };
      const owner = origin.plugin ?? "turn";
      const rest = { scope: "session", state: "fresh", prepended: [], appended: [] } as const;
      return [...current, { name, slot, owner, cache, content, origin, ...rest }];
    }
    return current.map((section) => {
      if (section.name !== name) return section;
      const { cut: _cut, ...rest } = section;
      if (op === "replace") return { ...rest, content, origin, state: "fresh" };
      const part = {
        name: `${origin.plugin ?? "turn"}/turn-${section.appended.length + 1}`,
        text: contentText(content),
        origin: { ...origin },
      };
      return { ...section, appended: [...section.appended, part] };
    });
  }, sections);
}

/** How an edit without `bust` is told beside the user's words. */
export function turnEditItem({ section, op, content }: TurnEditRecord): ContextItem {
  return contextItem(op === "append" ? "add" : op, turnCause, content, section);
}

/** Per-turn edits as the account of edits shows them. */
export function turnEditVerdict({ section, op, by }: TurnEditRecord): Edit {
  return { section, op, layer: "turn", by, won: true };
}
