import { formatDiagnostic, type Diagnostic } from "@quire/core";

/**
 * Collects the diagnostics of a run and shows warnings and errors as they come, each once; of mere infos those that
 * are about a flag, since somebody just typed it.
 */
export class DiagnosticSink {
  readonly #seen = new Map<string, Diagnostic>();
  readonly #show: (line: string) => void;
  #taken = 0;

  /** @param show Gets one line without its end. */
  constructor(show: (line: string) => void) {
    this.#show = show;
  }

  report = (diagnostic: Diagnostic): void => {
    const line = diagnosticLine(diagnostic);
    const key = `${diagnostic.level} ${line}`;
    if (this.#seen.has(key)) return;
    this.#seen.set(key, diagnostic);
    if (diagnostic.level !== "info" || diagnostic.at?.kind === "flag") this.#show(line);
  };

  /** In the order they came. */
  get all(): readonly Diagnostic[] {
    return [...this.#seen.values()];
  }

  /** Those since it was asked last. */
  take(): readonly Diagnostic[] {
    const fresh = this.all.slice(this.#taken);
    this.#taken = this.#seen.size;
    return fresh;
  }

  get hasErrors(): boolean {
    return this.all.some(({ level }) => level === "error");
  }
}

/** A diagnostic as one line, whatever its message holds. */
export function diagnosticLine(diagnostic: Diagnostic): string {
  return formatDiagnostic(diagnostic).replaceAll(/\s*\n\s*/g, " ");
}
