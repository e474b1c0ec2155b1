import type { Ask, Change, Hooks, Tappable, Tell } from "../contracts/hooks.js";
import type { HookContext } from "./hook-call.js";

export type HookName = keyof Hooks;
export type HookKind = "tell" | "change" | "ask" | "vote";

export interface HookRule {
  readonly kind: HookKind;
  /** Fails closed: a failing tap refuses the guarded action, and is never switched off. */
  readonly gate: boolean;
  /** How long one tap may take; null: until the turn is aborted. */
  readonly timeoutMs: number | null;
}

/** What every hook is. The docstrings of `contracts/hooks.ts` say the same to authors. */
export const hookTable = {
  sessionStart: { kind: "tell", gate: false, timeoutMs: 5_000 },
  sessionEnd: { kind: "tell", gate: false, timeoutMs: 2_000 },
  userInput: { kind: "change", gate: false, timeoutMs: 5_000 },
  beforeAgentStart: { kind: "tell", gate: false, timeoutMs: 5_000 },
  sectionsAssembled: { kind: "change", gate: false, timeoutMs: 2_000 },
  beforeProviderRequest: { kind: "change", gate: false, timeoutMs: 5_000 },
  afterProviderResponse: { kind: "tell", gate: false, timeoutMs: 2_000 },
  providerError: { kind: "ask", gate: false, timeoutMs: 2_000 },
  beforeToolCall: { kind: "change", gate: true, timeoutMs: 15_000 },
  permissionCheck: { kind: "vote", gate: true, timeoutMs: 15_000 },
  permissionAsk: { kind: "ask", gate: true, timeoutMs: null },
  afterToolCall: { kind: "change", gate: false, timeoutMs: 15_000 },
  agentEnd: { kind: "tell", gate: false, timeoutMs: 5_000 },
} as const satisfies Readonly<Record<HookName, HookRule>>;

export const hookNames = Object.keys(hookTable) as readonly HookName[];

type NameOf<K extends HookKind> = {
  [H in HookName]: (typeof hookTable)[H]["kind"] extends K ? H : never;
}[HookName];
export type TellName = NameOf<"tell">;
export type ChangeName = NameOf<"change">;
export type AskName = NameOf<"ask">;

export type TellArguments<H extends TellName> = Hooks[H] extends Tell<infer A> ? A : never;
export type ChangeValue<H extends ChangeName> = Hooks[H] extends Change<infer V, infer _> ? V : never;
export type ChangeContext<H extends ChangeName> =
  Hooks[H] extends Change<infer _, infer C extends HookContext> ? C : never;
export type AskArguments<H extends AskName> = Hooks[H] extends Ask<infer A, infer _> ? A : never;
export type AskAnswer<H extends AskName> =
  Hooks[H] extends Tappable<(...args: never[]) => infer R> ? Exclude<Awaited<R>, undefined | void> : never;
