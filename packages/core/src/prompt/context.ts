import { randomUUID } from "node:crypto";
import type { ContextItem, Layout, Message, ResolvedSection, SectionContent } from "../index.js";
import { defined } from "../plain-data.js";
import { lineEdit } from "../baseline/line-edit.js";
import { createPieceBuilder, piecesText } from "../layout/piece-builder.js";
import { guarded } from "../layout/render-prompt.js";
import type { Owned } from "../registries/registry.js";
import { contentText } from "../sections/content.js";
import { byteLength, sha256 } from "../text/bytes.js";

/** Causes of items that hold for one turn, and of taking them back. */
export const turnCause = "turn";
const turnOverCause = "turn-over";

export function contextItem(
  op: ContextItem["op"],
  cause: string,
  told: SectionContent | string | null,
  section?: string,
): ContextItem {
  const content = typeof told === "string" ? ({ kind: "text", text: told } as const) : told;
  return { op, cause, content, hash: sha256(content === null ? "" : JSON.stringify(content)), ...defined({ section }) };
}

/** What a model was told so far: by its prefix, then by the context messages of its history. */
export interface ToldBefore {
  readonly messages: readonly Message[];
  /** Of the prefix. */
  readonly sections: readonly { readonly name: string; readonly hash: string }[];
  /** Contents by hash. */
  readonly contents: ReadonlyMap<string, SectionContent>;
}

/**
 * What has to be told now: changed sections in the order given, and what held for an earlier turn and no longer does.
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
  const gone = [...hashes.keys()].filter((name) => !sections.some((section) => section.name === name));
  const removed = gone.map((name) => contextItem("remove", "changed", null, name));
  if (forTurn === null) return [...changed, ...removed];
  const idOf = ({ section, op, hash }: ContextItem) => `${section}:${op}:${hash}`;
  const [wanted, held] = [forTurn, turnItems].map((items) => new Set(items.map(idOf)));
  const over = new Set(turnItems.filter((item) => !wanted?.has(idOf(item))).map(({ section }) => section));
  return [
    ...changed,
    ...removed,
    ...[...over].map((section) => contextItem("remove", turnOverCause, null, section)),
    // What is taken back for one of a section's items is told again for the others.
    ...forTurn.filter((item) => !held?.has(idOf(item)) || over.has(item.section)),
  ];
}

/** The whole section, or the lines that changed where that is shorter. */
function changedItem(section: ResolvedSection, before: SectionContent | undefined): ContextItem {
  const content = toldContent(section);
  const whole = contextItem("replace", "changed", content, section.name);
  if (before === undefined) return whole;
  const edit = contentEdit(before, content);
  const isShorter = byteLength(contentText(edit)) < byteLength(contentText(content));
  return isShorter ? { ...whole, op: "edit", content: edit } : whole;
}

/** Of items the changed ones, each with its changed lines; of anything else the changed lines. */
function contentEdit(before: SectionContent, after: SectionContent): SectionContent {
  if (before.kind !== "items" || after.kind !== "items") {
    return { kind: "text", text: lineEdit(contentText(before), contentText(after)) };
  }
  const changed = after.items.flatMap((item) => {
    const { id, text = "" } = item;
    const old = before.items.find((other) => other.id === id);
    if (old === undefined) return [item];
    if (JSON.stringify(old) === JSON.stringify(item)) return [];
    const edit = lineEdit(old.text ?? "", text);
    return [{ ...item, text: byteLength(edit) < byteLength(text) ? edit : text }];
  });
  const gone = before.items.filter(({ id }) => after.items.every((item) => item.id !== id));
  const removed = gone.map(({ id, attrs = {} }) => ({ id, attrs, text: "@@ removed @@" }));
  return { kind: "items", items: [...changed, ...removed] };
}

/**
 * The text of each item, by the layout or, where that has no opinion, as a labelled block; and the message of them all.
 * @throws {PluginError} `layout-failed`.
 */
export function tellContext(
  layout: Owned<Layout>,
  context: readonly ContextItem[],
): { told: readonly (ContextItem & { readonly text: string })[]; message: Message | undefined } {
  const p = createPieceBuilder(layout);
  const told = context.map((item) => {
    const { section, op: change, cause, content } = item;
    const text = content === null ? "" : contentText(content);
    const block = () => p.block("context", { ...defined({ section }), change, cause }, p`${text}`);
    const pieces = guarded(layout.owner, "context", () => layout.spec.context?.(item, p) ?? block());
    return { ...item, text: piecesText(pieces) };
  });
  if (told.length === 0) return { told, message: undefined };
  const content = [{ type: "text", text: told.map(({ text }) => text).join("\n\n") }] as const;
  return { told, message: { id: randomUUID(), role: "context", content, context } };
}

const knownHashes = new WeakMap<SectionContent, string>();

/** SHA-256 of what a section tells. */
export function toldHash(section: ResolvedSection): string {
  const content = toldContent(section);
  const hash = knownHashes.get(content) ?? sha256(JSON.stringify(content));
  knownHashes.set(content, hash);
  return hash;
}

/** A section as a context item tells it: its content with the texts of others inside it. */
export function toldContent({ content, prepended, appended, cut }: ResolvedSection): SectionContent {
  if (prepended.length === 0 && appended.length === 0 && cut === undefined) return content;
  const body = contentText(content);
  const whole = cut?.at === "start" ? `${cut.marker}${body}` : `${body}${cut?.marker ?? ""}`;
  const texts = [prepended, [{ text: whole }], appended].flat().map(({ text }) => text);
  return { kind: "text", text: texts.join("\n\n") };
}

/** What the model was last told: the hash of each section, and per-turn items that were not taken back yet. */
function toldByHistory({ messages, sections }: ToldBefore): { hashes: Map<string, string>; turnItems: ContextItem[] } {
  const hashes = new Map(sections.map(({ name, hash }) => [name, hash]));
  let turnItems: ContextItem[] = [];
  for (const item of messages.filter(({ context }) => context !== undefined).flatMap(({ context = [] }) => context)) {
    const { section, cause, op, hash } = item;
    // A plugin's own note has no section, whatever it gives as its cause.
    if (section === undefined) continue;
    if (cause === turnOverCause) turnItems = turnItems.filter((held) => held.section !== section);
    else if (cause === turnCause) turnItems.push(item);
    else if (op === "remove") hashes.delete(section);
    else hashes.set(section, hash);
  }
  return { hashes, turnItems };
}
