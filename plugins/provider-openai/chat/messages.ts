import type { Block, ProviderRequest } from "@quire/core";
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { isOwnModel, modelCaps } from "../caps.js";
import { leftOutNote } from "../media-note.js";
import { resultText, textOf } from "../result-text.js";
import { conversationSteps } from "../wire/conversation-steps.js";
import type { CallResult } from "../wire/conversation-steps.js";
import type { WireTools } from "../wire/wire-tools.js";
import { isMedia, mediaPart } from "./media.js";
import type { MediaAbility } from "./media.js";

/** The vendor takes any text as an id, of at most 40 characters. */
const idRule = { forbidden: /(?!)/g, maxLength: 40 };

/**
 * A request's text and conversation as messages. For the vendor's own models context messages are system messages in
 * their place; for others they are the user's, and neighbours of the user are one message, because chat templates often
 * want roles to alternate and the user to speak last. Thinking stays out: this API takes none back.
 * @param isUserOnly Context messages are the user's for every model.
 */
export function messageParams(
  request: ProviderRequest,
  tools: WireTools,
  isUserOnly: boolean,
): ChatCompletionMessageParam[] {
  const { system, tail, model } = request;
  const isOwn = isOwnModel(model.id);
  const ability: MediaAbility = { images: modelCaps(model.id).images, files: isOwn };
  const messages: ChatCompletionMessageParam[] = [];
  if (system.text !== "") messages.push({ role: "system", content: system.text });
  // The vendor takes calls of a conversation whose tools are gone; templates of other models may not.
  const hasTools = isOwn || tools.list.length > 0;
  for (const step of conversationSteps(request.messages, { idRule, hasTools })) {
    if (step.kind === "results") {
      messages.push(...resultMessages(step.results, ability));
    } else if (step.kind === "assistant") {
      messages.push(...assistantMessage(step.blocks, tools));
    } else if (step.kind === "context" && isOwn && !isUserOnly) {
      const content = textOf(step.blocks);
      if (content !== "") messages.push({ role: "system", content });
    } else {
      addUserMessage(messages, userParts(step.blocks, ability), isOwn);
    }
  }
  if (tail.trim() !== "") {
    if (isOwn && !isUserOnly) messages.push({ role: "system", content: tail });
    else addUserMessage(messages, [{ type: "text", text: tail }], isOwn);
  }
  const last = messages.at(-1);
  if (last === undefined || (!isOwn && last.role === "assistant")) {
    messages.push({ role: "user", content: "[continue]" });
  }
  return messages;
}

function assistantMessage(blocks: readonly Block[], tools: WireTools): ChatCompletionMessageParam[] {
  const text = textOf(blocks.map((block) => (isMedia(block) ? { type: "text", text: leftOutNote(block) } : block)));
  const tool_calls = blocks.flatMap((block): ChatCompletionMessageFunctionToolCall[] => {
    if (block.type !== "tool-call") return [];
    const { name, args } = tools.callOf(block);
    return [{ id: block.id, type: "function", function: { name, arguments: JSON.stringify(args) } }];
  });
  if (tool_calls.length > 0) return [{ role: "assistant", content: text || null, tool_calls }];
  return text === "" ? [] : [{ role: "assistant", content: text }];
}

/** Results hold text alone in this API: images and files follow in a message of the user. */
function resultMessages(results: readonly CallResult[], ability: MediaAbility): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = results.map(({ id, result }) => ({
    role: "tool",
    tool_call_id: id,
    content: resultText(result),
  }));
  const media = results.flatMap(({ result }) => {
    const parts = userParts((result?.content ?? []).filter(isMedia), ability);
    const label = { type: "text", text: `${result?.name ?? ""}:` } as const;
    return parts.length === 0 ? [] : [label, ...parts];
  });
  return media.length === 0 ? messages : [...messages, { role: "user", content: contentOf(media) }];
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

function userParts(blocks: readonly Block[], ability: MediaAbility): ChatCompletionContentPart[] {
  return blocks.flatMap((block): ChatCompletionContentPart[] => {
    if (block.type === "text") return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
    return isMedia(block) ? [mediaPart(block, ability)] : [];
  });
}
