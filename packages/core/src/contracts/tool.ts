import type { MaybePromise } from "./place.js";
import type { JsonSchema, StandardSchema } from "./standard-schema.js";
import type { Block, ToolCall, ToolResult } from "./message.js";
import type { Registry } from "./registry.js";
import type { TurnContext } from "./turn.js";

/** What a tool does to the world; permission modes judge by it. */
export type Effect = "read" | "write" | "run" | "network";

export interface ToolSpec<A = unknown> {
  /** `<plugin>/<name>`; the model sees the part after the last slash. */
  readonly name: string;
  /** When to use it, not only what it does. */
  readonly description: string;
  readonly input: StandardSchema<A> | JsonSchema;
  /** No default; missing in plain JavaScript it counts as `run`. */
  readonly effect: Effect;
  /** May run beside other calls of the same answer. */
  readonly parallel?: boolean;
  /** One line for the prompt. */
  readonly snippet?: string;
  readonly guidelines?: readonly string[];
  /** A throw becomes an error result that the model reads. */
  execute(args: A, context: ToolContext): MaybePromise<string | readonly Block[]>;
}

export interface ToolContext extends TurnContext {
  readonly callId: string;
  /** Progress: shown and not stored. */
  update(text: string): void;
  /** Null: nobody is there. */
  ask(question: string): Promise<string | null>;
}

export interface ToolRegistry extends Omit<Registry<ToolSpec>, "register"> {
  register<A>(spec: ToolSpec<A>): void;
  /** What sources offer now included. */
  list(): readonly ToolSpec[];
  /** Tools that come and go; read at each request. */
  source(source: { readonly name: string; list(): readonly ToolSpec[] }): void;
  /** Runs a tool by its full name through the same gates, hooks and log as a call of the model. */
  call(name: string, args: unknown, context: ToolContext): Promise<ToolResult>;
}

/** A vote on a tool call. */
export interface Verdict {
  readonly level: "allow" | "ask" | "deny";
  readonly reason?: string;
}
export interface PermissionRequest extends ToolContext {
  readonly call: ToolCall;
  /** The tool's full name. */
  readonly tool: string;
  readonly effect: Effect;
  /** Reasons of the votes so far, for the question. */
  readonly reasons: readonly string[];
}
export interface PermissionAnswer {
  readonly allow: boolean;
  readonly remember?: "once" | "session" | "project";
}
