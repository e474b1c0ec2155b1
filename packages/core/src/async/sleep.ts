import { setTimeout as delay } from "node:timers/promises";

/** Waits so many milliseconds; rejects with an abort. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}
