import { pluginError } from "./errors.js";

/** Lets plugins register while set-up lasts; one whose set-up failed is shut out at once. */
export function createSetUpGate() {
  const out = new Set<string>();
  let isClosed = false;
  return {
    /** @throws {PluginError} `registry-closed`. */
    check(plugin: string, call: string): void {
      if (!isClosed && !out.has(plugin)) return;
      const fix = `Call ${call} inside setup, before it returns`;
      throw pluginError("registry-closed", `Plugin "${plugin}" calls ${call} after set-up is over`, { plugin, fix });
    },
    shutOut: (plugin: string) => void out.add(plugin),
    close: () => void (isClosed = true),
  };
}
