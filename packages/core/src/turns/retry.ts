import type { ProviderFailure, RetryDecision } from "../contracts/provider.js";

/**
 * What the host does about a failed request when no plugin decides: connection faults, 408, 409, 425, 429 and 5xx are
 * retried with a growing, jittered delay or the one the vendor asked for.
 */
export function defaultRetry(failure: ProviderFailure): RetryDecision {
  const isWorthIt = failure.status === undefined || retryable.has(failure.status) || failure.status >= 500;
  if (!isWorthIt || failure.attempt >= maxAttempts) return { retry: false };
  if (failure.retryAfterMs !== undefined) {
    return failure.retryAfterMs <= longestAskedMs ? { retry: true, delayMs: failure.retryAfterMs } : { retry: false };
  }
  const ceiling = Math.min(firstDelayMs * 2 ** (failure.attempt - 1), longestDelayMs);
  return { retry: true, delayMs: ceiling * (0.5 + Math.random() / 2) };
}

const retryable = new Set([408, 409, 425, 429]);
const maxAttempts = 5;
const firstDelayMs = 500;
const longestDelayMs = 8_000;
/** A vendor that asks for more is not waited for. */
const longestAskedMs = 60_000;
