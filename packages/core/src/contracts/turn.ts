import type { Place } from "./place.js";
import type { Diagnostic } from "./diagnostic.js";
import type { Message, ModelRef, Stop, StreamEvent, Usage } from "./message.js";
import type { At, Audience, Profile, SectionContent } from "./section.js";
import type { ResolvedSection } from "./layout.js";

export interface SessionInfo {
  readonly id: string;
  /** Somebody can be asked. */
  readonly interactive: boolean;
  /** 0 for the user's own session, more for subagents. */
  readonly depth: number;
}

export interface TurnContext extends Place {
  readonly session: SessionInfo;
  readonly model: ModelRef;
  readonly turnId: string;
  /** 0 before the turn's first request. */
  readonly request: number;
  /** Aborted with the turn, or when this tap is out of time. */
  readonly signal: AbortSignal;
}

export interface SessionEvent extends Place {
  readonly session: SessionInfo;
  readonly signal: AbortSignal;
  readonly reason: "new" | "resume" | "fork" | "clear" | "reload" | "exit";
}

export type Trigger = "user" | "followup" | "synthetic" | "subagent" | "resume";

/** A turn is about to send its first request. What is done here holds for this turn only. */
export interface AgentStart extends TurnContext {
  readonly trigger: Trigger;
  readonly prompt: string;
  /** With the edits of earlier taps. */
  readonly sections: readonly ResolvedSection[];
  readonly edits: TurnEdits;
  /** A context message; stored. */
  addContext(text: string, label?: string): void;
  /** The model's name of the tool, or its full name. */
  disableTool(name: string, why: string): void;
}

/**
 * Without `bust` an edit goes out with this turn's words in a context message and leaves the prefix alone; with it the
 * edit stands in place for this turn and the cache break is reported with the given reason.
 */
export interface TurnEdits {
  replace(section: string, content: string | SectionContent, options?: { readonly bust?: string }): void;
  remove(section: string, options?: { readonly bust?: string }): void;
  append(at: At, text: string, options?: { readonly bust?: string }): void;
}

/** The history is about to be replaced by a summary. */
export interface CompactRequest extends TurnContext {
  readonly messages: readonly Message[];
  readonly why: string;
}
/** No compaction, with the reason; or the summary, without asking the model. */
export type CompactPlan = { readonly cancel: string } | { readonly summary: string };

/** Starts turns other than the user's own. */
export interface Turns {
  start(options: TurnOptions, signal: AbortSignal): Turn;
  /** Replaces the history of an open session by a summary, at its next request. */
  compact(sessionId: string, why: string): void;
}

export interface TurnOptions {
  readonly prompt: string;
  /** The turn that asks: the new one is a subagent of its session. */
  readonly parent?: TurnContext;
  /** An open session to continue; without it a new one. */
  readonly session?: string;
  /** `subagent` by default when there is a parent. */
  readonly audience?: Audience;
  readonly profile?: Profile;
  /** Replaces the whole prefix. */
  readonly system?: string;
  /** `provider/model`. */
  readonly model?: string;
  /** Names as the model sees them: only these are declared and run. */
  readonly tools?: readonly string[];
  /** False: no session log. */
  readonly persist?: boolean;
}

/** A running turn. It runs to its end whether or not somebody iterates it. */
export interface Turn extends AsyncIterable<TurnEvent> {
  readonly sessionId: string;
  /** Never rejects: a failed turn has `stop: "error"` and `error`. */
  readonly result: Promise<TurnResult>;
}

export interface TurnResult {
  readonly text: string;
  readonly stop: Stop;
  /** Of all requests of the turn. */
  readonly usage: Usage;
  readonly error?: Diagnostic;
}

export type TurnEvent =
  | StreamEvent
  | { readonly type: "request"; readonly request: number; readonly model: ModelRef }
  | { readonly type: "tool-start"; readonly id: string; readonly name: string; readonly args: unknown }
  | { readonly type: "tool-update"; readonly id: string; readonly text: string }
  | { readonly type: "message"; readonly message: Message }
  | { readonly type: "diagnostic"; readonly diagnostic: Diagnostic };
