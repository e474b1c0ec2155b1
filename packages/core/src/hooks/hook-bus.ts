import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Hooks } from "../contracts/hooks.js";
import type { PermissionRequest, Verdict } from "../contracts/tool.js";
import { PluginError } from "../errors.js";
import { guardTap } from "./guard.js";
import type { HookContext, Votes } from "./hook-call.js";
import { createHookFace } from "./hook-face.js";
import type {
  AskAnswer,
  AskArguments,
  AskName,
  ChangeContext,
  ChangeName,
  ChangeValue,
  HookName,
  TellArguments,
  TellName,
} from "./hook-table.js";
import { hookTable } from "./hook-table.js";
import type { Series } from "./series.js";
import { createLoopSeries, createTapableSeries, mayCompile } from "./series.js";
import type { Tap } from "./tap.js";

/** Announces the moments of `Hooks` to the plugins that tapped them. Without a tap an announcement costs nothing. */
export interface HookBus {
  /**
   * One plugin's hooks. Taps are called in the order of `tap()`.
   * @throws {PluginError} On an unknown name `hook-unknown`; on `tap` `tap-invalid`, and `registry-closed` when it is late.
   */
  face(plugin: string): Hooks;
  /** Ends set-up: no tap can be added. */
  close(): void;
  /** Takes a plugin's taps away, those it may still add included: its set-up failed. */
  withdraw(plugin: string): void;
  /** Everyone hears it. Rejects only with the reason of the context's abort. */
  tell<H extends TellName>(hook: H, ...args: TellArguments<H>): Promise<void>;
  /**
   * @returns The value after every tap.
   * @throws {PluginError} `gate-failed` of `beforeToolCall`. The reason of the context's abort.
   */
  change<H extends ChangeName>(hook: H, value: ChangeValue<H>, context: ChangeContext<H>): Promise<ChangeValue<H>>;
  /** @returns The first answer; of `permissionAsk` a refusal when a tap fails. */
  ask<H extends AskName>(hook: H, ...args: AskArguments<H>): Promise<AskAnswer<H> | undefined>;
  /** @returns The strictest verdict, a failing tap's counting as deny, and every reason given, in order. */
  vote(
    request: PermissionRequest,
  ): Promise<{ readonly verdict: Verdict | undefined; readonly reasons: readonly string[] }>;
}

export interface HookBusOptions {
  report(diagnostic: Diagnostic): void;
  /** Called before control passes to a plugin's tap, and with null when the tap is over. */
  entering?(plugin: string | null): void;
  /** Multiplies every time limit; 1 by default. */
  readonly timeScale?: number;
}

/** The longest delay a timer of Node takes; beyond it, it fires at once. */
const longestTimerMs = 2_147_483_647;

export function createHookBus(options: HookBusOptions): HookBus {
  const timeScale = options.timeScale ?? 1;
  const series = new Map<HookName, Series>();
  const tapsOf = new Map<string, Tap[]>();
  const withdrawn = new Set<string>();
  let closed = false;
  let compiles: boolean | undefined;

  function addTap(plugin: string, hook: HookName, fn: Tap["fn"], timeoutMs: number | undefined): void {
    if (closed || withdrawn.has(plugin)) throw tooLate(plugin, hook);
    const tap: Tap = { plugin, fn, timeoutMs: limitOf(hook, timeoutMs), failures: new Map(), off: false };
    let taps = series.get(hook);
    if (taps === undefined) {
      compiles ??= mayCompile();
      const create = compiles ? createTapableSeries : createLoopSeries;
      taps = create(hookTable[hook].kind, (added) => guardTap(hook, added, options));
      series.set(hook, taps);
    }
    taps.add(tap);
    tapsOf.set(plugin, [...(tapsOf.get(plugin) ?? []), tap]);
  }

  function limitOf(hook: HookName, wantedMs = Infinity): number | null {
    const shorter = Math.min(wantedMs, hookTable[hook].timeoutMs ?? Infinity);
    return shorter === Infinity ? null : Math.min(shorter * timeScale, longestTimerMs);
  }

  return {
    face: (plugin) => createHookFace(plugin, (hook, fn, timeoutMs) => addTap(plugin, hook, fn, timeoutMs)),
    close: () => {
      closed = true;
    },
    withdraw: (plugin) => {
      withdrawn.add(plugin);
      for (const tap of tapsOf.get(plugin) ?? []) tap.off = true;
    },
    async tell(hook, ...args) {
      await series.get(hook)?.run(undefined, { leading: args.slice(0, -1), context: contextOf(args) });
    },
    async change(hook, value, context) {
      const taps = series.get(hook);
      if (taps === undefined) return value;
      // `accept` lets only values of the same shape through, so the last one is of the first one's type.
      return (await taps.run(value, { leading: [], context })) as typeof value;
    },
    async ask(hook, ...args) {
      const taps = series.get(hook);
      if (taps === undefined) return undefined;
      const answer = await taps.run(undefined, { leading: args.slice(0, -1), context: contextOf(args) });
      // `accept` checked its shape.
      return answer as AskAnswer<typeof hook> | undefined;
    },
    async vote(request) {
      const votes: Votes = { verdict: undefined, reasons: [...request.reasons] };
      await series.get("permissionCheck")?.run(undefined, { leading: [], context: request, votes });
      return votes;
    },
  };
}

/** Every hook's last argument is its context: the types of `Hooks` say so. */
function contextOf(args: readonly unknown[]): HookContext {
  return args.at(-1) as HookContext;
}

function tooLate(plugin: string, hook: HookName): PluginError {
  return new PluginError({
    code: "registry-closed",
    level: "error",
    plugin,
    hook,
    message: `Plugin "${plugin}" taps the hook "${hook}" after set-up is over`,
    fix: "Call tap inside setup, before it returns",
  });
}
