/** Who wrote a byte, an edit or a fault: enough to open the right file at the right line. */
export interface Origin {
  readonly kind: "plugin" | "file" | "config" | "flag" | "turn" | "layout" | "host";
  readonly plugin?: string;
  /** Absolute path. */
  readonly file?: string;
  /** Counts from 1. */
  readonly line?: number;
}

/** One finding, in the one shape every part of Quire uses. Printed by `formatDiagnostic`. */
export interface Diagnostic {
  /** Kebab-case and stable: scripts may branch on it. */
  readonly code: string;
  readonly level: "info" | "warn" | "error";
  /** What was seen and what was wanted, without a full stop at the end. */
  readonly message: string;
  /** What the user can do about it, as a sentence without a full stop. */
  readonly fix?: string;
  readonly at?: Origin;
  readonly plugin?: string;
  readonly section?: string;
  readonly hook?: string;
  readonly cause?: unknown;
}
