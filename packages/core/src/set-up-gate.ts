import { pluginError } from "./errors.js";

/** Lets plugins register while set-up lasts; one whose set-up failed is shut out at once. */
export interface SetUpGate {
  readonly isClosed: boolean;
  /** @throws {PluginError} `registry-closed`. */
  check(plugin: string, call: string): void;
  shutOut(plugin: string): void;
  close(): void;
}

export function createSetUpGate(): SetUpGate {
  const out = new Set<string>();
  let isClosed = false;
  return {
    get isClosed() {
      return isClosed;
    },
    check(plugin, call) {
      if (!isClosed && !out.has(plugin)) return;
      const fix = `Call ${call} inside setup, before it returns`;
      throw pluginError("registry-closed", `Plugin "${plugin}" calls ${call} after set-up is over`, { plugin, fix });
    },
    shutOut: (plugin) => void out.add(plugin),
    close: () => void (isClosed = true),
  };
}
