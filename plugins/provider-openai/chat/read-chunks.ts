import type { Block, Stop, StreamEvent, Usage } from "@quire/core";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { BrokenStream } from "../broken-stream.js";
import { parseArguments } from "../wire/call-arguments.js";

interface OpenCall {
  readonly id: string;
  readonly name: string;
  text: string;
}

/**
 * The vendor's chunks as our events. Blocks come once the answer is known to be whole: a finish reason was given and the
 * stream ended well. Then usage, if the server counted, and the end. Arguments of a call that are no JSON object come as
 * `{ "$invalid": <the raw text> }`, which the host answers with an error result.
 * @param provider Who made the thinking.
 * @throws {BrokenStream} Without a finish reason, or at a chunk of the wrong shape.
 */
export async function* readChunks(
  chunks: AsyncIterable<ChatCompletionChunk>,
  provider: string,
): AsyncGenerator<StreamEvent> {
  const calls: OpenCall[] = [];
  let text = "";
  let thinking = "";
  let usage: Usage | undefined;
  let finish: string | undefined;
  let isRefused = false;
  for await (const chunk of chunks) {
    if (chunk.usage) usage = usageOf(chunk.usage);
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    const delta = (choice.delta ?? {}) as ChatCompletionChunk.Choice.Delta & Reasoning;
    const thought = optionalText(delta.reasoning_content ?? delta.reasoning);
    if (thought !== "") {
      thinking += thought;
      yield { type: "thinking", delta: thought };
    }
    isRefused ||= optionalText(delta.refusal) !== "";
    const said = optionalText(delta.content) + optionalText(delta.refusal);
    if (said !== "") {
      text += said;
      yield { type: "text", delta: said };
    }
    for (const part of delta.tool_calls ?? []) {
      const call = openCall(calls, part);
      const args = optionalText(part.function?.arguments);
      call.text += args;
      if (args !== "") yield { type: "tool-args", id: call.id, name: call.name, delta: args };
    }
    if (choice.finish_reason) finish = choice.finish_reason;
  }
  if (finish === undefined) throw new BrokenStream("the stream ended before the answer did");
  const blocks: Block[] = [
    ...(thinking === "" ? [] : [{ type: "thinking", text: thinking, provider } as const]),
    ...(text === "" ? [] : [{ type: "text", text } as const]),
    ...calls.map(closeCall),
  ];
  for (const block of blocks) yield { type: "block", block };
  if (usage !== undefined) yield { type: "usage", usage };
  yield { type: "end", stop: stopOf(finish, isRefused, calls.length > 0) };
}

/** Not of the vendor: what other servers call the model's thinking. */
interface Reasoning {
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
}

/** Some servers say `stop` although they call tools. */
function stopOf(finish: string, isRefused: boolean, hasCalls: boolean): Stop {
  if (isRefused || finish === "content_filter") return "refusal";
  if (finish === "length") return "length";
  return hasCalls ? "tools" : "end";
}

/**
 * The call a part belongs to. The vendor gives the id and the name once and the index always; other servers give every
 * call the same index, or none, or no id: a new id, or a name without an index, begins a call there.
 */
function openCall(calls: OpenCall[], part: Partial<ChatCompletionChunk.Choice.Delta.ToolCall>): OpenCall {
  const id = optionalText(part.id);
  const name = optionalText(part.function?.name);
  const byIndex = part.index === undefined ? (name === "" ? calls.at(-1) : undefined) : calls[part.index];
  const known = id === "" ? byIndex : (calls.find((call) => call.id === id) ?? (name === "" ? byIndex : undefined));
  if (known !== undefined) return known;
  if (name === "") throw new BrokenStream("a tool call has no name");
  const call = { id: id || `call_${calls.length}`, name, text: "" };
  calls.push(call);
  return call;
}

function closeCall({ id, name, text }: OpenCall): Block {
  return { type: "tool-call", id, name, args: parseArguments(text) };
}

/** This vendor counts cached tokens as part of the prompt. */
function usageOf(usage: NonNullable<ChatCompletionChunk["usage"]>): Usage {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
  return {
    input: Math.max(0, (usage.prompt_tokens ?? 0) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: usage.completion_tokens ?? 0,
  };
}

function optionalText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw new BrokenStream(`a chunk holds ${typeof value} where a text belongs`);
}
