import { join } from "node:path";
import type { Diagnostic } from "@quire/core";
import { nearest, type LoadedPlugin } from "@quire/core/host";
import type { OffRules } from "./off-rules.js";
import type { PluginEntry, PluginFailure, PluginSource } from "./plugin-source.js";
import type { PluginSearch } from "./search-plugins.js";

/** Whether a config entry means this plugin: by its name, its package's name, or its path. */
export function speaksOf(entry: PluginEntry, plugin: LoadedPlugin, sources: readonly PluginSource[]): boolean {
  if (entry.key === plugin.name) return true;
  const source = sources.find(({ file }) => file === plugin.file);
  if (source === undefined) return false;
  if (entry.path !== undefined) return source.file === entry.path || source.file.startsWith(`${entry.path}/`);
  return source.packageName === entry.key;
}

/** Entries of config that no plugin answers to and no other failure explains. */
export function missingEntries(
  request: Pick<PluginSearch, "builtins" | "entries" | "userFolder">,
  entriesOf: ReadonlyMap<string, readonly PluginEntry[]>,
  failures: readonly PluginFailure[],
  switchedOff: readonly string[],
  candidates: readonly PluginSource[],
): readonly PluginFailure[] {
  const answered = new Set([...entriesOf.values()].flat());
  const names = [...request.builtins.map(({ name }) => name), ...entriesOf.keys()];
  return request.entries
    .filter((entry) => entry.path === undefined && !answered.has(entry) && !names.includes(entry.key))
    .filter((entry) => !switchedOff.includes(entry.key) && !failures.some(({ label }) => label === entry.key))
    .filter((entry) => !candidates.some(({ packageName }) => packageName === entry.key))
    .map((entry) => {
      const like = nearest(entry.key, names);
      return {
        label: entry.key,
        at: entry.at,
        code: "plugin-missing",
        message: `There is no plugin "${entry.key}": it is neither built in nor in ${join(request.userFolder, entry.key)}`,
        fix: like === undefined ? "Put its folder there, or name its path" : `Did you mean "${like}"?`,
      };
    });
}

/** Entries that say `required: true` of a plugin that is not loaded, unless the command line switched it off. */
export function requiredMissing(
  entries: readonly PluginEntry[],
  off: OffRules,
  entriesOf: ReadonlyMap<string, readonly PluginEntry[]>,
  failures: readonly PluginFailure[],
): readonly Diagnostic[] {
  const answered = new Set([...entriesOf.values()].flat());
  return entries
    .filter((entry) => entry.required === true && !answered.has(entry) && !off.byFlag(entry))
    .map((entry) => {
      const failure = failures.find(
        (each) => each.label === entry.key || (entry.path !== undefined && each.file === entry.path),
      );
      return {
        code: "plugin-required",
        level: "error",
        plugin: entry.key,
        message: `Plugin ${entry.key} is required and not loaded: ${failure?.message ?? "it is switched off"}`,
        at: failure?.at ?? entry.at,
        fix: failure?.fix ?? "Switch it on again, or remove `required: true`",
      };
    });
}

/** Plugins that config lists stand in its order, in the places that they hold among their tier. */
export function inOrder(
  plugins: readonly LoadedPlugin[],
  entries: readonly PluginEntry[],
  entriesOf: ReadonlyMap<string, readonly PluginEntry[]>,
): readonly LoadedPlugin[] {
  const position = ({ name }: LoadedPlugin): number => {
    const first = entriesOf.get(name)?.[0];
    return first === undefined ? -1 : entries.indexOf(first);
  };
  const ordered = [...plugins];
  for (const tier of new Set(plugins.map((plugin) => plugin.tier))) {
    const places = plugins.flatMap((plugin, index) => (plugin.tier === tier && position(plugin) >= 0 ? [index] : []));
    const sorted = places.flatMap((index) => plugins[index] ?? []).sort((a, b) => position(a) - position(b));
    for (const [index, place] of places.entries()) {
      const plugin = sorted[index];
      if (plugin !== undefined) ordered[place] = plugin;
    }
  }
  return ordered;
}
