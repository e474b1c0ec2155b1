import type { Diagnostic } from "@quire/core";
import type { Flags } from "./args/flags.js";
import type { DiagnosticSink } from "./output/diagnostic-sink.js";
import type { Started } from "./start-host.js";

/** What forbids every turn of this start, if anything does: a required plugin that is missing, or `--strict`. */
export function startRefusal({ loaded }: Started, flags: Flags, sink: DiagnosticSink): Diagnostic | undefined {
  for (const missing of loaded.requiredMissing) sink.report(missing);
  const strict = flags.strict ? sink.all.find(({ level }) => level === "error") : undefined;
  return loaded.requiredMissing[0] ?? strict;
}
