import { randomUUID } from "node:crypto";
import type { ContextItem, Layout } from "../contracts/layout.js";
import type { Message } from "../contracts/message.js";
import type { SectionContent } from "../contracts/section.js";
import { defined } from "../defined.js";
import { createPieceBuilder } from "../layout/piece-builder.js";
import { piecesText } from "../layout/pieces.js";
import { guarded } from "../layout/render-prompt.js";
import { contentText } from "../sections/content.js";
import { sha256 } from "../text/sha256.js";

export function contextItem(
  op: ContextItem["op"],
  cause: string,
  content: SectionContent | string | null,
  section?: string,
): ContextItem {
  const told: SectionContent | null = typeof content === "string" ? { kind: "text", text: content } : content;
  return { op, cause, content: told, hash: sha256(told === null ? "" : JSON.stringify(told)), ...defined({ section }) };
}

/** The text of one context item, by the layout or, where that has no opinion, as a labelled block. */
export function renderContextItem(layout: Layout, owner: string, item: ContextItem): string {
  const p = createPieceBuilder(layout, owner);
  const { section, op: change, cause, content } = item;
  const attrs = { ...defined({ section }), change, cause };
  const text = content === null ? "" : contentText(content);
  const block = () => layout.context?.(item, p) ?? p.block("context", attrs, p`${text}`);
  return piecesText(guarded(owner, "context", block));
}

/** The message that tells `items`, or undefined when there is nothing to tell. */
export function contextMessage(layout: Layout, owner: string, items: readonly ContextItem[]): Message | undefined {
  if (items.length === 0) return undefined;
  const text = items.map((item) => renderContextItem(layout, owner, item)).join("\n\n");
  return { id: randomUUID(), role: "context", content: [{ type: "text", text }], context: items };
}
