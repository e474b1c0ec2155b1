import { ConfigError, type Config, type PresetData } from "@quire/core";
import { nearest } from "@quire/core/host";
import type { Builtin } from "../contract.js";
import type { YamlFile } from "./yaml-file.js";

const prefix = "preset-";

/** The preset that config chooses. */
export interface Preset {
  /** The plugin that carries it. */
  readonly plugin: string;
  readonly data: PresetData;
}

/**
 * Finds out which preset is chosen and imports it. `quire` names the defaults; no plugin carries it.
 * @param files Config files that count, from low to high.
 * @throws {ConfigError} `preset-unknown` with the place of the name and the presets that are there.
 */
export async function choosePreset(
  builtins: readonly Builtin[],
  files: readonly YamlFile[],
  flags: Config,
): Promise<Preset | undefined> {
  const file = files.findLast(({ value }) => value["preset"] !== undefined);
  const name = (flags["preset"] ?? file?.value["preset"] ?? "quire") as string;
  if (name === "quire") return undefined;
  const builtin = builtins.find((each) => each.name === prefix + name);
  const data = (await builtin?.load())?.preset;
  if (builtin !== undefined && data !== undefined) return { plugin: builtin.name, data };

  const names = ["quire", ...builtins.filter(isPreset).map((each) => each.name.slice(prefix.length))];
  const like = nearest(name, names) ?? names.find((each) => each.startsWith(name));
  throw new ConfigError({
    code: "preset-unknown",
    level: "error",
    message: `There is no preset ${JSON.stringify(name)}`,
    at:
      flags["preset"] !== undefined || file === undefined
        ? { kind: "flag" }
        : { kind: "config", file: file.file, line: file.lineOf(["preset"]) },
    fix: `${like === undefined ? "" : `Did you mean ${like}? `}There are: ${names.join(", ")}`,
  });
}

/** Plugins that are loaded in any case: all but the presets that are not chosen. */
export function chosenBuiltins(builtins: readonly Builtin[], preset: Preset | undefined): readonly Builtin[] {
  return builtins.filter((builtin) => !isPreset(builtin) || builtin.name === preset?.plugin);
}

/** What a preset says as config: between the defaults and the user's own. */
export function presetScope(preset: Preset): Config {
  return { layout: preset.data.layout, ...preset.data.config };
}

function isPreset({ name }: Builtin): boolean {
  return name.startsWith(prefix);
}
