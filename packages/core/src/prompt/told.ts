import type { ContextItem, ResolvedSection } from "../contracts/layout.js";
import type { Message } from "../contracts/message.js";
import type { SectionContent } from "../contracts/section.js";
import { lineEdit } from "../baseline/line-edit.js";
import { contentText } from "../sections/content.js";
import { sha256 } from "../text/sha256.js";
import { byteLength } from "../text/utf8.js";
import { contextItem } from "./context-message.js";

/** Causes of items that hold for one turn, and of taking them back. */
export const turnCause = "turn";
const turnOverCause = "turn-over";

/** A section as a context item tells it: its content with the texts of others inside it. */
export function toldContent({ content, prepended, appended, cut }: ResolvedSection): SectionContent {
  if (prepended.length === 0 && appended.length === 0 && cut === undefined) return content;
  const body = contentText(content);
  const text = cut?.at === "start" ? `${cut.marker}${body}` : `${body}${cut?.marker ?? ""}`;
  const parts = [...prepended.map((part) => part.text), text, ...appended.map((part) => part.text)];
  return { kind: "text", text: parts.join("\n\n") };
}

const hashes = new WeakMap<ResolvedSection["content"], string>();

/** SHA-256 of what a section tells. */
export function toldHash(section: ResolvedSection): string {
  const content = toldContent(section);
  const known = hashes.get(content);
  if (known !== undefined) return known;
  const hash = sha256(JSON.stringify(content));
  hashes.set(content, hash);
  return hash;
}

export interface ToldBefore {
  readonly messages: readonly Message[];
  /** Of the prefix: hash by section. */
  readonly baseline: readonly { readonly name: string; readonly hash: string }[];
  readonly contents: ReadonlyMap<string, SectionContent>;
}

/**
 * What has to be told now, after all that prefix and history told: changed sections in the order given, and what held
 * for an earlier turn and no longer does.
 * @param forTurn Items that hold for this turn alone; null inside a turn, where they go on holding.
 */
export function pendingContext(
  sections: readonly ResolvedSection[],
  before: ToldBefore,
  forTurn: readonly ContextItem[] | null,
): readonly ContextItem[] {
  const { hashes, turnItems } = toldByHistory(before);
  const changed = sections.flatMap((section) => {
    const earlier = hashes.get(section.name);
    if (toldHash(section) === earlier) return [];
    if (earlier === undefined) return [contextItem("add", "start", toldContent(section), section.name)];
    return [changedItem(section, before.contents.get(earlier))];
  });
  const present = new Set(sections.map(({ name }) => name));
  const gone = [...hashes.keys()].filter((name) => !present.has(name));
  const removed = gone.map((name) => contextItem("remove", "changed", null, name));
  if (forTurn === null) return [...changed, ...removed];
  const idOf = ({ section, op, hash }: ContextItem) => `${section}:${op}:${hash}`;
  const wanted = new Set(forTurn.map(idOf));
  const held = new Set(turnItems.map(idOf));
  const over = new Set(turnItems.filter((item) => !wanted.has(idOf(item))).map(({ section }) => section));
  return [
    ...changed,
    ...removed,
    ...[...over].map((section) => contextItem("remove", turnOverCause, null, section)),
    // What is taken back for one of a section's items is told again for the others.
    ...forTurn.filter((item) => !held.has(idOf(item)) || over.has(item.section)),
  ];
}

/** The whole section, or the lines that changed where that is shorter. */
function changedItem(section: ResolvedSection, before: SectionContent | undefined): ContextItem {
  const whole = contextItem("replace", "changed", toldContent(section), section.name);
  if (before === undefined || whole.content === null) return whole;
  const edit = contentEdit(before, whole.content);
  if (byteLength(contentText(edit)) >= byteLength(contentText(whole.content))) return whole;
  return { ...whole, op: "edit", content: edit };
}

/** Of items the changed ones, each with its changed lines; of anything else the changed lines. */
function contentEdit(before: SectionContent, after: SectionContent): SectionContent {
  if (before.kind !== "items" || after.kind !== "items")
    return { kind: "text", text: lineEdit(contentText(before), contentText(after)) };
  const items = after.items.flatMap((item) => {
    const old = before.items.find(({ id }) => id === item.id);
    if (old === undefined) return [item];
    if (JSON.stringify(old) === JSON.stringify(item)) return [];
    const text = lineEdit(old.text ?? "", item.text ?? "");
    return [{ ...item, text: byteLength(text) < byteLength(item.text ?? "") ? text : (item.text ?? "") }];
  });
  const gone = before.items.filter(({ id }) => after.items.every((item) => item.id !== id));
  return {
    kind: "items",
    items: [...items, ...gone.map(({ id, attrs = {} }) => ({ id, attrs, text: "@@ removed @@" }))],
  };
}

/** What the model was last told: the hash of each section, and per-turn items that were not taken back yet. */
function toldByHistory({ messages, baseline }: ToldBefore): { hashes: Map<string, string>; turnItems: ContextItem[] } {
  const hashes = new Map(baseline.map(({ name, hash }) => [name, hash]));
  let turnItems: ContextItem[] = [];
  for (const item of messages.flatMap((message) => message.context ?? [])) {
    // A plugin's own note has no section, whatever it gives as its cause.
    if (item.section === undefined) continue;
    if (item.cause === turnOverCause) turnItems = turnItems.filter(({ section }) => section !== item.section);
    else if (item.cause === turnCause) turnItems.push(item);
    else if (item.op === "remove") hashes.delete(item.section);
    else hashes.set(item.section, item.hash);
  }
  return { hashes, turnItems };
}
