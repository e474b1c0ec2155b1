import type { BlockParam, TurnParam } from "./messages.js";

/** A mark: what stands before it, and itself, is stored for five minutes. */
export const ephemeral = { cache_control: { type: "ephemeral" } } as const;

/** Marks the last block of the newest `count` user messages. */
export function markNewest(messages: TurnParam[], count: number): void {
  if (count === 0) return;
  const newest = messages.flatMap((turn) => (turn.role === "user" ? [turn.content] : [])).slice(-count);
  for (const content of newest) {
    const last = content.pop();
    if (last !== undefined) content.push(marked(last));
  }
}

/** Thinking takes no mark; it never ends a user message. */
function marked(block: BlockParam): BlockParam {
  return block.type === "thinking" || block.type === "redacted_thinking" ? block : { ...block, ...ephemeral };
}
