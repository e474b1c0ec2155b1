import { join } from "node:path";
import { ConfigError, QuireError, type Config } from "@quire/core";
import { checkHostKeys } from "./config/check-host-keys.js";
import { checkKeys } from "./config/check-keys.js";
import { checkOptions } from "./config/check-options.js";
import { defaultConfig } from "./config/known-keys.js";
import { loadedConfig, type Scope } from "./config/loaded-config.js";
import { pluginConfig } from "./config/plugin-config.js";
import { pluginEntries } from "./config/plugin-entries.js";
import { choosePreset, chosenBuiltins, presetScope, type Preset } from "./config/preset.js";
import { configFiles, readUserConfig } from "./config/read-config.js";
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
import { isRecord } from "./record.js";
import { openSessionStore } from "./sessions/session-store.js";
import { keyValues } from "./store/key-values.js";
import { judgeProject } from "./trust/judge-project.js";
import { readProject, untrustedPart, type Project } from "./trust/project.js";

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
  offerHostModules();

  const user = await readUserConfig(flags.configFile, cwd, quireHome);
  const project = await readProject(projectRoot, quireHome, flags.configFile === undefined);
  const search: PluginSearch = {
    builtins,
    typedAt,
    typed: flags.plugins,
    userFolder: join(quireHome, "plugins"),
    entries: user === undefined ? [] : pluginEntries(user, "user", home),
  };
  const widerSearch = withProject(search, project, home);
  const settings = importSettings(options, quireHome);
  const { trusted, prepared } = await judgeProject(project, { projectRoot, quireHome }, options, widerSearch, settings);
  const projectConfig = await usedPart(project, trusted);
  const files = [user, trusted ? projectConfig : undefined].filter((file) => file !== undefined);

  const preset = await choosePreset(builtins, files, flags.config);
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
  const keyDiagnostics = checkKeys(files, pluginKeys, plugins.notLoaded);
  const edits = await collectEdits({ preset, user, project, projectConfig, trusted, quireHome, flags, typedAt });
  const config = loadedConfig(
    scopesOf(preset, user, projectConfig, flags.config),
    pluginConfig(plugins.entriesOf, usedSearch.entries, presetPlugins(preset)),
    configFiles(flags.configFile, user, projectFile(projectRoot, project, projectConfig), { cwd, quireHome }),
  );
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
    diagnostics: [...keyDiagnostics, ...edits.diagnostics, ...plugins.diagnostics],
    requiredMissing: plugins.requiredMissing,
    untrusted: trusted ? [] : (project?.needsTrust ?? []),
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
  const entries = project.config === undefined ? [] : pluginEntries(project.config, "project", home);
  return { ...search, entries: [...search.entries, ...entries], projectFolder: join(project.folder, "plugins") };
}

/** The part of the project's config that counts, checked. */
async function usedPart(project: Project | null, trusted: boolean): Promise<YamlFile | undefined> {
  if (project?.config === undefined) return undefined;
  const part = trusted ? project.config : untrustedPart(project.config);
  await checkHostKeys(part);
  return part;
}

function scopesOf(
  preset: Preset | undefined,
  user: YamlFile | undefined,
  project: YamlFile | undefined,
  flags: Config,
): readonly Scope[] {
  const ofFile = (scope: "user" | "project", lines: YamlFile | undefined): readonly Scope[] =>
    lines === undefined ? [] : [{ scope, file: lines.file, value: lines.value, lines }];
  return [
    { scope: "defaults", value: defaultConfig },
    ...(preset === undefined ? [] : [{ scope: "preset", value: presetScope(preset), plugin: preset.plugin } as const]),
    ...ofFile("user", user),
    ...ofFile("project", project),
    { scope: "flags", value: flags },
  ];
}

function presetPlugins(preset: Preset | undefined): Config {
  const plugins = preset?.data.config["plugins"];
  return isRecord(plugins) ? plugins : {};
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
