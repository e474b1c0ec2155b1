import type { CommandOptions } from "../args/parse-arguments.js";
import type { Flags } from "../args/flags.js";
import type { Launch } from "../launch.js";
import type { DiagnosticSink } from "../output/diagnostic-sink.js";
import { plainDiagnostic } from "../output/plain-diagnostic.js";
import type { Streams } from "../output/streams.js";

/** What every subcommand gets. */
export interface CommandContext {
  readonly launch: Launch;
  /** `sections why` */
  readonly path: string;
  readonly operands: readonly string[];
  readonly options: CommandOptions;
  readonly flags: Flags;
  readonly streams: Streams;
  readonly sink: DiagnosticSink;
  readonly signal: AbortSignal;
}

/** Prints a result: `text` for people, or `value` with the diagnostics of the run as JSON. */
export function printResult(context: CommandContext, value: object, text: string): void {
  const { options, streams, sink } = context;
  if (!options.json) streams.out.write(text);
  else streams.out.write(json({ ...value, diagnostics: sink.all.map(plainDiagnostic) }));
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
