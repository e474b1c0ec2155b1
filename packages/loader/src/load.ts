import { join, resolve } from "node:path";
import { ConfigError, QuireError, type Config } from "@quire/core";
import { checkKeys } from "./config/check-keys.js";
import { checkOptions } from "./config/check-options.js";
import { loadedConfig } from "./config/loaded-config.js";
import { mergeConfig } from "./config/merge.js";
import { pluginConfig } from "./config/plugin-config.js";
import { pluginEntries } from "./config/plugin-entries.js";
import { chosenBuiltins } from "./config/preset.js";
import { configFiles, readUserConfig } from "./config/read-config.js";
import { mergeScopes, scopesOf, systemPlugins, withProfile } from "./config/scopes.js";
import { ignoredKeys, usedConfigs } from "./config/used-config.js";
import type { YamlFile } from "./config/yaml-file.js";
import type { Loaded, LoadOptions } from "./contract.js";
import { diskFiles } from "./disk-files.js";
import { collectEdits } from "./edits/collect-edits.js";
import { parseFrontMatter } from "./markdown/front-matter.js";
import { placeFinder, projectRootOf, quireHomeOf } from "./place.js";
import { offerHostModules } from "./plugins/host-modules.js";
import { loadPlugins, type PluginRequest } from "./plugins/load-plugins.js";
import { OffRules, offRules } from "./plugins/off-rules.js";
import type { PluginSearch } from "./plugins/search-plugins.js";
import { readProfileFiles } from "./profiles/profile-files.js";
import { collectProfiles, findProfile, profileEdit } from "./profiles/profiles.js";
import { isRecord } from "./record.js";
import { openSessionStore } from "./sessions/session-store.js";
import { keyValues } from "./store/key-values.js";
import { readProject, type Project } from "./trust/project.js";
import { foldersOf, weighProject } from "./trust/weigh-project.js";

/**
 * Reads config, Markdown, plugins and trust from the disk and hands on all that a host needs. Nothing of an untrusted
 * project is used but the texts it adds.
 * @throws {ConfigError} For broken config or flags, with file and line, what was seen, and how to mend it.
 */
export async function load(options: LoadOptions): Promise<Loaded> {
  try {
    return await loadAll(options);
  } catch (error) {
    throw readableError(error);
  }
}

/** A folder that may not be read, a full disk: the system's own words, without a stack. */
function readableError(error: unknown): unknown {
  const { syscall, path, message } = error as NodeJS.ErrnoException;
  if (QuireError.is(error) || syscall === undefined) return error;
  return new ConfigError({
    code: "disk-failed",
    level: "error",
    message: `The disk refuses: ${message}`,
    ...(path === undefined ? {} : { at: { kind: "file", file: path } as const }),
    fix: "Check that the path may be read and written",
    cause: error,
  });
}

