import type { Block, ProviderRequest, ToolResult } from "@quire/core";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { hasReasoning, isOwnModel, modelCaps } from "../caps.js";
import { leftOutNote } from "../media-note.js";
import { resultText, textOf } from "../result-text.js";
import { conversationSteps } from "../wire/conversation-steps.js";
import type { CallResult } from "../wire/conversation-steps.js";
import type { WireTools } from "../wire/wire-tools.js";
import { inputParts } from "./media.js";
import { reasoningItem } from "./reasoning.js";

/** The vendor takes any text as a call's id, of at most 64 characters. */
const idRule = { forbidden: /(?!)/g, maxLength: 64 };

export interface ResponsesInput {
  readonly input: ResponseInputItem[];
  /** Late system texts that stand nowhere in the input. */
  readonly late: readonly string[];
}

/**
 * A conversation as input items. A late system text is a developer message in its place, or the user's (`isUserOnly`),
 * or none at all (`isJoined`): then it belongs to the instructions. Reasoning goes back only to the provider that made it, and only in front of what
 * it led to.
 */
export function inputItems(
  request: ProviderRequest,
  tools: WireTools,
  { isJoined, isUserOnly }: { readonly isJoined: boolean; readonly isUserOnly: boolean },
): ResponsesInput {
  const { model } = request;
  const takesImages = modelCaps(model.id).images;
  const input: ResponseInputItem[] = [];
  const late: string[] = [];
  const addLate = (text: string): void => {
    if (text.trim() === "") return;
    if (isJoined) late.push(text);
    else
      input.push({ type: "message", role: isUserOnly ? "user" : "developer", content: [{ type: "input_text", text }] });
  };
  for (const step of conversationSteps(request.messages, { idRule, hasTools: true })) {
    if (step.kind === "results") input.push(...outputItems(step.results, model.id));
    else if (step.kind === "context") addLate(textOf(step.blocks));
    else if (step.kind === "assistant") input.push(...assistantItems(step.blocks, request, tools));
    else {
      const content = inputParts(step.blocks, takesImages);
      if (content.length > 0) input.push({ type: "message", role: "user", content });
    }
  }
  addLate(request.tail);
  if (input.length === 0) input.push({ type: "message", role: "user", content: "[continue]" });
  return { input, late };
}

function assistantItems(blocks: readonly Block[], { model }: ProviderRequest, tools: WireTools): ResponseInputItem[] {
  const isThinker = hasReasoning(model.id);
  const items = blocks.flatMap((block): ResponseInputItem[] => {
    switch (block.type) {
      case "text":
        return block.text.trim() === "" ? [] : [{ type: "message", role: "assistant", content: block.text }];
      case "image":
      case "file":
        return [{ type: "message", role: "assistant", content: leftOutNote(block) }];
      case "thinking": {
        const item = isThinker && block.provider === model.provider ? reasoningItem(block) : undefined;
        return item === undefined ? [] : [item];
      }
      case "tool-call": {
        const { name, args } = tools.callOf(block);
        return [{ type: "function_call", call_id: block.id, name, arguments: JSON.stringify(args) }];
      }
      default:
        return [];
    }
  });
  // Reasoning without what it led to is refused.
  return items.slice(0, items.findLastIndex(({ type }) => type !== "reasoning") + 1);
}

/** Results of the vendor's own models may hold images and files; other servers know results of text. */
function outputItems(results: readonly CallResult[], model: string): ResponseInputItem[] {
  const takesImages = modelCaps(model).images;
  const outputs = results.map(({ id, result }): ResponseInputItem => {
    const output = isOwnModel(model) && hasMedia(result) ? mediaOutput(result, takesImages) : resultText(result);
    return { type: "function_call_output", call_id: id, output };
  });
  if (isOwnModel(model)) return outputs;
  const content = results.flatMap(({ result }) => {
    const media = (result?.content ?? []).filter(({ type }) => type === "image" || type === "file");
    const parts = inputParts(media, takesImages);
    return parts.length === 0 ? [] : [{ type: "input_text", text: `${result?.name ?? ""}:` } as const, ...parts];
  });
  return content.length === 0 ? outputs : [...outputs, { type: "message", role: "user", content }];
}

function hasMedia(result: ToolResult | undefined): result is ToolResult {
  return result?.content.some(({ type }) => type === "image" || type === "file") === true;
}

function mediaOutput(result: ToolResult, takesImages: boolean): ReturnType<typeof inputParts> {
  const parts = inputParts(result.content, takesImages);
  return result.isError ? [{ type: "input_text", text: "Error:" }, ...parts] : parts;
}
