import type { Attrs, Config } from "@quire/core";
import { mergeConfig } from "../config/merge.js";
import { presetScope } from "../config/preset.js";
import type { PresetFile } from "../config/preset-files.js";
import { chooseSystem, type System } from "../config/system.js";
import type { YamlFile } from "../config/yaml-file.js";
import type { LoadOptions } from "../contract.js";
import type { ImportSettings } from "../plugins/import-plugin.js";
import type { PluginSearch } from "../plugins/search-plugins.js";
import { profileFolders, type ProfileFile, type ProfileFolder } from "../profiles/profile-files.js";
import { configPart, type ConfigPart } from "./config-part.js";
import { coveredFiles, trustPaths, type CoveredFiles } from "./covered-files.js";
import { judgeProject, type Judgement } from "./judge-project.js";
import type { Project } from "./project.js";

/** Where a start takes place. All paths are absolute. */
export interface StartPlace {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly home: string;
  readonly quireHome: string;
  /** With `QUIRE_HOME`. */
  readonly environment: Attrs;
  /** The only config file of this start. */
  readonly configFile: string | undefined;
}

/** What of a project counts in this start. */
export interface Weighed extends Judgement {
  readonly system: System;
  /** The system's own config files of the project, as they stand. */
  readonly systemParts: ReadonlyMap<PresetFile, ConfigPart>;
  /** Profiles of the trusted project. */
  readonly profiles: readonly ProfileFile[];
  /** All that needs trust, one human line each. */
  readonly needsTrust: readonly string[];
}

/**
 * Chooses the system that this start follows and decides whether what the project brings may be used: its own folder,
 * the system's files in it, its profiles, commands and servers. An untrusted project does not choose the preset.
 * @param search Where the project's plugins would be found.
 * @throws {ConfigError} `preset-unknown`, or `config-invalid` for a file of the system.
 */
export async function weighProject(
  project: Project | null,
  user: YamlFile | undefined,
  place: StartPlace,
  options: Pick<LoadOptions, "flags" | "confirmTrust" | "builtins">,
  search: PluginSearch,
  settings: ImportSettings,
): Promise<Weighed> {
  const { builtins, flags } = options;
  const own = project?.config?.config;
  const choose = (files: readonly (YamlFile | undefined)[]): Promise<System> =>
    chooseSystem(
      builtins,
      files.filter((file) => file !== undefined),
      flags.config,
      place,
      place.configFile,
    );
  // What the project chooses counts only with trust, and so do its mistakes.
  const wished = await choose([user, own]).catch((error: unknown) => ({ error }));
  if ("error" in wished && own === undefined) throw wished.error;
  const wishedBrings = await bringsOf(project, "error" in wished ? undefined : wished, [user, own], place);
  const judgement = await judgeProject(wishedBrings.parts, place, options, search, settings);
  if (judgement.trusted) {
    if ("error" in wished) throw wished.error;
    return { ...judgement, system: wished, ...wishedBrings, profiles: await wishedBrings.covered.profiles() };
  }
  const system = "error" in wished || own?.value["preset"] !== undefined ? await choose([user]) : wished;
  const brings = system === wished ? wishedBrings : await bringsOf(project, system, [user], place);
  return { ...judgement, system, ...brings, profiles: [] };
}

/** Folders of profiles under a config. */
export function foldersOf(config: Config, place: StartPlace, project: Project | null): readonly ProfileFolder[] {
  return profileFolders(config, { ...place, hasOwnFolder: project !== null });
}

async function bringsOf(
  project: Project | null,
  system: System | undefined,
  files: readonly (YamlFile | undefined)[],
  place: StartPlace,
): Promise<{
  readonly parts: Parameters<typeof judgeProject>[0];
  readonly covered: CoveredFiles;
  readonly systemParts: ReadonlyMap<PresetFile, ConfigPart>;
  readonly needsTrust: readonly string[];
}> {
  const { projectRoot: root, cwd, home } = place;
  const systemParts = new Map(
    (system?.files.files ?? [])
      .filter(({ scope }) => scope === "project")
      .map((file) => [file, configPart(file.config, file.hash, root, home)] as const),
  );
  const ofPreset = system?.preset === undefined ? {} : presetScope(system.preset);
  const config = files.reduce<Config>((merged, file) => mergeConfig(merged, file?.value ?? {}), ofPreset);
  const folders = foldersOf(config, place, project).filter(({ scope }) => scope === "project");
  // What is covered is the user's and the preset's to say.
  const paths = trustPaths(mergeConfig(ofPreset, files[0]?.value ?? {}));
  const covered = await coveredFiles({ root, cwd, hasOwnFolder: project !== null }, folders, paths);
  const parts = [...(project === null ? [] : [project]), ...systemParts.values(), covered];
  return { parts, covered, systemParts, needsTrust: parts.flatMap(({ needsTrust }) => needsTrust) };
}
