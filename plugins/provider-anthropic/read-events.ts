import type { Block, Config, Stop, StreamEvent, Usage } from "@quire/core";
import type { RawMessageStreamEvent, StopReason } from "@anthropic-ai/sdk/resources/messages";
import { redactedSignature } from "./redacted-thinking.js";
import { parseArguments } from "./wire/call-arguments.js";

/** The stream broke a rule of the API: an event of the wrong shape, or no end. */
export class BrokenStream extends Error {}

interface OpenBlock {
  readonly type: "text" | "thinking" | "redacted_thinking" | "tool_use";
  readonly id: string;
  readonly name: string;
  text: string;
  signature: string;
}

/**
 * The vendor's events as ours. A block is yielded when the vendor closed it, usage and end once at the end. Arguments of
 * a call that are no JSON object come as `{ "$invalid": <the raw text> }`, which the host answers with an error result.
 * @param provider Who may get the thinking back.
 * @throws {BrokenStream} Before the end of the message, or at an event of the wrong shape.
 */
export async function* readEvents(
  events: AsyncIterable<RawMessageStreamEvent>,
  provider: string,
): AsyncGenerator<StreamEvent> {
  const open = new Map<number, OpenBlock>();
  const closed = new Map<number, Block>();
  let usage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  let stop: Stop = "end";
  for await (const event of events) {
    switch (event.type) {
      case "message_start":
        usage = mergeUsage(usage, event.message.usage);
        break;
      case "content_block_start": {
        const block = openBlock(event.content_block);
        if (block !== undefined) open.set(event.index, block);
        break;
      }
      case "content_block_delta": {
        const block = open.get(event.index);
        const shown = block === undefined ? undefined : applyDelta(block, event.delta);
        if (shown !== undefined) yield shown;
        break;
      }
      case "content_block_stop": {
        const block = open.get(event.index);
        open.delete(event.index);
        const whole = block === undefined ? undefined : closeBlock(block, provider);
        if (whole !== undefined) closed.set(event.index, whole);
        // Blocks may come by turns; they are kept in the vendor's order.
        for (const ready of takeBefore(closed, Math.min(...open.keys(), Number.POSITIVE_INFINITY))) {
          yield { type: "block", block: ready };
        }
        break;
      }
      case "message_delta":
        usage = mergeUsage(usage, event.usage);
        if (event.delta.stop_reason !== null) stop = stops[event.delta.stop_reason] ?? "end";
        break;
      case "message_stop":
        if (open.size > 0) throw new BrokenStream("the message ended inside a block");
        yield { type: "usage", usage };
        yield { type: "end", stop };
        return;
      default:
        // The vendor may add kinds of events at any time.
        break;
    }
  }
  throw new BrokenStream("the stream ended before the message did");
}

/** `pause_turn` is of tools that run at the vendor, of which we declare none: what came is whole, and the turn ends. */
const stops: Readonly<Record<StopReason, Stop>> = {
  end_turn: "end",
  stop_sequence: "end",
  pause_turn: "end",
  tool_use: "tools",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refusal",
};

function openBlock(block: { readonly type: string }): OpenBlock | undefined {
  const { type, id, name, text, thinking, signature, data } = block as Config & { readonly type: string };
  switch (type) {
    case "text":
      return { type, id: "", name: "", text: string(text), signature: "" };
    case "thinking":
      return { type, id: "", name: "", text: string(thinking), signature: string(signature ?? "") };
    case "redacted_thinking":
      return { type, id: "", name: "", text: "", signature: redactedSignature(string(data)) };
    case "tool_use":
      return { type, id: string(id), name: string(name), text: "", signature: "" };
    default:
      return undefined;
  }
}

/** Takes out the blocks whose place is before the first that is still open. */
function takeBefore(closed: Map<number, Block>, firstOpen: number): Block[] {
  const ready = [...closed].filter(([index]) => index < firstOpen).toSorted(([a], [b]) => a - b);
  for (const [index] of ready) closed.delete(index);
  return ready.map(([, block]) => block);
}

function applyDelta(block: OpenBlock, event: { readonly type: string }): StreamEvent | undefined {
  const delta = event as Config & { readonly type: string };
  switch (delta.type) {
    case "text_delta":
      return grown(block, string(delta["text"]), (text) => ({ type: "text", delta: text }));
    case "thinking_delta":
      return grown(block, string(delta["thinking"]), (text) => ({ type: "thinking", delta: text }));
    case "input_json_delta": {
      const { id, name } = block;
      return grown(block, string(delta["partial_json"]), (text) => ({
        type: "tool-args",
        id,
        name,
        delta: text,
      }));
    }
    case "signature_delta":
      block.signature += string(delta["signature"]);
      return undefined;
    default:
      return undefined;
  }
}

function grown(block: OpenBlock, text: string, show: (text: string) => StreamEvent): StreamEvent | undefined {
  block.text += text;
  return text === "" ? undefined : show(text);
}

function closeBlock(block: OpenBlock, provider: string): Block | undefined {
  const { type, id, name, text, signature } = block;
  if (type === "text") return text === "" ? undefined : { type, text };
  if (type === "tool_use") return { type: "tool-call", id, name, args: parseArguments(text) };
  return { type: "thinking", text, provider, ...(signature === "" ? {} : { signature }) };
}

interface WireUsage {
  readonly input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly output_tokens?: number | null;
}

/** Counts are cumulative; a server may leave out what did not change. */
function mergeUsage(before: Usage, now: WireUsage | null | undefined): Usage {
  return {
    input: now?.input_tokens ?? before.input,
    cacheRead: now?.cache_read_input_tokens ?? before.cacheRead,
    cacheWrite: now?.cache_creation_input_tokens ?? before.cacheWrite,
    output: now?.output_tokens ?? before.output,
  };
}

function string(value: unknown): string {
  if (typeof value === "string") return value;
  throw new BrokenStream(`an event holds ${value === undefined ? "nothing" : typeof value} where a text belongs`);
}
