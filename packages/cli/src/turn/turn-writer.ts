import type { Diagnostic, TurnEvent, TurnResult } from "@quire/core";
import type { TurnBill } from "../bill/ledger.js";

/** Prints turns in one output format. */
export interface TurnWriter {
  /** Whether `end` shows what a turn cost. */
  readonly showsBill: boolean;
  /** @param turn `session` is the session's id. */
  start(turn: { readonly session: string; readonly model: string; readonly prompt: string }): void;
  event(event: TurnEvent): void;
  end(result: TurnResult, about: TurnEnd): void;
  /** A prompt that could not become a turn. */
  refuse(diagnostic: Diagnostic, diagnostics: readonly Diagnostic[]): void;
}

export interface TurnEnd {
  readonly session: string;
  readonly model: string;
  /** Absent when no model was asked. */
  readonly bill?: TurnBill;
  /** Those since the turn before. */
  readonly diagnostics: readonly Diagnostic[];
}
