import { ConfigError, QuireError, type Diagnostic } from "@quire/core";

/** 0 done, 1 failed, 2 misused, 130 stopped. */
export type ExitCode = 0 | 1 | 2 | 130;

/** Codes of faults that lie in what was typed, whoever threw them. */
const misuses = new Set(["session-unknown", "session-ambiguous", "model-unknown", "layout-unknown"]);

/** The exit code of a thrown error, or undefined when it is a fault of the program. */
export function exitCodeOf(error: unknown): ExitCode | undefined {
  if (!QuireError.is(error)) return undefined;
  return error instanceof ConfigError || misuses.has(error.diagnostic.code) ? 2 : 1;
}

/** A fault of the program as one diagnostic: no stack, and where to take it. */
export function internalFault(error: unknown): Diagnostic {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    code: "internal",
    level: "error",
    message: `agent failed: ${what}`,
    fix: "This is a fault of Quire: please report it to its maintainers with the output of `agent doctor` and of the same call with QUIRE_DEBUG=1",
    cause: error,
  };
}

/** Standard output that the system refuses to write: a full disk. */
export function outputFault(error: Error): Diagnostic {
  return {
    code: "output-failed",
    level: "error",
    message: `Standard output cannot be written: ${error.message}`,
    fix: "Make room where it goes, or send it elsewhere",
    cause: error,
  };
}
