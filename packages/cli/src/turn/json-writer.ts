import type { Diagnostic, TurnResult } from "@quire/core";
import { billJson } from "../bill/bill-json.js";
import { plainDiagnostic } from "../output/plain-diagnostic.js";
import type { TurnEnd, TurnWriter } from "./turn-writer.js";

/** One JSON object a turn, on one line, at its end. */
export class JsonWriter implements TurnWriter {
  readonly showsBill = true;
  readonly #out: (text: string) => void;

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  start(): void {}

  event(): void {}

  end(result: TurnResult, about: TurnEnd): void {
    this.#out(
      `${JSON.stringify({
        text: result.text,
        stop: result.stop,
        usage: result.usage,
        ...billJson(about.bill),
        session: about.session,
        model: about.model,
        diagnostics: about.diagnostics.map(plainDiagnostic),
        ...(result.error !== undefined && { error: plainDiagnostic(result.error) }),
      })}\n`,
    );
  }

  refuse(diagnostic: Diagnostic, diagnostics: readonly Diagnostic[]): void {
    this.#out(
      `${JSON.stringify({
        text: "",
        stop: "error",
        usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
        session: null,
        diagnostics: diagnostics.map(plainDiagnostic),
        error: plainDiagnostic(diagnostic),
      })}\n`,
    );
  }
}
