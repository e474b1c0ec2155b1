import { formatDiagnostic, type Diagnostic } from "@quire/core";

/** A diagnostic as it stands in JSON output. */
export interface PlainDiagnostic extends Omit<Diagnostic, "cause"> {
  /** The line a person would read. */
  readonly text: string;
}

/** Drops what JSON cannot carry. */
export function plainDiagnostic(diagnostic: Diagnostic): PlainDiagnostic {
  const { cause: _cause, ...rest } = diagnostic;
  return { ...rest, text: formatDiagnostic(diagnostic) };
}
