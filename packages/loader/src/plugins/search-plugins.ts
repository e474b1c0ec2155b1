import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { installedFolder, pluginsAt, pluginsInFolder } from "./find-plugins.js";
import { isFailure, isPathLike, type PluginEntry, type PluginFailure, type PluginSource } from "./plugin-source.js";

/** Where plugins are looked for, and which are named. */
export interface PluginSearch {
  /** Names that need no file. */
  readonly builtins: readonly { readonly name: string }[];
  /** Entries of config that count, in order: the user's, then those of a trusted project. */
  readonly entries: readonly PluginEntry[];
  /** `--plugin`, as typed. */
  readonly typed: readonly string[];
  readonly typedAt: string;
  /** `$QUIRE_HOME/plugins`. */
  readonly userFolder: string;
  /** `.quire/plugins` of a trusted project. */
  readonly projectFolder?: string;
}

/** Finds everything that folders, config and the command line name, from low to high tier, each file once. */
export async function searchPlugins(
  search: PluginSearch,
): Promise<{ readonly sources: readonly PluginSource[]; readonly failures: readonly PluginFailure[] }> {
  const found = await findAll(search);
  return {
    sources: await withoutRepeats(found.filter((each): each is PluginSource => !isFailure(each))),
    failures: found.filter(isFailure),
  };
}

async function findAll(search: PluginSearch): Promise<readonly (PluginSource | PluginFailure)[]> {
  const { builtins, entries, typed, typedAt, userFolder, projectFolder } = search;
  const isBuiltin = (name: string): boolean => builtins.some((builtin) => builtin.name === name);
  const folders = [userFolder, ...(projectFolder === undefined ? [] : [projectFolder])];

  const listed = entries.map(async (entry) => {
    const tier = entry.layer;
    if (entry.path !== undefined) return pluginsAt(entry.path, { label: entry.key, tier, at: entry.at });
    if (isBuiltin(entry.key)) return [];
    const ownFirst = entry.layer === "project" ? folders.toReversed() : folders.slice(0, 1);
    const folder = await installedFolder(entry.key, ownFirst);
    if (folder === undefined) return [];
    const isUsers = folder.startsWith(userFolder);
    return pluginsAt(folder, { label: entry.key, tier: isUsers ? "installed" : tier, at: entry.at });
  });
  const flags = typed.map(async (value) => {
    if (isBuiltin(value)) return [];
    const asked = { label: value, tier: "flags", at: { kind: "flag" } } as const;
    const folder = isPathLike(value) ? undefined : await installedFolder(value, [...folders, typedAt]);
    return pluginsAt(folder ?? resolve(typedAt, value), asked);
  });
  const groups = await Promise.all([
    pluginsInFolder(userFolder, "user"),
    projectFolder === undefined ? [] : pluginsInFolder(projectFolder, "project"),
    ...listed,
    ...flags,
  ]);
  const rank = ["installed", "user", "project", "flags"];
  return groups.flat().sort((a, b) => rank.indexOf(tierOf(a)) - rank.indexOf(tierOf(b)));
}

function tierOf(found: PluginSource | PluginFailure): string {
  return "tier" in found ? found.tier : "flags";
}

/** One file may be found in a folder, named in config and typed; the command line's word counts most, then the first. */
async function withoutRepeats(sources: readonly PluginSource[]): Promise<readonly PluginSource[]> {
  const byFile = new Map<string, PluginSource>();
  for (const source of sources) {
    const file = await realpath(source.file).catch(() => source.file);
    const earlier = byFile.get(file);
    if (earlier === undefined) byFile.set(file, source);
    else if (source.tier === "flags" && earlier.tier !== "flags") {
      byFile.delete(file);
      byFile.set(file, source);
    } else if (earlier.at === undefined && source.at !== undefined) {
      byFile.set(file, { ...earlier, at: source.at, label: source.label });
    }
  }
  return [...byFile.values()];
}
