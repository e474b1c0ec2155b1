import type { Block, ProviderRequest, ToolCall, ToolResult } from "@quire/core";
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { conversationSteps } from "./conversation-steps.js";
import type { CallResult } from "./conversation-steps.js";
import { mediaPart } from "./media.js";

/**
 * A request's text and conversation as messages. For the vendor's own models context messages are system messages in
 * their place; for others they are the user's, and neighbours of the user are one message, because chat templates often
 * want roles to alternate. Thinking stays out: this API takes none back.
 */
export function messageParams(request: ProviderRequest, isOwn: boolean): ChatCompletionMessageParam[] {
  const { system, tail } = request;
  const messages: ChatCompletionMessageParam[] = [];
  if (system.text !== "") messages.push({ role: "system", content: system.text });
  for (const step of conversationSteps(request.messages)) {
    if (step.kind === "results") {
      messages.push(...resultMessages(step.results, isOwn));
    } else if (step.kind === "assistant") {
      messages.push(...assistantMessage(step.blocks));
    } else if (step.kind === "context" && isOwn) {
      const content = textOf(step.blocks);
      if (content !== "") messages.push({ role: "system", content });
    } else {
      addUserMessage(messages, userParts(step.blocks, isOwn), isOwn);
    }
  }
  if (tail.trim() !== "") {
    if (isOwn) messages.push({ role: "system", content: tail });
    else addUserMessage(messages, [{ type: "text", text: tail }], isOwn);
  }
  return messages;
}

function assistantMessage(blocks: readonly Block[]): ChatCompletionMessageParam[] {
  const text = textOf(blocks);
  const tool_calls = blocks.flatMap((block) => (block.type === "tool-call" ? [callParam(block)] : []));
  if (tool_calls.length > 0) return [{ role: "assistant", content: text || null, tool_calls }];
  return text === "" ? [] : [{ role: "assistant", content: text }];
}

function callParam({ id, name, args }: ToolCall): ChatCompletionMessageFunctionToolCall {
  return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
}

/** Results hold text alone in this API: images follow in a message of the user. */
function resultMessages(results: readonly CallResult[], isOwn: boolean): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = results.map(({ id, result }) => ({
    role: "tool",
    tool_call_id: id,
    content: resultText(result),
  }));
  const media = results.flatMap(({ result }) => {
    const parts = userParts((result?.content ?? []).filter(isMedia), isOwn);
    const label = { type: "text", text: `${result?.name ?? ""}:` } as const;
    return parts.length === 0 ? [] : [label, ...parts];
  });
  return media.length === 0 ? messages : [...messages, { role: "user", content: media }];
}

/** Without a result the call was interrupted: the vendor wants an answer to each. */
function resultText(result: ToolResult | undefined): string {
  if (result === undefined) return "Error: interrupted";
  const text = textOf(result.content);
  if (!result.isError) return text;
  return /^error/i.test(text) ? text : `Error: ${text || "failed"}`;
}

function addUserMessage(
  messages: ChatCompletionMessageParam[],
  parts: readonly ChatCompletionContentPart[],
  isOwn: boolean,
): void {
  if (parts.length === 0) return;
  const last = messages.at(-1);
  const before = !isOwn && last?.role === "user" ? messages.pop() : undefined;
  messages.push({ role: "user", content: contentOf([...partsOf(before), ...parts]) });
}

function partsOf(message: ChatCompletionMessageParam | undefined): readonly ChatCompletionContentPart[] {
  if (message?.role !== "user") return [];
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}

/** Text alone is sent as a string: simple servers take nothing else. */
function contentOf(parts: readonly ChatCompletionContentPart[]): string | ChatCompletionContentPart[] {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.length === parts.length ? texts.join("\n\n") : [...parts];
}

function userParts(blocks: readonly Block[], isOwn: boolean): ChatCompletionContentPart[] {
  return blocks.flatMap((block): ChatCompletionContentPart[] => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
    return isMedia(block) ? [mediaPart(block, isOwn)] : [];
  });
}

function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => (block.type === "text" && block.text.trim() !== "" ? [block.text] : []))
    .join("\n\n");
}

function isMedia(block: Block): block is Extract<Block, { type: "image" | "file" }> {
  return block.type === "image" || block.type === "file";
}
