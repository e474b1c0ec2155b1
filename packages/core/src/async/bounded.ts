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
  let onAbort = (): void => {};
  try {
    return await new Promise<T>((resolve, reject) => {
      onAbort = () => reject(signal.reason as Error);
      signal.addEventListener("abort", onAbort, { once: true });
      const giveUp = (error: TimeLimitError): void => {
        own.abort(error);
        reject(error);
      };
      if (timeoutMs !== null) timer = setTimeout(() => giveUp(new TimeLimitError(timeoutMs)), timeoutMs);
      const stop = timeoutMs === null ? signal : AbortSignal.any([signal, own.signal]);
      Promise.resolve(run(stop)).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
