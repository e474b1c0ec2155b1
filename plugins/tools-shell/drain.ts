import type { Readable } from "node:stream";

/** Without a piece of output for so long, a stream that does not end is held by something left behind. */
const quietMs = 250;
const atMostMs = 2000;

/**
 * Waits for the rest of the output after the shell is gone. Something it left in the background may hold the stream
 * open for ever, so the wait is short.
 * @returns Whether the stream ended.
 */
export function drain(output: Readable): Promise<boolean> {
  if (output.closed) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (ended: boolean): void => {
      clearTimeout(limit);
      clearTimeout(quiet);
      output.off("data", onData);
      output.off("close", onClose);
      resolve(ended);
    };
    const onClose = (): void => settle(true);
    const onData = (): void => {
      quiet.refresh();
    };
    const limit = setTimeout(() => settle(false), atMostMs);
    const quiet = setTimeout(() => settle(false), quietMs);
    output.on("data", onData);
    output.once("close", onClose);
  });
}
