import type { Hooks, Tappable } from "../index.js";

export type HookName = keyof Hooks;
export type HookKind = "tell" | "change" | "ask" | "vote";

interface HookRule {
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
  beforeCompact: { kind: "ask", gate: false, timeoutMs: 60_000 },
  afterCompact: { kind: "tell", gate: false, timeoutMs: 5_000 },
  agentEnd: { kind: "tell", gate: false, timeoutMs: 5_000 },
} as const satisfies Readonly<Record<HookName, HookRule>>;

export const hookNames = Object.keys(hookTable) as readonly HookName[];

type NameOf<K extends HookKind> = { [H in HookName]: (typeof hookTable)[H]["kind"] extends K ? H : never }[HookName];
export type TellName = NameOf<"tell">;
export type ChangeName = NameOf<"change">;
export type AskName = NameOf<"ask">;

/** What a hook announces: its own arguments, then the context. */
export type HookArguments<H extends HookName> =
  Hooks[H] extends Tappable<(...args: infer A extends readonly unknown[]) => unknown> ? A : never;
export type HookAnswer<H extends HookName> =
  Hooks[H] extends Tappable<(...args: never[]) => infer R> ? Exclude<Awaited<R>, undefined | void> : never;
