import type { Config } from "@quire/core";
import type { Builtin } from "../contract.js";
import { choosePreset, type Preset } from "./preset.js";
import { configFlag, readPresetFiles, type PresetFiles, type PresetPlace } from "./preset-files.js";
import type { YamlFile } from "./yaml-file.js";

/** The system a start follows: its preset and that system's own config files. */
export interface System {
  readonly preset: Preset | undefined;
  readonly files: PresetFiles;
  /** What `-c` says to the preset. */
  readonly flags: Config;
}

/**
 * @param files Config files that count, from low to high.
 * @param configFile The only config file of this start, absolute; then the system's own files do not count.
 * @throws {ConfigError} `preset-unknown`, or `config-invalid` for a file of the system.
 */
export async function chooseSystem(
  builtins: readonly Builtin[],
  files: readonly YamlFile[],
  flags: Config,
  place: PresetPlace,
  configFile: string | undefined,
): Promise<System> {
  const preset = await choosePreset(builtins, files, flags);
  return configFile === undefined
    ? { preset, files: await readPresetFiles(preset, place), flags: {} }
    : { preset, files: { files: [], found: [] }, flags: configFlag(preset, configFile)?.value ?? {} };
}