async function loadAll(options: LoadOptions): Promise<Loaded> {
  const { cwd, home, typedAt, environment, flags, builtins } = options;
  const quireHome = quireHomeOf(environment, home, typedAt);
  const projectRoot = projectRootOf(cwd);
  const configFile = flags.configFile === undefined ? undefined : resolve(cwd, flags.configFile);
  const start = {
    cwd,
    projectRoot,
    home,
    quireHome,
    environment: { ...environment, QUIRE_HOME: quireHome },
    configFile,
  };
  offerHostModules();

  const user = await readUserConfig(configFile, cwd, quireHome);
  const project = await readProject(projectRoot, start, configFile === undefined);
  const search: PluginSearch = {
    builtins,
    typedAt,
    typed: flags.plugins,
    userFolder: join(quireHome, "plugins"),
    entries: user === undefined ? [] : pluginEntries(user, "user", home),
  };
  const widerSearch = withProject(search, project, home);
  const settings = importSettings(options, quireHome);
  const weighed = await weighProject(project, user, start, options, widerSearch, settings);
  const { trusted, prepared, system } = weighed;
  const { preset } = system;
  const configs = await usedConfigs(weighed, user, project);
  const projectConfig = configs.find(({ layer }) => layer === "project");
  const files = configs.map(({ config }) => config);

  const usedSearch = trusted ? widerSearch : search;
  const off = new OffRules(offRules(preset, files, flags, typedAt));
  const plugins = await loadPlugins({
    ...usedSearch,
    builtins: chosenBuiltins(builtins, preset),
    off,
    settings,
    prepared,
  });
  const definitions = plugins.plugins.map(({ plugin }) => plugin);
  const pluginKeys = [...builtins, ...definitions].flatMap(({ configKeys }) => configKeys ?? []);
  const ownFiles = configs.filter(({ layer }) => layer !== "preset").map(({ config }) => config);
  const keyDiagnostics = checkKeys(ownFiles, pluginKeys, plugins.notLoaded);

  const scopes = scopesOf(preset, configs, mergeConfig(system.flags, flags.config));
  const merged = mergeScopes(scopes);
  const userFolders = foldersOf(merged, start, project).filter(({ scope }) => scope === "user");
  const found = collectProfiles([...(await readProfileFiles(userFolders)), ...weighed.profiles]);
  const untrusted = trusted ? [] : weighed.needsTrust;
  const profile = flags.profile === undefined ? undefined : findProfile(flags.profile, found.profiles, untrusted);
  const config = loadedConfig(
    withProfile(scopes, profile),
    pluginConfig(plugins.entriesOf, usedSearch.entries, systemPlugins(scopes)),
    configFiles(configFile, user, projectFile(projectRoot, project, projectConfig?.config), { cwd, quireHome }).concat(
      system.files.found.map((file) => ({ ...file, used: files.some((used) => used.file === file.file) })),
    ),
  );
  const edits = await collectEdits({
    preset,
    configs,
    project,
    trusted,
    home,
    quireHome,
    flags,
    typedAt,
    flagFiles: readsFlagFiles(config.merged),
    profile: profile === undefined || flags.profile === undefined ? [] : profileEdit(profile, flags.profile, merged),
  });
  await checkOptions(plugins.plugins, config);
  const sessions = openSessionStore(join(quireHome, "sessions"));
  return {
    host: {
      plugins: plugins.plugins,
      config: config.merged,
      edits: edits.edits,
      files: diskFiles,
      log: sessions,
      place: placeFinder({ home, quireHome, environment, trustedRoot: trusted ? projectRoot : undefined }),
      environment: () => environment,
      store: (plugin, session) => keyValues(join(quireHome, "store"), plugin, session),
      frontMatter: parseFrontMatter,
      ...(options.now === undefined ? {} : { now: options.now }),
    },
    place: { cwd, projectRoot, home, quireHome, trusted },
    config,
    sessions,
    diagnostics: [
      ...ignoredKeys(weighed),
      ...keyDiagnostics,
      ...found.diagnostics,
      ...edits.diagnostics,
      ...plugins.diagnostics,
    ],
    requiredMissing: plugins.requiredMissing,
    notLoaded: plugins.notLoaded,
    untrusted,
    profiles: found.profiles,
    ...(profile === undefined ? {} : { profile }),
  };
}

function importSettings(options: LoadOptions, quireHome: string): PluginRequest["settings"] {
  const importModule = options.importModule?.bind(options) ?? ((url: string) => import(url) as Promise<unknown>);
  return {
    cacheFolder: options.cacheFolder ?? join(quireHome, "cache"),
    version: options.version,
    importModule,
    ...(options.bundler === undefined ? {} : { bundler: options.bundler }),
  };
}

function withProject(search: PluginSearch, project: Project | null, home: string): PluginSearch {
  if (project === null) return search;
  const entries = project.config === undefined ? [] : pluginEntries(project.config.config, "project", home);
  return { ...search, entries: [...search.entries, ...entries], projectFolder: join(project.folder, "plugins") };
}

/** Whether the value of a flag such as `--system-prompt` may name a file. */
function readsFlagFiles({ prompt }: Config): boolean {
  return !isRecord(prompt) || prompt["flag_files"] !== false;
}

function projectFile(
  projectRoot: string,
  project: Project | null,
  used: YamlFile | undefined,
): { readonly file: string; readonly exists: boolean; readonly used: boolean } {
  return {
    file: join(projectRoot, ".quire", "config.yaml"),
    exists: project?.config !== undefined,
    used: used !== undefined && Object.keys(used.value).length > 0,
  };
}
