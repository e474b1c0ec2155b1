import type { Block, Stop, StreamEvent, Usage } from "@quire/core";
import type { Response, ResponseOutputItem, ResponseStreamEvent } from "openai/resources/responses/responses";
import { BrokenStream } from "../broken-stream.js";
import { parseArguments } from "../wire/call-arguments.js";
import { thinkingBlock } from "./reasoning.js";

/** The vendor said in the middle of a stream that the answer failed. */
export class FailedResponse extends Error {
  /** The vendor's word: `rate_limit_exceeded`, `server_error`, … */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The vendor's events as ours. The blocks of an item are yielded when the vendor closed it, in the order of the output,
 * usage and end once at the end.
 * @param provider Who may get the thinking back.
 * @throws {BrokenStream} Before the end of the response, or at an event of the wrong shape.
 * @throws {FailedResponse} When the vendor gives up.
 */
export async function* readEvents(
  events: AsyncIterable<ResponseStreamEvent>,
  provider: string,
): AsyncGenerator<StreamEvent> {
  const output = new Output(provider);
  for await (const event of events) {
    switch (event.type) {
      case "response.output_item.added":
        output.open(event.output_index, event.item);
        break;
      case "response.output_text.delta":
      case "response.refusal.delta":
        if (text(event.delta) !== "") yield { type: "text", delta: event.delta };
        break;
      case "response.reasoning_summary_part.added":
        // A summary of several parts reads as paragraphs.
        if (event.summary_index > 0) yield { type: "thinking", delta: "\n\n" };
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        if (text(event.delta) !== "") yield { type: "thinking", delta: event.delta };
        break;
      case "response.function_call_arguments.delta": {
        const call = output.callAt(event.output_index);
        if (text(event.delta) !== "") yield { type: "tool-args", ...call, delta: event.delta };
        break;
      }
      case "response.output_item.done":
        for (const block of output.close(event.output_index, event.item)) yield { type: "block", block };
        break;
      case "response.completed":
      case "response.incomplete":
        for (const block of output.rest(event.response.output ?? [])) yield { type: "block", block };
        yield* endOf(event.response, output);
        return;
      case "response.failed":
        throw new FailedResponse(
          event.response.error?.code ?? "server_error",
          event.response.error?.message ?? "the response failed",
        );
      case "error":
        throw new FailedResponse(event.code ?? "server_error", event.message);
      default:
        // The vendor may add kinds of events at any time.
        break;
    }
  }
  throw new BrokenStream("the stream ended before the response did");
}

/** The items of one response, which may arrive by turns. */
class Output {
  isRefused = false;
  hasCalls = false;
  readonly #provider: string;
  readonly #calls = new Map<number, { readonly id: string; readonly name: string }>();
  readonly #open = new Set<number>();
  #hasClosed = false;
  readonly #waiting = new Map<number, readonly Block[]>();

  constructor(provider: string) {
    this.#provider = provider;
  }

  open(index: number, item: ResponseOutputItem): void {
    this.#open.add(index);
    if (item.type === "function_call") this.#calls.set(index, { id: text(item.call_id), name: text(item.name) });
  }

  callAt(index: number): { readonly id: string; readonly name: string } {
    const call = this.#calls.get(index);
    if (call === undefined) throw new BrokenStream("arguments came for a call that was not announced");
    return call;
  }

  /** The blocks that no earlier item holds up any more. */
  close(index: number, item: ResponseOutputItem): readonly Block[] {
    this.#hasClosed = true;
    this.#open.delete(index);
    this.#waiting.set(index, this.#blocksOf(item));
    const firstOpen = Math.min(...this.#open, Number.POSITIVE_INFINITY);
    return this.#take((each) => each < firstOpen);
  }

  /** What is still held up. The response must have closed all its items; some servers give them at the end alone. */
  rest(items: readonly ResponseOutputItem[]): readonly Block[] {
    if (this.#open.size > 0) throw new BrokenStream("the response ended inside an item");
    if (!this.#hasClosed) for (const [index, item] of items.entries()) this.#waiting.set(index, this.#blocksOf(item));
    return this.#take(() => true);
  }

  #take(isFree: (index: number) => boolean): readonly Block[] {
    const indexes = [...this.#waiting.keys()].filter(isFree).toSorted((a, b) => a - b);
    return indexes.flatMap((index) => {
      const blocks = this.#waiting.get(index) ?? [];
      this.#waiting.delete(index);
      return blocks;
    });
  }

  #blocksOf(item: ResponseOutputItem): readonly Block[] {
    if (item.type === "message") {
      return (item.content ?? []).flatMap((part): Block[] => {
        this.isRefused ||= part.type === "refusal";
        const said = text(part.type === "refusal" ? part.refusal : part.text);
        return said === "" ? [] : [{ type: "text", text: said }];
      });
    }
    if (item.type === "reasoning") {
      const parts = (item.summary ?? []).length > 0 ? item.summary : (item.content ?? []);
      const block = thinkingBlock(item, parts.map((part) => text(part.text)).join("\n\n"), this.#provider);
      return block.text === "" && block.signature === undefined ? [] : [block];
    }
    if (item.type !== "function_call") return [];
    this.hasCalls = true;
    const name = text(item.name);
    if (name === "") throw new BrokenStream("a tool call has no name");
    return [{ type: "tool-call", id: text(item.call_id), name, args: parseArguments(text(item.arguments)) }];
  }
}

function* endOf(response: Response, output: Output): Generator<StreamEvent> {
  if (response.usage) yield { type: "usage", usage: usageOf(response.usage) };
  yield { type: "end", stop: stopOf(response, output) };
}

function stopOf(response: Response, output: Output): Stop {
  const reason = response.incomplete_details?.reason;
  if (output.isRefused || reason === "content_filter") return "refusal";
  if (reason !== undefined || response.status === "incomplete") return "length";
  return output.hasCalls ? "tools" : "end";
}

/** This vendor counts cached tokens as part of the input. */
function usageOf(usage: NonNullable<Response["usage"]>): Usage {
  const cacheRead = usage.input_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.input_tokens_details?.cache_write_tokens ?? 0;
  return {
    input: Math.max(0, (usage.input_tokens ?? 0) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: usage.output_tokens ?? 0,
  };
}

/** Types promise texts; servers that imitate the vendor send other things. */
function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw new BrokenStream(`an event holds ${typeof value} where a text belongs`);
}
