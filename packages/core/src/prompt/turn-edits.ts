import type { Origin, ResolvedSection, SectionContent, Slot, TurnEdits } from "../index.js";
import { defined } from "../plain-data.js";
import { contentText, toContent } from "../sections/content.js";

/** An edit that holds for one turn. */
export interface TurnEdit {
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
export function createTurnEdits(edits: TurnEdit[], plugin: string | undefined): TurnEdits {
  const by: Origin = { kind: "turn", ...defined({ plugin }) };
  const add = (edit: Omit<TurnEdit, "by" | "bust">, options?: { readonly bust?: string }): void =>
    void edits.push({ ...edit, by, bust: options?.bust });
  const content = (value: string | SectionContent) => toContent(value) ?? ({ kind: "text", text: "" } as const);
  return {
    replace: (section, value, options) => add({ op: "replace", section, content: content(value) }, options),
    remove: (section, options) => add({ op: "remove", section, content: null }, options),
    append(at, text, options) {
      const place = "section" in at ? at : { ...at, section: `${plugin ?? "turn"}/turn-${edits.length + 1}` };
      add({ op: "append", content: content(text), ...place }, options);
    },
  };
}

/** Sections with edits in place. */
export function applyTurnEdits(
  sections: readonly ResolvedSection[],
  edits: readonly TurnEdit[],
): readonly ResolvedSection[] {
  return edits.reduce((current, { section: name, slot, op, content, by: origin, bust }) => {
    const owner = origin.plugin ?? "turn";
    if (content === null) return current.filter((section) => section.name !== name);
    if (slot !== undefined) {
      const cache = { volatile: bust ?? "stands for one turn" };
      const rest = { scope: "session", state: "fresh", prepended: [], appended: [] } as const;
      return [...current, { name, slot, owner, cache, content, origin, ...rest }];
    }
    return current.map((section) => {
      if (section.name !== name) return section;
      const { cut: _cut, appended, ...rest } = section;
      if (op === "replace") return { ...rest, appended, content, origin, state: "fresh" };
      const part = { name: `${owner}/turn-${appended.length + 1}`, text: contentText(content), origin: { ...origin } };
      return { ...section, appended: [...appended, part] };
    });
  }, sections);
}
