import type { Hooks, PermissionRequest, Tappable } from "../index.js";
import type { Entering } from "../async/entering.js";
import { pluginError, type PluginError } from "../errors.js";
import type { Report } from "../report.js";
import { createSetUpGate } from "../set-up-gate.js";
import { didYouMean } from "../text/nearest.js";
import { guardTap, type Tap, type Votes } from "./guard.js";
import type { AskName, ChangeName, HookAnswer, HookArguments, HookName, TellName } from "./hook-table.js";
import { hookNames, hookTable } from "./hook-table.js";
import { createLoopSeries, createTapableSeries, mayCompile, type Series } from "./series.js";

/** Announces the moments of `Hooks` to the plugins that tapped them. Without a tap an announcement costs nothing. */
export type HookBus = ReturnType<typeof createHookBus>;

/** The longest delay a timer of Node takes; beyond it, it fires at once. */
const longestTimerMs = 2_147_483_647;

/** @param timeScale Multiplies every time limit. */
export function createHookBus(report: Report, { within }: Pick<Entering, "within">, timeScale = 1) {
  const series = new Map<HookName, Series>();
  const taps: Tap[] = [];
  const authors = new WeakMap<object, readonly string[]>();
  const authorsOf = (value: object): readonly string[] => authors.get(value) ?? [];
  const gate = createSetUpGate();
  let createSeries: typeof createLoopSeries | undefined;

  function addTap(plugin: string, hook: HookName, fn: Tap["fn"], wantedMs = Infinity): void {
    checkTap(plugin, hook, fn, wantedMs);
    gate.check(plugin, `hooks.${hook}.tap`);
    const shorterMs = Math.min(wantedMs, hookTable[hook].timeoutMs ?? Infinity);
    const timeoutMs = shorterMs === Infinity ? null : Math.min(shorterMs * timeScale, longestTimerMs);
    const tap: Tap = { plugin, fn, timeoutMs, off: false };
    taps.push(tap);
    createSeries ??= mayCompile() ? createTapableSeries : createLoopSeries;
    const ofHook = series.get(hook) ?? createSeries(hookTable[hook].kind);
    series.set(hook, ofHook);
    const guarded = guardTap(hook, tap, report, within);
    ofHook.add(plugin, async (value, args) => {
      const next = await guarded(value, args);
      const isChanged = hookTable[hook].kind === "change" && next !== undefined && next !== value;
      if (isChanged) authors.set(next as object, [...authorsOf(value as object), plugin]);
      return next;
    });
  }

  const run = async (hook: HookName, value: unknown, args: readonly unknown[]): Promise<unknown> =>
    await series.get(hook)?.run(value, args);

  return {
    /**
     * One plugin's hooks. Taps are called in the order of `tap()`.
     * @throws {PluginError} On an unknown name `hook-unknown`; on `tap` `tap-invalid`, and `registry-closed` when it is late.
     */
    face: (plugin: string) => createFace(plugin, (hook, fn, timeoutMs) => addTap(plugin, hook, fn, timeoutMs)),
    /** Ends set-up: no tap can be added. */
    close: () => gate.close(),
    /** Takes a plugin's taps away, those it may still add included: its set-up failed. */
    withdraw(plugin: string): void {
      gate.shutOut(plugin);
      for (const tap of taps) tap.off ||= tap.plugin === plugin;
    },
    /** Everyone hears it. Rejects only with the reason of the context's abort. */
    tell: async <H extends TellName>(hook: H, ...args: HookArguments<H>): Promise<void> =>
      void (await run(hook, undefined, args)),
    /**
     * @returns The value after every tap; the guard lets only values of the right shape through.
     * @throws {PluginError} `gate-failed` of `beforeToolCall`. The reason of the context's abort.
     */
    change: async <H extends ChangeName>(hook: H, ...args: HookArguments<H>): Promise<HookArguments<H>[0]> =>
      (await run(hook, args[0], args)) ?? args[0],
    /** Plugins whose taps made this value of a change out of the one that was announced, in order. */
    authorsOf,
    /** @returns The first answer; of `permissionAsk` a refusal when a tap fails. */
    ask: async <H extends AskName>(hook: H, ...args: HookArguments<H>) =>
      (await run(hook, undefined, args)) as HookAnswer<H> | undefined,
    /** @returns The strictest verdict, a failing tap's counting as deny, and every reason given, in order. */
    async vote(request: PermissionRequest): Promise<Votes> {
      const votes: Votes = { verdict: undefined, reasons: [...request.reasons] };
      await run("permissionCheck", votes, [request]);
      return votes;
    },
  };
}

/** One plugin's view of the hooks. */
function createFace(plugin: string, addTap: (hook: HookName, fn: Tap["fn"], timeoutMs?: number) => void): Hooks {
  const tappables: Record<string, Tappable<Tap["fn"]>> = {};
  for (const hook of hookNames) {
    tappables[hook] = Object.freeze({
      tap: (fn: Tap["fn"], options?: { readonly timeoutMs?: number }) => addTap(hook, fn, options?.timeoutMs),
    });
  }
  const get = (all: typeof tappables, name: string | symbol): unknown => {
    if (typeof name === "symbol" || Object.hasOwn(all, name)) return all[name as string];
    // Asked of any object by promises and printers, not by a plugin that seeks a hook.
    if (name === "then" || name === "toJSON") return undefined;
    const message = `Plugin "${plugin}" taps the hook "${name}", which does not exist`;
    const fix = didYouMean(name, hookNames, `The hooks are ${hookNames.join(", ")}`);
    throw pluginError("hook-unknown", message, { plugin, hook: name, fix });
  };
  // Each name of `Hooks` was given a tappable just now; the functions' own types are the plugin's view alone.
  return new Proxy(Object.freeze(tappables), { get }) as unknown as Hooks;
}

function checkTap(plugin: string, hook: HookName, fn: unknown, timeoutMs: unknown): void {
  const wrong = (what: string, fix: string): PluginError =>
    pluginError("tap-invalid", `Plugin "${plugin}" taps the hook "${hook}" with ${what}`, { plugin, hook, fix });
  if (typeof fn !== "function") {
    const seen = fn === null ? "null" : typeof fn;
    throw wrong(`${seen} where a function is wanted`, `Call host.hooks.${hook}.tap((…) => …)`);
  }
  if (typeof timeoutMs === "number" && timeoutMs > 0) return;
  throw wrong("a timeoutMs that is no number above 0", "Give timeoutMs in milliseconds, or leave it out");
}
