import type { ContextItem, ResolvedSection } from "../contracts/layout.js";
import type { Message } from "../contracts/message.js";
import type { SectionContent } from "../contracts/section.js";
import { contentText } from "../sections/content.js";
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

/**
 * What has to be told now, after all that a history told: changed delta sections in the order given, and what held for
 * an earlier turn and no longer does.
 * @param forTurn Items that hold for this turn alone.
 */
export function pendingContext(
  deltas: readonly ResolvedSection[],
  messages: readonly Message[],
  forTurn: readonly ContextItem[],
): readonly ContextItem[] {
  const { hashes, turnItems } = toldByHistory(messages);
  const changed = deltas.flatMap((section) => {
    const before = hashes.get(section.name);
    const [op, cause] = before === undefined ? (["add", "start"] as const) : (["replace", "changed"] as const);
    const item = contextItem(op, cause, toldContent(section), section.name);
    return item.hash === before ? [] : [item];
  });
  const present = new Set(deltas.map(({ name }) => name));
  const gone = [...hashes.keys()].filter((name) => !present.has(name));
  const idOf = ({ section, op, hash }: ContextItem) => `${section}:${op}:${hash}`;
  const wanted = new Set(forTurn.map(idOf));
  const held = new Set(turnItems.map(idOf));
  const over = new Set(turnItems.filter((item) => !wanted.has(idOf(item))).map(({ section }) => section));
  return [
    ...changed,
    ...gone.map((name) => contextItem("remove", "changed", null, name)),
    ...[...over].map((section) => contextItem("remove", turnOverCause, null, section)),
    // What is taken back for one of a section's items is told again for the others.
    ...forTurn.filter((item) => !held.has(idOf(item)) || over.has(item.section)),
  ];
}

/** What the model was last told: the hash of each section, and per-turn items that were not taken back yet. */
function toldByHistory(messages: readonly Message[]): { hashes: Map<string, string>; turnItems: ContextItem[] } {
  const hashes = new Map<string, string>();
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
