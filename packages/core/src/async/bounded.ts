import type { MaybePromise } from "../contracts/place.js";

/** Thrown by `bounded` when time ran out; the task may still be running, its signal is aborted. */
export class TimeLimitError extends Error {
  constructor(readonly timeoutMs: number) {
    super(`did not settle within ${timeoutMs} ms`);
    this.name = "TimeLimitError";
  }
}

/**
 * Runs code that may hang, and goes on without it when its time is over or the surrounding work is aborted.
 * @param timeoutMs Null: only `signal` ends the wait.
 * @throws {TimeLimitError} Out of time. The reason of `signal` when that aborts. Whatever `run` throws.
 */
export async function bounded<T>(
  run: (signal: AbortSignal) => MaybePromise<T>,
  timeoutMs: number | null,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    const result = run(AbortSignal.any([signal, own.signal]));
    if (!isThenable(result)) return result;
    return await new Promise<T>((resolve, reject) => {
      onAbort = () => reject(signal.reason as Error);
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
      if (timeoutMs !== null) {
        timer = setTimeout(() => {
          const error = new TimeLimitError(timeoutMs);
          own.abort(error);
          reject(error);
        }, timeoutMs);
      }
      result.then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

function isThenable<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
