import { bounded, TimeLimitError } from "../async/bounded.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import { QuireError } from "../errors.js";
import type { HookCall } from "./hook-call.js";
import type { HookName } from "./hook-table.js";
import { hookTable } from "./hook-table.js";
import { accept, refuse } from "./outcome.js";
import type { GuardedTap } from "./series.js";
import type { Tap } from "./tap.js";

/** Failures of one tap in one session after which it is switched off. */
export const failuresAllowed = 3;

export interface GuardOptions {
  report(diagnostic: Diagnostic): void;
  entering?(plugin: string | null): void;
}

/**
 * Makes a plugin's function safe to wait for: it is bounded in time, its failure is reported under its name, and what
 * the failure means is the hook's affair, never the caller's. Only an abort of the context leaves it as an error.
 */
export function guardTap(hook: HookName, tap: Tap, options: GuardOptions): GuardedTap {
  return async (value, call) => {
    if (tap.off) return undefined;
    const { signal } = call.context;
    signal.throwIfAborted();
    options.entering?.(tap.plugin);
    try {
      const result = await bounded((own) => tap.fn(...argumentsOf(hook, value, call, own)), tap.timeoutMs, signal);
      return accept(hook, result, value, call, () => options.report(nullReturned(hook, tap)));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = describeFailure(hook, tap, error);
      options.report(failure);
      countFailure(hook, tap, call, options);
      return refuse(hook, failure, call);
    } finally {
      options.entering?.(null);
    }
  };
}

/** Each tap gets a context of its own, so that what one does to it reaches nobody else. */
function argumentsOf(hook: HookName, value: unknown, call: HookCall, signal: AbortSignal): readonly unknown[] {
  const { kind } = hookTable[hook];
  if (kind === "change") return [value, { ...call.context, signal }];
  if (call.votes !== undefined) return [{ ...call.context, signal, reasons: [...call.votes.reasons] }];
  return [...call.leading, { ...call.context, signal }];
}

function describeFailure(hook: HookName, tap: Tap, error: unknown): Diagnostic {
  const late = error instanceof TimeLimitError && error.timeoutMs === tap.timeoutMs;
  const what = late
    ? `did not settle within ${tap.timeoutMs} ms in hook "${hook}"`
    : `failed in hook "${hook}": ${messageOf(error)}`;
  return {
    code: late ? "hook-timeout" : "hook-failed",
    level: "error",
    plugin: tap.plugin,
    hook,
    message: `Plugin "${tap.plugin}" ${what}`,
    fix: `Mend the plugin, or leave it out with disable: [${JSON.stringify(tap.plugin)}] in config`,
    cause: error,
  };
}

function messageOf(error: unknown): string {
  if (QuireError.is(error)) return error.diagnostic.message;
  const message = error instanceof Error ? error.message : String(error);
  return message === "" ? "it gave no message" : message;
}

function countFailure(hook: HookName, tap: Tap, call: HookCall, options: GuardOptions): void {
  if (hookTable[hook].gate || tap.off) return;
  const { id } = call.context.session;
  const failures = (tap.failures.get(id) ?? 0) + 1;
  tap.failures.set(id, failures);
  if (failures < failuresAllowed) return;
  tap.off = true;
  tap.failures.clear();
  options.report({
    code: "tap-switched-off",
    level: "warn",
    plugin: tap.plugin,
    hook,
    message: `Plugin "${tap.plugin}" failed ${failuresAllowed} times in hook "${hook}" and is no longer called there`,
    fix: "Mend the plugin; a reload calls it again",
  });
}

function nullReturned(hook: HookName, tap: Tap): Diagnostic {
  return {
    code: "hook-null",
    level: "warn",
    plugin: tap.plugin,
    hook,
    message: `Plugin "${tap.plugin}" returned null in hook "${hook}", which changes nothing`,
    fix: "Return the next value, or undefined to keep the present one",
  };
}
