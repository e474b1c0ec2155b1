import type { Origin } from "../contracts/diagnostic.js";
import type { ContextItem, ResolvedSection } from "../contracts/layout.js";
import type { At, SectionContent } from "../contracts/section.js";
import type { TurnEdits } from "../contracts/turn.js";
import type { Edit } from "../contracts/host.js";
import { contentText, toContent } from "../sections/content.js";
import { contextItem, turnCause } from "./told.js";

export type TurnEditRecord = { readonly by: Origin; readonly bust: string | undefined } & (
  | { readonly op: "replace"; readonly section: string; readonly content: SectionContent }
  | { readonly op: "remove"; readonly section: string }
  | { readonly op: "append"; readonly at: At; readonly content: SectionContent; readonly name: string }
);

/** The face a tap edits through; `author` says whose tap is running. */
export function createTurnEdits(records: TurnEditRecord[], author: () => string | undefined): TurnEdits {
  const base = (options: { readonly bust?: string } | undefined) => {
    const plugin = author();
    return {
      by: { kind: "turn", ...(plugin === undefined ? {} : { plugin }) } as Origin,
      bust: options?.bust,
    };
  };
  const content = (value: string | SectionContent): SectionContent => toContent(value) ?? { kind: "text", text: "" };
  return {
    replace(section, value, options) {
      records.push({ ...base(options), op: "replace", section, content: content(value) });
    },
    remove(section, options) {
      records.push({ ...base(options), op: "remove", section });
    },
    append(at, text, options) {
      const { by, bust } = base(options);
      records.push({
        by,
        bust,
        op: "append",
        at,
        content: content(text),
        name: `${by.plugin ?? "turn"}/turn-${records.length + 1}`,
      });
    },
  };
}

/** Sections with edits in place. */
export function applyTurnEdits(
  sections: readonly ResolvedSection[],
  edits: readonly TurnEditRecord[],
): readonly ResolvedSection[] {
  let current = [...sections];
  for (const edit of edits) {
    if (edit.op === "remove") current = current.filter((section) => section.name !== edit.section);
    else if (edit.op === "replace") {
      current = current.map((section) => {
        const { cut: _cut, ...rest } = section;
        return section.name === edit.section
          ? { ...rest, content: edit.content, origin: edit.by, state: "fresh" }
          : section;
      });
    } else current = append(current, edit);
  }
  return current;
}

function append(sections: ResolvedSection[], edit: Extract<TurnEditRecord, { op: "append" }>): ResolvedSection[] {
  const { at } = edit;
  if ("section" in at) {
    const part = { name: edit.name, text: contentText(edit.content), origin: { ...edit.by } };
    return sections.map((section) =>
      section.name === at.section ? { ...section, appended: [...section.appended, part] } : section,
    );
  }
  const section: ResolvedSection = {
    name: edit.name,
    slot: at.slot,
    owner: edit.by.plugin ?? "turn",
    cache: { volatile: edit.bust ?? "stands for one turn" },
    scope: "session",
    content: edit.content,
    origin: edit.by,
    state: "fresh",
    prepended: [],
    appended: [],
  };
  return [...sections, section];
}

/** How an edit without `bust` is told beside the user's words. */
export function turnEditItem(edit: TurnEditRecord): ContextItem {
  if (edit.op === "remove")
    return contextItem({ section: edit.section, op: "remove", cause: turnCause, content: null });
  if (edit.op === "replace")
    return contextItem({ section: edit.section, op: "replace", cause: turnCause, content: edit.content });
  const section = "section" in edit.at ? edit.at.section : edit.name;
  return contextItem({ section, op: "add", cause: turnCause, content: edit.content });
}

/** Per-turn edits as the account of edits shows them. */
export function turnEditVerdict(edit: TurnEditRecord): Edit {
  const section = edit.op === "append" ? ("section" in edit.at ? edit.at.section : edit.name) : edit.section;
  return { section, op: edit.op, layer: "turn", by: edit.by, won: true };
}
