import type { Block, Message, ToolCall, ToolResult } from "@quire/core";

/** A call's id and its result, if one ever came. */
export interface CallResult {
  readonly id: string;
  readonly result: ToolResult | undefined;
}

/** One side's blocks, or the results of the calls that were just made, in the calls' order. */
export type ConversationStep =
  | { readonly kind: "user" | "context" | "assistant"; readonly blocks: readonly Block[] }
  | { readonly kind: "results"; readonly results: readonly CallResult[] };

/**
 * A conversation with each call's result right behind it, wherever it stood, and with ids the vendor takes: at
 * most 40 characters, unique among the calls of one message. A result whose call is gone stays as text of the user.
 */
export function conversationSteps(messages: readonly Message[]): ConversationStep[] {
  const steps: ConversationStep[] = [];
  const placed = new Set<ToolResult>();
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") {
      const blocks = message.content.flatMap((block) => userBlocks(block, placed));
      steps.push({ kind: message.role === "context" ? "context" : "user", blocks });
      continue;
    }
    const results: CallResult[] = [];
    const ids = new Set<string>();
    const blocks = message.content.map((block): Block => {
      if (block.type !== "tool-call") return block;
      const result = findResult(messages, index, block.id, placed);
      if (result !== undefined) placed.add(result);
      const id = freshId(block, ids);
      results.push({ id, result });
      return { ...block, id };
    });
    steps.push({ kind: "assistant", blocks });
    if (results.length > 0) steps.push({ kind: "results", results });
  }
  return steps;
}

function userBlocks(block: Block, placed: ReadonlySet<ToolResult>): readonly Block[] {
  if (block.type !== "tool-result") return [block];
  return placed.has(block) ? [] : [{ type: "text", text: `${block.name}:` }, ...block.content];
}

/** The first result of that id behind the call, before another call takes the id. */
function findResult(
  messages: readonly Message[],
  callIndex: number,
  id: string,
  placed: ReadonlySet<ToolResult>,
): ToolResult | undefined {
  for (const message of messages.slice(callIndex + 1)) {
    for (const block of message.content) {
      if (block.type === "tool-call" && block.id === id) return undefined;
      if (block.type === "tool-result" && block.id === id && !placed.has(block)) return block;
    }
  }
  return undefined;
}

function freshId(call: ToolCall, ids: Set<string>): string {
  const base = call.id.slice(-36) || "call";
  let id = call.id.length > 40 || call.id === "" ? base : call.id;
  for (let count = 2; ids.has(id); count += 1) id = `${base}_${count}`;
  ids.add(id);
  return id;
}
