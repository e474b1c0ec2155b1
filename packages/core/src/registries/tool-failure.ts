import type { Diagnostic } from "../contracts/diagnostic.js";
import { toDiagnostic } from "../errors.js";

/** A plugin's tool or source failed while the host goes on without it. */
export function describeFailure(plugin: string, what: string, error: unknown): Diagnostic {
  const found = toDiagnostic(error, { code: "tool-source-failed" });
  return { ...found, level: "error", plugin, message: `Plugin "${plugin}" ${what}: ${found.message}` };
}
