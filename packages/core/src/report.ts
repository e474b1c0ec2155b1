import { AsyncLocalStorage } from "node:async_hooks";
import type { Diagnostic } from "./index.js";

export type Report = (diagnostic: Diagnostic) => void;
/** Where findings go: to the host's list, to whoever listens, and to the turn in which they were made. */
export type Reporter = ReturnType<typeof createReporter>;

/** Findings kept for `diagnostics`; a long session repeats itself. */
const keptFindings = 1_000;

export function createReporter(listen: Report = () => {}) {
  const kept = new Map<string, Diagnostic>();
  const diagnostics: Diagnostic[] = [];
  /** Following every promise of a turn doubles its cost (Node 20): only turns beside another one are followed. */
  const followed = new AsyncLocalStorage<Report>();
  let alone: Report | undefined;
  let others = 0;
  return {
    diagnostics: diagnostics as readonly Diagnostic[],
    report(diagnostic: Diagnostic): void {
      const { code, plugin, section, hook, message } = diagnostic;
      const key = JSON.stringify([code, plugin, section, hook, message]);
      if (!kept.has(key) && kept.size < keptFindings) {
        kept.set(key, diagnostic);
        diagnostics.push(diagnostic);
      }
      (followed.getStore() ?? alone)?.(diagnostic);
      listen(diagnostic);
    },
    /** Runs a turn; what is reported within it also goes to `sink`. */
    async inTurn<T>(sink: Report, run: () => Promise<T>): Promise<T> {
      if (alone === undefined && others === 0) {
        alone = sink;
        return await run().finally(() => (alone = undefined));
      }
      others += 1;
      return await followed.run(sink, run).finally(() => {
        others -= 1;
        if (others === 0) followed.disable();
      });
    },
  };
}
