import type { MaybePromise } from "./place.js";
import type { Message, ToolCall, ToolResult } from "./message.js";
import type { Pieces } from "./layout.js";
import type { ProviderFailure, ProviderRequest, RetryDecision } from "./provider.js";
import type { PermissionAnswer, PermissionRequest, ToolContext, Verdict } from "./tool.js";
import type { AgentStart, CompactPlan, CompactRequest, SessionEvent, TurnContext, TurnResult } from "./turn.js";

export interface Tappable<F> {
  /**
   * Joins a hook. The function may be sync or async; the host waits for it, within bounds, and knows whose it is.
   * @param options `timeoutMs` may shorten the hook's own bound, never lengthen it.
   */
  tap(fn: F, options?: { readonly timeoutMs?: number }): void;
}
/** Tells everyone, in order. */
export type Tell<A extends readonly unknown[]> = Tappable<(...args: A) => MaybePromise<void>>;
/** Hands a value from tap to tap; `undefined` keeps it. */
export type Change<V, Ctx = TurnContext> = Tappable<(value: V, context: Ctx) => MaybePromise<V | undefined | void>>;
/** The first answer that is not `undefined` wins. */
export type Ask<A extends readonly unknown[], R> = Tappable<(...args: A) => MaybePromise<R | undefined | void>>;
/** Everyone is heard; the strictest verdict wins. */
export type Vote<A extends readonly unknown[]> = Ask<A, Verdict>;

/**
 * All moments a plugin can join. Open: a failing tap is skipped and reported, and three failures in a session switch
 * it off. Closed: the guarded action is refused, and the tap stays on.
 */
export interface Hooks {
  /** A session began, was resumed, forked or cleared. Open, 5 s. */
  readonly sessionStart: Tell<[SessionEvent]>;
  /** A session ends. Open, 2 s. */
  readonly sessionEnd: Tell<[SessionEvent]>;
  /** The user's words, before they are stored. `handled` ends the turn without a request. Open, 5 s. */
  readonly userInput: Change<{ readonly text: string; readonly handled?: boolean }>;
  /** Before a turn's first request, whatever started the turn. Open, 5 s. */
  readonly beforeAgentStart: Tell<[AgentStart]>;
  /** A prefix was built. Text, regions and offsets follow from the returned pieces. Open, 2 s. */
  readonly sectionsAssembled: Change<Pieces>;
  /** Before each request. Open, 5 s. */
  readonly beforeProviderRequest: Change<ProviderRequest>;
  /** An assistant message is complete and stored. Open, 2 s. */
  readonly afterProviderResponse: Tell<[message: Message, context: TurnContext]>;
  /** A request failed. The first decision wins, be it for another model; without one `planned` holds. Open, 2 s. */
  readonly providerError: Ask<[ProviderFailure, TurnContext], RetryDecision>;
  /** May change a call's arguments. Closed, 15 s. */
  readonly beforeToolCall: Change<ToolCall, ToolContext>;
  /** Votes on a call. `deny` beats `ask` beats `allow`. Closed, 15 s. */
  readonly permissionCheck: Vote<[PermissionRequest]>;
  /** The verdict was `ask`: the user's answer. Closed; only the turn's abort ends it. */
  readonly permissionAsk: Ask<[PermissionRequest], PermissionAnswer>;
  /** May change a result. Open, 15 s. */
  readonly afterToolCall: Change<ToolResult, ToolContext>;
  /** The history is about to be summarised. The first answer wins: cancel, or the summary. Open, 60 s. */
  readonly beforeCompact: Ask<[CompactRequest], CompactPlan>;
  /** The history was replaced by its summary. Open, 5 s. */
  readonly afterCompact: Tell<[context: TurnContext]>;
  /** A turn is over. Open, 5 s. */
  readonly agentEnd: Tell<[TurnResult, TurnContext]>;
}
