import type { Diagnostic, PluginInfo } from "@quire/core";
import { internalFault } from "./exit-code.js";
import { leave } from "./foreign-output.js";

/**
 * Catches what is thrown where nobody waits for it: in a timer, an event, a promise that was let go. A plugin's error
 * is reported and the turn goes on. Any other is a fault of the program: a thrown one ends it, for nothing is sure then.
 * @param plugins Those that are loaded by now.
 * @returns Stops watching.
 */
export function watchStrayErrors(
  plugins: () => readonly PluginInfo[],
  report: (diagnostic: Diagnostic) => void,
): () => void {
  const onRejection = (error: unknown) => report(strayError(error, plugins()) ?? internalFault(error));
  const onException = (error: unknown) => {
    const stray = strayError(error, plugins());
    report(stray ?? internalFault(error));
    if (stray === undefined) leave(1);
  };
  process.on("unhandledRejection", onRejection);
  process.on("uncaughtException", onException);
  return () => {
    process.off("unhandledRejection", onRejection);
    process.off("uncaughtException", onException);
  };
}

/** The plugin's error, if one of its files stands in the stack. A loaded plugin's file is named by its hash. */
export function strayError(error: unknown, plugins: readonly PluginInfo[]): Diagnostic | undefined {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const plugin = plugins.find(
    ({ hash, file }) => file !== undefined && (stack.includes(`${hash}.mjs`) || stack.includes(file)),
  );
  if (plugin?.file === undefined) return undefined;
  return {
    code: "plugin-stray-error",
    level: "error",
    message: `Plugin "${plugin.name}" failed where nobody waits for it: ${error instanceof Error ? error.message : String(error)}`,
    plugin: plugin.name,
    at: { kind: "plugin", plugin: plugin.name, file: plugin.file },
    fix: `Mend it, or start with --no-plugin ${plugin.name}`,
    cause: error,
  };
}
