import { AsyncSeriesBailHook, AsyncSeriesWaterfallHook } from "tapable";
import type { HookKind } from "./hook-table.js";

/**
 * A tap as the series runs it: bounded, isolated, always a promise.
 * @param value Of a change the present value, of a vote the `Votes` so far.
 * @param args As the hook announces them, its context last.
 */
export type GuardedTap = (value: unknown, args: readonly unknown[]) => Promise<unknown>;

/** The taps of one hook, run one after another in the way of its kind. */
export interface Series {
  add(plugin: string, tap: GuardedTap): void;
  /** @returns Of a change the last value, of an ask the first answer, else nothing of use. */
  run(value: unknown, args: readonly unknown[]): Promise<unknown>;
}

/** The series on tapable, which compiles it with `new Function`. */
export function createTapableSeries(kind: HookKind): Series {
  const Engine = kind === "change" ? AsyncSeriesWaterfallHook : AsyncSeriesBailHook;
  const hook = new Engine<[value: unknown, args: readonly unknown[]], unknown>(["value", "args"]);
  // What a tap returns to a telling or a vote ends nothing.
  const told =
    (tap: GuardedTap): GuardedTap =>
    async (value, args) =>
      void (await tap(value, args));
  const isAnswered = kind === "change" || kind === "ask";
  return {
    add: (plugin, tap) => hook.tapPromise(plugin, isAnswered ? tap : told(tap)),
    run: (value, args) => hook.promise(value, args),
  };
}

/** The same series as a plain loop, for processes that forbid code from strings. */
export function createLoopSeries(kind: HookKind): Series {
  const taps: GuardedTap[] = [];
  return {
    add: (_plugin, tap) => void taps.push(tap),
    async run(value, args) {
      let current = value;
      for (const tap of taps) {
        const result = await tap(current, args);
        if (kind === "ask" && result !== undefined) return result;
        if (kind === "change") current = result ?? current;
      }
      return kind === "change" ? current : undefined;
    },
  };
}

/** Whether this process may make code from strings; `node --disallow-code-generation-from-strings` may not. */
export function mayCompile(): boolean {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- asking is the only way to know
    return new Function("return true")() === true;
  } catch {
    return false;
  }
}
