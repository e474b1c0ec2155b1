import type { ContextItem, ResolvedSection } from "../contracts/layout.js";
import type { Message } from "../contracts/message.js";
import type { SectionContent } from "../contracts/section.js";
import { contentText } from "../sections/content.js";
import { sha256 } from "../text/sha256.js";

/** What the model was last told in context messages. */
export interface Told {
  /** Hash by section. */
  readonly sections: ReadonlyMap<string, string>;
  /** Per-turn edits that were not taken back yet. */
  readonly turnEdits: readonly ContextItem[];
}

/** Causes of items that hold for one turn. */
export const turnCause = "turn";
export const turnOverCause = "turn-over";

/** Reads from a history what the model was told. */
export function toldByHistory(messages: readonly Message[]): Told {
  const sections = new Map<string, string>();
  let turnEdits: ContextItem[] = [];
  for (const item of messages.flatMap((message) => message.context ?? [])) {
    if (item.cause === turnOverCause) turnEdits = turnEdits.filter((edit) => edit.section !== item.section);
    else if (item.cause === turnCause) turnEdits.push(item);
    else if (item.section === undefined) continue;
    else if (item.op === "remove") sections.delete(item.section);
    else sections.set(item.section, item.hash);
  }
  return { sections, turnEdits };
}

/** A section as a context item tells it: its content with the texts of others inside it. */
export function toldContent(section: ResolvedSection): SectionContent {
  if (section.prepended.length === 0 && section.appended.length === 0 && section.cut === undefined)
    return section.content;
  const body = contentText(section.content);
  const cut =
    section.cut === undefined
      ? body
      : section.cut.at === "end"
        ? `${body}${section.cut.marker}`
        : `${section.cut.marker}${body}`;
  const parts = [...section.prepended.map((part) => part.text), cut, ...section.appended.map((part) => part.text)];
  return { kind: "text", text: parts.join("\n\n") };
}

export function contextItem(item: Omit<ContextItem, "hash">): ContextItem {
  return { ...item, hash: sha256(item.content === null ? "" : JSON.stringify(item.content)) };
}

/**
 * What has to be told now: changed delta sections in the order given, per-turn edits that no longer hold, and `extra`.
 */
export function pendingContext(
  deltas: readonly ResolvedSection[],
  told: Told,
  extra: readonly ContextItem[],
): readonly ContextItem[] {
  const items: ContextItem[] = [];
  for (const section of deltas) {
    const before = told.sections.get(section.name);
    const item = contextItem({
      section: section.name,
      op: before === undefined ? "add" : "replace",
      cause: before === undefined ? "start" : "changed",
      content: toldContent(section),
    });
    if (item.hash !== before) items.push(item);
  }
  const present = new Set(deltas.map((section) => section.name));
  for (const name of told.sections.keys()) {
    if (!present.has(name)) items.push(contextItem({ section: name, op: "remove", cause: "changed", content: null }));
  }
  const again = new Set(extra.filter((item) => item.cause === turnCause).map((item) => `${item.section}:${item.hash}`));
  const over = told.turnEdits.filter((edit) => !again.has(`${edit.section}:${edit.hash}`));
  const still = new Set(told.turnEdits.map((edit) => `${edit.section}:${edit.hash}`));
  for (const edit of over) {
    items.push(
      contextItem({
        ...(edit.section === undefined ? {} : { section: edit.section }),
        op: "remove",
        cause: turnOverCause,
        content: null,
      }),
    );
  }
  return [
    ...items,
    ...extra.filter(
      (item) =>
        item.cause !== turnCause || !still.has(`${item.section}:${item.hash}`) || overNames(over).has(item.section),
    ),
  ];
}

function overNames(over: readonly ContextItem[]): ReadonlySet<string | undefined> {
  return new Set(over.map((edit) => edit.section));
}
