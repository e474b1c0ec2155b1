import type { Block, ProviderRequest, ToolResult } from "@quire/core";
import type {
  DocumentBlockParam,
  ImageBlockParam,
  RedactedThinkingBlockParam,
  TextBlockParam,
  ThinkingBlockParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import { modelCaps } from "./caps.js";
import { leftOutNote, mediaBlock } from "./media.js";
import { redactedData } from "./redacted-thinking.js";
import { conversationSteps } from "./wire/conversation-steps.js";
import type { WireTools } from "./wire/wire-tools.js";

type UserBlockParam = TextBlockParam | ImageBlockParam | DocumentBlockParam;
export type BlockParam =
  UserBlockParam | ThinkingBlockParam | RedactedThinkingBlockParam | ToolUseBlockParam | ToolResultBlockParam;

/** A message under construction. */
export type TurnParam =
  | { readonly role: "user" | "assistant"; readonly content: BlockParam[] }
  | { readonly role: "system"; readonly content: TextBlockParam[] };

/** Letters, digits, `_` and `-`, as many as one likes. */
const idRule = { forbidden: /[^A-Za-z0-9_-]/g, maxLength: 200 };

/** Where a late system text goes: to the user, into a message of role `system`, or to the system text at the head. */
export type LatePlace = "user" | "system" | "joined";

export interface Conversation {
  readonly turns: TurnParam[];
  /** Late system texts that stand nowhere in the conversation. */
  readonly late: readonly string[];
}

/**
 * A conversation as the vendor takes it: roles alternate, the user speaks first and last, results stand right behind
 * their calls, no text is blank. Thinking goes back only to the provider that made it, with its signature, and only in
 * front of what it led to.
 */
export function conversation(request: ProviderRequest, tools: WireTools, place: LatePlace): Conversation {
  const { model, messages } = request;
  const takesImages = modelCaps(model.id).images;
  // The vendor refuses calls and results in a request that declares no tools.
  const hasTools = tools.list.length > 0;
  const turns: TurnParam[] = [];
  const late: string[] = [];
  let user: BlockParam[] = [];
  let system: TextBlockParam[] = [];
  /** Role `system` stands behind the user and before the assistant: what was said between two answers is one of each. */
  const endGap = (): void => {
    if (user.length === 0) [user, system] = [system, user as TextBlockParam[]];
    if (user.length > 0) turns.push({ role: "user", content: user });
    if (system.length > 0) turns.push({ role: "system", content: system });
    [user, system] = [[], []];
  };
  for (const step of conversationSteps(messages, { idRule, hasTools })) {
    if (step.kind === "results") {
      user.push(...step.results.map(({ id, result }) => resultBlock(id, result, takesImages)));
    } else if (step.kind === "user") {
      user.push(...userBlocks(step.blocks, takesImages));
    } else if (step.kind === "context") {
      const blocks = userBlocks(step.blocks, takesImages);
      const texts = blocks.filter((block) => block.type === "text");
      if (place === "user" || texts.length < blocks.length) user.push(...blocks);
      else if (place === "system") system.push(...texts);
      else late.push(...texts.map(({ text }) => text));
    } else {
      const content = assistantBlocks(step.blocks, model.provider, tools);
      if (content.length === 0) continue;
      endGap();
      const last = turns.at(-1);
      if (last?.role === "assistant") last.content.push(...content);
      else turns.push({ role: "assistant", content });
    }
  }
  endGap();
  if (turns[0]?.role === "assistant") turns.unshift({ role: "user", content: [{ type: "text", text: "[start]" }] });
  return { turns, late };
}

function assistantBlocks(blocks: readonly Block[], provider: string, tools: WireTools): BlockParam[] {
  const params = blocks.flatMap((block): BlockParam[] => {
    switch (block.type) {
      case "text":
        return textBlocks(block.text);
      case "thinking":
        return block.provider === provider ? thinkingBlocks(block.text, block.signature) : [];
      case "tool-call": {
        const { name, args } = tools.callOf(block);
        return [{ type: "tool_use", id: block.id, name, input: args }];
      }
      case "image":
      case "file":
        return [leftOutNote(block)];
      default:
        return [];
    }
  });
  // A message that ends in thinking is refused.
  return params.slice(0, params.findLastIndex((block) => !isThinking(block)) + 1);
}

export function isThinking(block: BlockParam | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}

function thinkingBlocks(thinking: string, signature: string | undefined): BlockParam[] {
  if (signature === undefined) return [];
  const data = redactedData(signature);
  return [data === undefined ? { type: "thinking", thinking, signature } : { type: "redacted_thinking", data }];
}

function userBlocks(blocks: readonly Block[], takesImages: boolean): UserBlockParam[] {
  return blocks.flatMap((block): UserBlockParam[] => {
    if (block.type === "text") return textBlocks(block.text);
    return block.type === "image" || block.type === "file" ? [mediaBlock(block, takesImages)] : [];
  });
}

/** Without a result the call was interrupted: the vendor wants an answer to each. */
function resultBlock(tool_use_id: string, result: ToolResult | undefined, takesImages: boolean): ToolResultBlockParam {
  if (result === undefined) {
    return { type: "tool_result", tool_use_id, content: "interrupted", is_error: true };
  }
  const content = userBlocks(result.content, takesImages);
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
