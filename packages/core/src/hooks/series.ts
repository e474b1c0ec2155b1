import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook } from "tapable";
import type { HookCall } from "./hook-call.js";
import type { HookKind } from "./hook-table.js";
import type { Tap } from "./tap.js";

/** A tap as the series runs it: bounded, isolated, always a promise. */
export type GuardedTap = (value: unknown, call: HookCall) => Promise<unknown>;

/** The taps of one hook, run one after another in the way of its kind. */
export interface Series {
  add(tap: Tap): void;
  /** @returns Of a change the last value, of an ask the first answer, else nothing of use. */
  run(value: unknown, call: HookCall): Promise<unknown>;
}

type Arguments = [value: unknown, call: HookCall];
/** Tapable's own description of a tap carries ours along. */
interface Extra {
  readonly ours: Tap;
}

/** The series on tapable, which compiles it with `new Function`. */
export function createTapableSeries(kind: HookKind, guard: (tap: Tap) => GuardedTap): Series {
  const hook = createHook(kind);
  // Tapable would drop the promise of an async function given to `tap`, and stop at the first throw without a name.
  hook.intercept({ register: (tap) => ({ ...tap, type: "promise", fn: guard(tap.ours) }) });
  return {
    add: (tap) => hook.tap({ name: tap.plugin, ours: tap }, tap.fn),
    run: (value, call) => hook.promise(value, call),
  };
}

function createHook(kind: HookKind) {
  const names: ["value", "call"] = ["value", "call"];
  if (kind === "change") return new AsyncSeriesWaterfallHook<Arguments, unknown, Extra>(names);
  if (kind === "ask") return new AsyncSeriesBailHook<Arguments, unknown, Extra>(names);
  return new AsyncSeriesHook<Arguments, Extra>(names);
}

/** The same series as a plain loop, for processes that forbid code from strings. */
export function createLoopSeries(kind: HookKind, guard: (tap: Tap) => GuardedTap): Series {
  const taps: GuardedTap[] = [];
  return {
    add: (tap) => {
      taps.push(guard(tap));
    },
    async run(value, call) {
      let current = value;
      for (const tap of taps) {
        const result = await tap(current, call);
        if (result === undefined) continue;
        if (kind === "ask") return result;
        if (kind === "change") current = result;
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
