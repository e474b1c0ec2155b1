import { isAbsolute, join, resolve } from "node:path";
import type { Attrs, Diagnostic } from "@quire/core";
import { sha256 } from "@quire/core/host";
import type { LoadedConfig } from "../contract.js";
import { expandPath } from "../place.js";
import { checkHostKeys } from "./check-host-keys.js";
import type { Preset } from "./preset.js";
import { readConfigBytes } from "./read-config.js";
import { translateKeys } from "./translate-keys.js";
import { parseYamlFile, type YamlFile } from "./yaml-file.js";

/** A config file of the system that the preset follows, its keys translated to ours. */
export interface PresetFile {
  readonly scope: "user" | "project";
  readonly config: YamlFile;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  /** Keys that mean nothing here. */
  readonly ignored: readonly Diagnostic[];
}

export interface PresetFiles {
  /** From low to high. */
  readonly files: readonly PresetFile[];
  /** Every file that may count. */
  readonly found: LoadedConfig["files"];
}

/** Where relative paths, `~/` and `$NAME/` of a preset lead. */
export interface PresetPlace {
  readonly cwd: string;
  readonly home: string;
  readonly environment: Attrs;
}

/**
 * Reads the config files that a preset names: of each entry the first that exists. JSON is read as the YAML it is.
 * @throws {ConfigError} `config-invalid` with file and line when a file, or what it sets of the host's keys, is broken.
 */
export async function readPresetFiles(preset: Preset | undefined, place: PresetPlace): Promise<PresetFiles> {
  const files: PresetFile[] = [];
  const found: LoadedConfig["files"][number][] = [];
  for (const { scope, paths, keys } of preset?.data.files ?? []) {
    const candidates = paths.flatMap((path) => placed(path, place) ?? []);
    // In the home folder a project's file may be the user's own: it is read once, as the user's.
    const own = candidates.filter((file) => !found.some((other) => other.file === file));
    const read = await firstOf(own, scope, keys);
    if (read !== undefined) files.push(read);
    const shown = read === undefined ? own.slice(0, 1) : [read.config.file];
    found.push(...shown.map((file) => ({ scope: "preset-files", file, exists: read !== undefined, used: false })));
  }
  return { files, found };
}

/** What the flag `-c FILE` means to a preset that wants to tell of it: the value of its foreign key `-c`. */
export function configFlag(preset: Preset | undefined, file: string): YamlFile | undefined {
  const keys = (preset?.data.files ?? []).flatMap((entry) => entry.keys[configFlagKey] ?? []);
  if (keys[0] === undefined) return undefined;
  const source = { file, value: { [configFlagKey]: file }, lineOf: () => 1 };
  return translateKeys(source, { [configFlagKey]: keys[0] }).config;
}

export const configFlagKey = "-c";

async function firstOf(
  candidates: readonly string[],
  scope: PresetFile["scope"],
  keys: Attrs,
): Promise<PresetFile | undefined> {
  for (const file of candidates) {
    const bytes = await readConfigBytes(file);
    if (bytes === null) continue;
    const { config, ignored } = translateKeys(parseYamlFile(bytes, file), keys);
    await checkHostKeys(config);
    return { scope, config, hash: sha256(bytes), ignored };
  }
  return undefined;
}

/** Absolute; undefined when it is below an unset variable. */
function placed(path: string, { cwd, home, environment }: PresetPlace): string | undefined {
  const expanded = expandPath(path, home, environment);
  return expanded === undefined || isAbsolute(expanded) ? expanded : resolve(join(cwd, expanded));
}
