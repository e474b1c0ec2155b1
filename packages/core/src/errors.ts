import type { Diagnostic } from "./contracts/diagnostic.js";
import type { ProviderFailure } from "./contracts/provider.js";
import { formatDiagnostic } from "./format-diagnostic.js";

const mark = Symbol.for("quire.error");

/** An error that carries a diagnostic: what, where, how to mend. */
export class QuireError extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(formatDiagnostic(diagnostic), diagnostic.cause === undefined ? undefined : { cause: diagnostic.cause });
    this.name = new.target.name;
    this.diagnostic = diagnostic;
    Object.defineProperty(this, mark, { value: true });
  }
  /** Recognises one, also when a second copy of this package made it. */
  static is(error: unknown): error is QuireError {
    return typeof error === "object" && error !== null && mark in error;
  }
}

/** Config, a flag or a file of the user is wrong: exit code 2. */
export class ConfigError extends QuireError {}
/** A plugin broke a rule of the API or failed. */
export class PluginError extends QuireError {}
/** A tool refuses its arguments or its task; the model reads the message. */
export class ToolError extends QuireError {}
/** A request of a model failed. */
export class ProviderError extends QuireError {
  readonly failure: Omit<ProviderFailure, "error" | "attempt">;
  constructor(diagnostic: Diagnostic, failure: Omit<ProviderFailure, "error" | "attempt"> = {}) {
    super(diagnostic);
    this.failure = failure;
  }
}

/** The diagnostic of anything thrown; `code` serves where the thrown value brings none. */
export function toDiagnostic(error: unknown, fallback: Omit<Diagnostic, "message" | "level">): Diagnostic {
  if (QuireError.is(error)) return { ...fallback, ...error.diagnostic };
  const message = error instanceof Error ? error.message : String(error);
  return {
    level: "error",
    ...fallback,
    message: message === "" ? "failed without a message" : message,
    cause: error,
  };
}
