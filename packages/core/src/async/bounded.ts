import type { MaybePromise } from "../index.js";

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
  // A listener on the derived signal keeps it alive, and does not count on one that many wait for.
  const stop = timeoutMs === null ? signal : AbortSignal.any([signal, own.signal]);
  const giveUp = (limitMs: number) => own.abort(new TimeLimitError(limitMs));
  const timer = timeoutMs === null ? undefined : setTimeout(giveUp, timeoutMs, timeoutMs);
  let onAbort = (): void => {};
  try {
    return await new Promise<T>((resolve, reject) => {
      onAbort = () => reject(stop.reason as Error);
      stop.addEventListener("abort", onAbort, { once: true });
      Promise.resolve(run(stop)).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", onAbort);
  }
}
