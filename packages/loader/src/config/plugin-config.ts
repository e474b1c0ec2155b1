import type { Config } from "@quire/core";
import type { PluginEntry } from "../plugins/plugin-source.js";
import { mergeConfig } from "./merge.js";

/**
 * What config says of plugins, under the plugins' own names: the user wrote paths and package names, too.
 * @param preset What the chosen preset says of plugins, by name: the lowest scope.
 * @param entries All that count, from low to high; those of no loaded plugin stay under their key.
 */
export function pluginConfig(
  entriesOf: ReadonlyMap<string, readonly PluginEntry[]>,
  entries: readonly PluginEntry[],
  preset: Config = {},
): Config {
  const answered = new Set([...entriesOf.values()].flat());
  const named: (readonly [string, PluginEntry])[] = [
    ...entries.filter((entry) => !answered.has(entry)).map((entry) => [entry.path ?? entry.key, entry] as const),
    ...[...entriesOf].flatMap(([name, own]) => own.map((entry) => [name, entry] as const)),
  ];
  return named.reduce<Config>((merged, [name, { options, required }]) => {
    const entry = {
      ...(options === undefined ? {} : { options }),
      ...(required === undefined ? {} : { required }),
    };
    return mergeConfig(merged, { [name]: entry });
  }, preset);
}
