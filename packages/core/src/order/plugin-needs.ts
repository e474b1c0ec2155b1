import type { Diagnostic } from "../contracts/diagnostic.js";
import type { LoadedPlugin } from "../contracts/host.js";
import { nearest } from "../text/nearest.js";

/** Drops the plugins whose `needs` are not all present, and then those that needed them. */
export function keepSatisfied(
  plugins: readonly LoadedPlugin[],
  report: (diagnostic: Diagnostic) => void,
): readonly LoadedPlugin[] {
  let kept = plugins;
  for (;;) {
    const present = new Set(kept.map(({ name }) => name));
    const next = kept.filter((plugin) => {
      const missing = (plugin.plugin.needs ?? []).filter((name) => !present.has(name));
      if (missing.length > 0) report(needsMissing(plugin, missing, plugins));
      return missing.length === 0;
    });
    if (next.length === kept.length) return kept;
    kept = next;
  }
}

function needsMissing(plugin: LoadedPlugin, missing: readonly string[], all: readonly LoadedPlugin[]): Diagnostic {
  const names = all.map(({ name }) => name).filter((name) => name !== plugin.name);
  const dropped = missing.every((name) => names.includes(name));
  const near = missing.map((name) => nearest(name, names)).find((name) => name !== undefined);
  const list = missing.map((name) => `"${name}"`).join(", ");
  return {
    code: "plugin-needs",
    level: "error",
    plugin: plugin.name,
    ...(plugin.file === undefined ? {} : { at: { kind: "plugin", plugin: plugin.name, file: plugin.file } }),
    message: `Plugin "${plugin.name}" is not loaded: it needs ${list}, ${dropped ? "left out itself" : "not loaded"}`,
    fix:
      dropped || near === undefined
        ? `Load ${list} too, or take "${plugin.name}" out of config`
        : `Did you mean "${near}"? Else load ${list} too`,
  };
}
