import { randomUUID } from "node:crypto";
import type { ContextItem, Layout } from "../contracts/layout.js";
import type { Message } from "../contracts/message.js";
import { createPieceBuilder } from "../layout/piece-builder.js";
import { contentText } from "../sections/content.js";

/** The text of one context item, by the layout or, where that has no opinion, as a labelled block. */
export function renderContextItem(layout: Layout, owner: string, item: ContextItem): string {
  const p = createPieceBuilder(layout, owner);
  const attrs = {
    ...(item.section === undefined ? {} : { section: item.section }),
    change: item.op,
    cause: item.cause,
  };
  const body = item.content === null ? "" : contentText(item.content);
  const pieces = layout.context?.(item, p) ?? p.block("context", attrs, p`${body}`);
  return pieces.map((piece) => piece.text).join("");
}

/** The message that tells `items`, or undefined when there is nothing to tell. */
export function contextMessage(layout: Layout, owner: string, items: readonly ContextItem[]): Message | undefined {
  if (items.length === 0) return undefined;
  const text = items.map((item) => renderContextItem(layout, owner, item)).join("\n\n");
  return { id: randomUUID(), role: "context", content: [{ type: "text", text }], context: items };
}
