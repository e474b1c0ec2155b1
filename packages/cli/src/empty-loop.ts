import { QuireError, type Diagnostic } from "@quire/core";
import { leave } from "./foreign-output.js";
import { diagnosticLine } from "./output/diagnostic-sink.js";

/** Timers that keep no process alive get this long to go on with the work, in milliseconds. */
const graceMs = 3000;
/** For the turn to end in order, in milliseconds. */
const endMs = 2000;

/**
 * Node ends a program without a word once nothing is left to wait for, even when its work is not done: a plugin's
 * promise that never settles is such a case. Here the program stays for a while and then fails.
 * @param stopping Aborted with a `run-stuck` error, so that a turn under way can still end in order.
 * @returns Says that the work is done.
 */
export function watchEmptyLoop(stopping: AbortController, print: (line: string) => void): () => void {
  const giveUp = () => {
    const error = new QuireError(runStuck);
    if (!stopping.signal.aborted) stopping.abort(error);
    setTimeout(() => {
      print(diagnosticLine(runStuck));
      leave(1);
    }, endMs);
  };
  const onEmpty = () => void setTimeout(giveUp, graceMs);
  process.once("beforeExit", onEmpty);
  return () => process.off("beforeExit", onEmpty);
}

const runStuck: Diagnostic = {
  code: "run-stuck",
  level: "error",
  message: "The work cannot end: it waits for something that will never come",
  fix: "A plugin or one of its tools never settles; leave it out with --no-plugin NAME, or mend it",
};

/** The error that ended the work in place of the user, if one did. */
export function stuckError(signal: AbortSignal): Diagnostic | undefined {
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  return QuireError.is(reason) ? reason.diagnostic : undefined;
}
