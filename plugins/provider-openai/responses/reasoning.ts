import type { Block } from "@quire/core";
import type { ResponseReasoningItem } from "openai/resources/responses/responses";

type Thinking = Extract<Block, { type: "thinking" }>;

/**
 * Reasoning in the neutral model: its text is the summary, its signature the item's id, a colon and the encrypted
 * content. An id holds no colon. Without encrypted content nothing can be given back: the vendor stores nothing of ours.
 */
export function thinkingBlock(item: ResponseReasoningItem, text: string, provider: string): Thinking {
  const encrypted = item.encrypted_content;
  return { type: "thinking", text, provider, ...(encrypted ? { signature: `${item.id}:${encrypted}` } : {}) };
}

/** The item to give back; undefined when the block holds none. */
export function reasoningItem({ text, signature }: Thinking): ResponseReasoningItem | undefined {
  const [, id, encrypted_content] = /^(rs[A-Za-z0-9_-]{0,62}):(.+)$/s.exec(signature ?? "") ?? [];
  if (id === undefined || encrypted_content === undefined) return undefined;
  return { type: "reasoning", id, summary: text === "" ? [] : [{ type: "summary_text", text }], encrypted_content };
}
