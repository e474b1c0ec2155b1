import type { Block, Message, ToolResult } from "@quire/core";
import type {
  DocumentBlockParam,
  ImageBlockParam,
  RedactedThinkingBlockParam,
  TextBlockParam,
  ThinkingBlockParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import { conversationSteps } from "./conversation-steps.js";
import { mediaBlock } from "./media.js";
import { redactedData } from "./redacted-thinking.js";

type UserBlockParam = TextBlockParam | ImageBlockParam | DocumentBlockParam;
export type BlockParam =
  UserBlockParam | ThinkingBlockParam | RedactedThinkingBlockParam | ToolUseBlockParam | ToolResultBlockParam;

/** A message under construction. */
export interface TurnParam {
  readonly role: "user" | "assistant";
  readonly content: BlockParam[];
}

/**
 * A conversation as the vendor takes it: roles alternate, results stand right behind their calls, no text is blank.
 * Thinking goes back only to the provider that made it, and only with its signature.
 */
export function messageParams(messages: readonly Message[], provider: string): TurnParam[] {
  const turns: TurnParam[] = [];
  for (const step of conversationSteps(messages)) {
    const role = step.kind === "assistant" ? "assistant" : "user";
    const content =
      step.kind === "results"
        ? step.results.map(({ id, result }) => resultBlock(id, result))
        : step.kind === "assistant"
          ? assistantBlocks(step.blocks, provider)
          : userBlocks(step.blocks);
    const last = turns.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  }
  return turns;
}

function assistantBlocks(blocks: readonly Block[], provider: string): BlockParam[] {
  const params = blocks.flatMap((block): BlockParam[] => {
    switch (block.type) {
      case "text":
        return textBlocks(block.text);
      case "thinking":
        return block.provider === provider ? thinkingBlocks(block.text, block.signature) : [];
      case "tool-call":
        return [{ type: "tool_use", id: block.id, name: block.name, input: block.args }];
      default:
        return [];
    }
  });
  // A message of nothing but thinking is refused.
  return params.every(({ type }) => type === "thinking" || type === "redacted_thinking") ? [] : params;
}

function thinkingBlocks(thinking: string, signature: string | undefined): BlockParam[] {
  if (signature === undefined) return [];
  const data = redactedData(signature);
  return [data === undefined ? { type: "thinking", thinking, signature } : { type: "redacted_thinking", data }];
}

function userBlocks(blocks: readonly Block[]): UserBlockParam[] {
  return blocks.flatMap((block): UserBlockParam[] => {
    if (block.type === "text") return textBlocks(block.text);
    return block.type === "image" || block.type === "file" ? [mediaBlock(block)] : [];
  });
}

/** Without a result the call was interrupted: the vendor wants an answer to each. */
function resultBlock(tool_use_id: string, result: ToolResult | undefined): ToolResultBlockParam {
  if (result === undefined) {
    return { type: "tool_result", tool_use_id, content: "interrupted", is_error: true };
  }
  const content = userBlocks(result.content);
  // An error without a text is refused.
  if (result.isError && content.length === 0) content.push({ type: "text", text: "failed" });
  return {
    type: "tool_result",
    tool_use_id,
    ...(content.length === 0 ? {} : { content }),
    ...(result.isError ? { is_error: true } : {}),
  };
}

function textBlocks(text: string): TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}
