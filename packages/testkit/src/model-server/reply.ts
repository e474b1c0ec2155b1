import type { Config, Stop, Usage } from "@quire/core";

/** What the scripted model answers, in neutral form; each wire format is made from it. */
export interface Reply {
  readonly thinking?: string;
  /** Encrypted thinking that only the vendor can read (Anthropic, Responses). */
  readonly redactedThinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ReplyToolCall[];
  /** Tokens; what is left out is estimated from the sizes of request and reply. */
  readonly usage?: Partial<Usage>;
  /** `tools` by default when there are calls, else `end`. */
  readonly stop?: Exclude<Stop, "aborted" | "error">;
  /** The vendor's own word for why it ended, as it is: `pause_turn`, `content_filter`, … */
  readonly rawStop?: string;
  /** Increments of all blocks by turns instead of one block after the other. */
  readonly interleaved?: boolean;
  /** Comments, and events of a kind that nobody knows yet, before each event. */
  readonly noise?: boolean;
  /** Each event in two pieces, cut in its middle, be it inside a character. */
  readonly fragmented?: boolean;
  /** Characters per increment; 24 by default. */
  readonly chunk?: number;
  /** Waited before each event. */
  readonly delayMs?: number;
  readonly fault?: Fault;
}

export interface ReplyToolCall {
  readonly name: string;
  /** An object, or raw text that is sent as the arguments although it may be no JSON. */
  readonly args: Config | string;
  /** Unique within the server by default. */
  readonly id?: string;
}

/** What goes wrong. `afterEvents` whole events leave intact before it does. */
export type Fault =
  | {
      readonly kind: "status";
      readonly status: number;
      /** The `retry-after` header: seconds, or a date as text. */
      readonly retryAfter?: number | string;
      /** The body; by default the vendor's error shape. */
      readonly body?: unknown;
    }
  /** The connection breaks. */
  | { readonly kind: "reset"; readonly afterEvents: number }
  /** One event is cut inside its JSON, then the stream ends. */
  | { readonly kind: "malformed"; readonly afterEvents: number }
  /** Nothing more comes until the client hangs up. */
  | { readonly kind: "stall"; readonly afterEvents: number }
  /** An event says that the answer failed, as the vendor does after status 200. */
  | { readonly kind: "error"; readonly afterEvents: number; readonly status: number }
  /** Status 200 and no body. */
  | { readonly kind: "empty" };

/** One request as the server saw it. */
export interface RecordedRequest {
  /** Position among all requests for a reply, from 0. */
  readonly index: number;
  /** Start, epoch milliseconds. */
  readonly t: number;
  /** Without the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. */
  readonly body: Config;
  /** Set when the answer was no success: the fault's kind, or `refused` for a body the vendor would not take. */
  fault?: Fault["kind"] | "refused";
  /** How the connection of this answer ended: all was sent, or one side broke off. */
  readonly ended: Promise<"complete" | "cut">;
}

/** The text in increments of `size` code points; none for an empty text. */
export function chunksOf(text: string, size = 24): string[] {
  const characters = Array.from(text);
  const chunks: string[] = [];
  for (let start = 0; start < characters.length; start += size) {
    chunks.push(characters.slice(start, start + size).join(""));
  }
  return chunks;
}

/** The arguments as they travel. */
export function argumentText(call: ReplyToolCall): string {
  return typeof call.args === "string" ? call.args : JSON.stringify(call.args);
}

/** Usage with the blanks filled: four bytes are a token, all input is new. */
export function usageOf(reply: Reply, body: unknown): Usage {
  const said = [reply.text ?? "", reply.thinking ?? "", ...(reply.toolCalls ?? []).map(argumentText)].join("");
  return {
    input: reply.usage?.input ?? Math.ceil(JSON.stringify(body).length / 4),
    cacheRead: reply.usage?.cacheRead ?? 0,
    cacheWrite: reply.usage?.cacheWrite ?? 0,
    output: reply.usage?.output ?? Math.max(1, Math.ceil(said.length / 4)),
  };
}

/** Why the answer ends, with the default filled in. */
export function stopOf(reply: Reply): NonNullable<Reply["stop"]> {
  return reply.stop ?? ((reply.toolCalls?.length ?? 0) > 0 ? "tools" : "end");
}

/** The items of all lists by turns: the first of each, the second of each, … */
export function byTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}
