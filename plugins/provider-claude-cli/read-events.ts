import type { Block, Config, Stop, StreamEvent, Usage } from "@quire/core";

/** The stream broke a rule: an event of the wrong shape, or a second beginning. */
export class BrokenStream extends Error {}

interface OpenBlock {
  readonly type: "text" | "thinking" | "tool_use";
  readonly id: string;
  readonly name: string;
  text: string;
  signature: string;
}

const stops: Readonly<Record<string, Stop>> = {
  end_turn: "end",
  stop_sequence: "end",
  pause_turn: "end",
  tool_use: "tools",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refusal",
};

/** Makes our events of the vendor's, which the program hands on one by one. */
export class MessageReader {
  readonly #provider: string;
  readonly #open = new Map<number, OpenBlock>();
  readonly #closed = new Map<number, Block>();
  #usage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  #stop: Stop = "end";
  #state: "before" | "within" | "over" = "before";

  /** @param provider Whose thinking it is. */
  constructor(provider: string) {
    this.#provider = provider;
  }

  get hasBegun(): boolean {
    return this.#state !== "before";
  }

  get isOver(): boolean {
    return this.#state === "over";
  }

  /** @throws {BrokenStream} At an event of the wrong shape. Unknown kinds are passed over. */
  *take(event: Config): Generator<StreamEvent> {
    const index = Number(event["index"]);
    switch (event["type"]) {
      case "message_start":
        if (this.hasBegun) throw new BrokenStream("the answer began anew in its middle");
        this.#state = "within";
        this.#count(record(record(event["message"])["usage"]));
        break;
      case "content_block_start": {
        const block = openBlock(record(event["content_block"]));
        if (block !== undefined) this.#open.set(index, block);
        break;
      }
      case "content_block_delta": {
        const block = this.#open.get(index);
        const shown = block === undefined ? undefined : grow(block, record(event["delta"]));
        if (shown !== undefined) yield shown;
        break;
      }
      case "content_block_stop": {
        const block = this.#open.get(index);
        this.#open.delete(index);
        const whole = block === undefined ? undefined : closeBlock(block, this.#provider);
        if (whole !== undefined) this.#closed.set(index, whole);
        yield* this.#ready();
        break;
      }
      case "message_delta": {
        this.#count(record(event["usage"]));
        const reason = record(event["delta"])["stop_reason"];
        if (typeof reason === "string") this.#stop = stops[reason] ?? "end";
        break;
      }
      case "message_stop":
        if (this.#open.size > 0) throw new BrokenStream("the message ended inside a block");
        this.#state = "over";
        yield { type: "usage", usage: this.#usage };
        yield { type: "end", stop: this.#stop };
        break;
      default:
        break;
    }
  }

  /** Blocks may come by turns; they are kept in the vendor's order. */
  *#ready(): Generator<StreamEvent> {
    const firstOpen = Math.min(...this.#open.keys(), Number.POSITIVE_INFINITY);
    const ready = [...this.#closed].filter(([index]) => index < firstOpen).toSorted(([a], [b]) => a - b);
    for (const [index, block] of ready) {
      this.#closed.delete(index);
      yield { type: "block", block };
    }
  }

  /** Counts are cumulative; what did not change may be left out. */
  #count(usage: Config): void {
    const count = (name: string, before: number): number => {
      const value = usage[name];
      return typeof value === "number" ? value : before;
    };
    const { input, cacheRead, cacheWrite, output } = this.#usage;
    this.#usage = {
      input: count("input_tokens", input),
      cacheRead: count("cache_read_input_tokens", cacheRead),
      cacheWrite: count("cache_creation_input_tokens", cacheWrite),
      output: count("output_tokens", output),
    };
  }
}

/** The value if it is an object, else an empty one. */
export function record(value: unknown): Config {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Config) : {};
}

/** Encrypted thinking is passed over: thinking does not go back in this mode. */
function openBlock({ type, id, name, text, thinking }: Config): OpenBlock | undefined {
  if (type === "text") return { type, id: "", name: "", text: string(text), signature: "" };
  if (type === "thinking") return { type, id: "", name: "", text: string(thinking), signature: "" };
  if (type === "tool_use") return { type, id: string(id), name: string(name), text: "", signature: "" };
  return undefined;
}

function grow(block: OpenBlock, delta: Config): StreamEvent | undefined {
  const { type, id, name } = block;
  const add = (value: unknown): string => {
    const text = string(value);
    block.text += text;
    return text;
  };
  let text = "";
  if (delta["type"] === "text_delta" && type === "text") text = add(delta["text"]);
  else if (delta["type"] === "thinking_delta" && type === "thinking") text = add(delta["thinking"]);
  else if (delta["type"] === "input_json_delta" && type === "tool_use") text = add(delta["partial_json"]);
  else if (delta["type"] === "signature_delta") block.signature += string(delta["signature"]);
  if (text === "") return undefined;
  return type === "tool_use" ? { type: "tool-args", id, name, delta: text } : { type, delta: text };
}

function closeBlock({ type, id, name, text, signature }: OpenBlock, provider: string): Block | undefined {
  if (type === "text") return text === "" ? undefined : { type, text };
  if (type === "tool_use") return { type: "tool-call", id, name, args: parseArguments(text) };
  return { type: "thinking", text, provider, ...(signature === "" ? {} : { signature }) };
}

/** What is no JSON object comes as `{ "$invalid": <the raw text> }`, which the host answers with an error result. */
function parseArguments(text: string): Config {
  if (text.trim() === "") return {};
  try {
    const args: unknown = JSON.parse(text);
    if (typeof args === "object" && args !== null && !Array.isArray(args)) return args as Config;
  } catch {
    // Falls through: the raw text is what the host shows the model.
  }
  return { $invalid: text };
}

function string(value: unknown): string {
  if (typeof value === "string") return value;
  throw new BrokenStream(`an event holds ${value === undefined ? "nothing" : typeof value} where a text belongs`);
}
