import type { Entering } from "../async/entering.js";
import { bounded, TimeLimitError } from "../async/bounded.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import { fault, messageOf, warning } from "../errors.js";
import { hookTable, type HookName } from "./hook-table.js";
import { accept, refuse, type Votes } from "./outcome.js";
import type { GuardedTap } from "./series.js";

/** One plugin's function on one hook. */
export interface Tap {
  readonly plugin: string;
  /** Each hook's own signature is checked where a plugin taps it; inside, arguments are passed on as they came. */
  readonly fn: (...args: readonly unknown[]) => unknown;
  /** Null: only the turn's abort ends the wait. */
  readonly timeoutMs: number | null;
  /** No longer run: it failed too often, or its plugin was withdrawn. */
  off: boolean;
}

/** Failures of one tap in one session after which it is switched off. */
const failuresAllowed = 3;

/**
 * Makes a plugin's function safe to wait for: it is bounded in time, its failure is reported under its name, and what
 * the failure means is the hook's affair, never the caller's. Only an abort of the context leaves it as an error.
 */
export function guardTap(
  hook: HookName,
  tap: Tap,
  report: (diagnostic: Diagnostic) => void,
  within: Entering["within"],
): GuardedTap {
  const { plugin, timeoutMs } = tap;
  const { kind, gate } = hookTable[hook];
  const failures = new Map<string, number>();
  const countFailure = (session: string): void => {
    const count = (failures.get(session) ?? 0) + 1;
    failures.set(session, count);
    if (gate || tap.off || count < failuresAllowed) return;
    tap.off = true;
    const message = `Plugin "${plugin}" failed ${failuresAllowed} times in hook "${hook}" and is no longer called there`;
    report(warning("tap-switched-off", message, { plugin, hook, fix: "Mend the plugin; a reload calls it again" }));
  };
  return async (value, args) => {
    if (tap.off) return undefined;
    // The types of `Hooks` say so.
    const context = args.at(-1) as { readonly signal: AbortSignal; readonly session: { readonly id: string } };
    context.signal.throwIfAborted();
    const call = (signal: AbortSignal): unknown => {
      // Each tap gets a context of its own, so that what one does to it reaches nobody else.
      const own = { ...context, signal, ...(kind === "vote" ? { reasons: [...(value as Votes).reasons] } : {}) };
      return tap.fn(...(kind === "change" ? [value] : args.slice(0, -1)), own);
    };
    try {
      const result = await within(plugin, () => bounded(call, timeoutMs, context.signal));
      if (result !== null || kind !== "change") return accept(hook, result, value);
      const message = `Plugin "${plugin}" returned null in hook "${hook}", which changes nothing`;
      const fix = "Return the next value, or undefined to keep the present one";
      report(warning("hook-null", message, { plugin, hook, fix }));
      return undefined;
    } catch (error) {
      if (context.signal.aborted) throw context.signal.reason;
      const failure = describeFailure(hook, tap, error);
      report(failure);
      countFailure(context.session.id);
      return refuse(hook, failure, value);
    }
  };
}

function describeFailure(hook: HookName, { plugin, timeoutMs }: Tap, cause: unknown): Diagnostic {
  const isLate = cause instanceof TimeLimitError && cause.timeoutMs === timeoutMs;
  const what = isLate
    ? `did not settle within ${timeoutMs} ms in hook "${hook}"`
    : `failed in hook "${hook}": ${messageOf(cause)}`;
  const fix = `Mend the plugin, or leave it out with disable: [${JSON.stringify(plugin)}] in config`;
  return fault(isLate ? "hook-timeout" : "hook-failed", `Plugin "${plugin}" ${what}`, { plugin, hook, fix, cause });
}
