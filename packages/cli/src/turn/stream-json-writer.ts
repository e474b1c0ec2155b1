import type { Diagnostic, TurnEvent, TurnResult } from "@quire/core";
import { billJson } from "../bill/bill-json.js";
import { plainDiagnostic } from "../output/plain-diagnostic.js";
import { takesBack } from "./text-writer.js";
import type { TurnEnd, TurnWriter } from "./turn-writer.js";

/**
 * One JSON object a line: the events of each turn between `turn-start` and `turn-end`. After `restart` the deltas since
 * the last `request` do not count: the answer begins anew.
 */
export class StreamJsonWriter implements TurnWriter {
  readonly showsBill = true;
  readonly #out: (text: string) => void;

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  start(turn: { readonly session: string; readonly model: string; readonly prompt: string }): void {
    this.#line({ type: "turn-start", ...turn });
  }

  event(event: TurnEvent): void {
    if (event.type !== "diagnostic") return this.#line(event);
    this.#line({ ...event, diagnostic: plainDiagnostic(event.diagnostic) });
    if (takesBack(event.diagnostic)) this.#line({ type: "restart" });
  }

  end(result: TurnResult, about: TurnEnd): void {
    this.#line({
      type: "turn-end",
      text: result.text,
      stop: result.stop,
      usage: result.usage,
      ...billJson(about.bill),
      session: about.session,
      model: about.model,
      diagnostics: about.diagnostics.map(plainDiagnostic),
      ...(result.error !== undefined && { error: plainDiagnostic(result.error) }),
    });
  }

  refuse(diagnostic: Diagnostic, diagnostics: readonly Diagnostic[]): void {
    this.#line({
      type: "error",
      error: plainDiagnostic(diagnostic),
      diagnostics: diagnostics.map(plainDiagnostic),
    });
  }

  #line(value: object): void {
    this.#out(`${JSON.stringify(value)}\n`);
  }
}
