import type { Config } from "./place.js";
import type { ContextItem } from "./layout.js";

/** Version of the message model as stored in a session log; a log of another version is refused. */
export const messageFormatVersion = 1;

export interface ModelRef {
  /** The part before the slash in `--model`. */
  readonly provider: string;
  readonly id: string;
}

/** One entry of a conversation in the neutral model: what the session log stores and every provider projects. */
export interface Message {
  readonly id: string;
  readonly role: "user" | "assistant" | "tool" | "context";
  readonly content: readonly Block[];
  /** Of assistant messages. */
  readonly model?: ModelRef;
  readonly usage?: Usage;
  readonly stop?: Stop;
  /** Of context messages: what the text in `content` tells, item by item. */
  readonly context?: readonly ContextItem[];
}

export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mime: string; readonly base64: string }
  | { readonly type: "file"; readonly mime: string; readonly base64: string; readonly name: string }
  /** `signature` proves the text to the vendor that made it; `provider` is who may get it back. */
  | { readonly type: "thinking"; readonly text: string; readonly signature?: string; readonly provider: string }
  | ToolCall
  | ToolResult;

export interface ToolCall {
  readonly type: "tool-call";
  readonly id: string;
  /** The name the model used. */
  readonly name: string;
  readonly args: Config;
}

export interface ToolResult {
  readonly type: "tool-result";
  /** Of the call it answers. */
  readonly id: string;
  readonly name: string;
  readonly isError: boolean;
  readonly content: readonly Block[];
}

/** Why an assistant message ended. */
export type Stop = "end" | "tools" | "length" | "refusal" | "aborted" | "error";

/** Tokens; `input` counts what no cache served or stored. */
export interface Usage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** What a provider yields. Increments are for the eye; only whole blocks enter the history. */
export type StreamEvent =
  | { readonly type: "text" | "thinking"; readonly delta: string }
  | { readonly type: "tool-args"; readonly id: string; readonly name: string; readonly delta: string }
  | { readonly type: "block"; readonly block: Block }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "end"; readonly stop: Stop };
