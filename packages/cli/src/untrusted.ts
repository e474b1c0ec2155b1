import type { Loaded } from "@quire/loader";
import type { DiagnosticSink } from "./output/diagnostic-sink.js";

/** Says in one line what an untrusted project brought and was not loaded. The exit code stays as it is. */
export function noteUntrusted(loaded: Pick<Loaded, "untrusted">, sink: Pick<DiagnosticSink, "report">): void {
  if (loaded.untrusted.length === 0) return;
  const what = loaded.untrusted.map((line) => line.replaceAll(/\s+/g, " ")).join("; ");
  sink.report({
    code: "project-untrusted",
    level: "warn",
    message: `this project is not trusted, so not loaded: ${what}`,
    fix: "--trust accepts it for one start",
  });
}
