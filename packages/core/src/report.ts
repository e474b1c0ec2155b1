import { AsyncLocalStorage } from "node:async_hooks";
import type { Diagnostic } from "./contracts/diagnostic.js";

/** Where findings go: to the host's list, to whoever listens, and to the turn in which they were made. */
export interface Reporter {
  readonly diagnostics: readonly Diagnostic[];
  report(diagnostic: Diagnostic): void;
  /** Runs a turn; what is reported within it also goes to `sink`. */
  inTurn<T>(sink: (diagnostic: Diagnostic) => void, run: () => Promise<T>): Promise<T>;
}

/** Findings kept for `diagnostics`; a long session repeats itself. */
const keptFindings = 1_000;

export function createReporter(listen: ((diagnostic: Diagnostic) => void) | undefined): Reporter {
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  const turns = new AsyncLocalStorage<(diagnostic: Diagnostic) => void>();
  return {
    diagnostics,
    report(diagnostic) {
      const { code, plugin, section, hook, message } = diagnostic;
      const key = JSON.stringify([code, plugin, section, hook, message]);
      if (!seen.has(key) && diagnostics.length < keptFindings) {
        seen.add(key);
        diagnostics.push(diagnostic);
      }
      turns.getStore()?.(diagnostic);
      listen?.(diagnostic);
    },
    inTurn: (sink, run) => turns.run(sink, run),
  };
}
