import path from "node:path";
import type { Diagnostic, Place } from "@quire/core";
import type { CommandOptions } from "./options.js";
import { expandPath, folderPath, isPackagePath } from "./paths.js";
import { commandProblem } from "./template.js";

/** A file that is a command by its place and name; its text is not read yet. */
export interface CommandFile {
  /** The file's name without `.md`: `/name` calls it. */
  readonly name: string;
  /** Absolute. */
  readonly file: string;
}

export interface FoundCommands {
  /** One of each name, sorted by name. */
  readonly commands: readonly CommandFile[];
  readonly problems: readonly Diagnostic[];
}

type CommandPlace = Pick<Place, "read" | "list" | "home" | "quireHome" | "projectRoot" | "cwd" | "trusted" | "env">;
interface Found {
  readonly files: readonly CommandFile[];
  readonly problems: readonly Diagnostic[];
}

/** Looks where the options say, and not deeper. Of two files with one name the one from the later place counts. */
export async function findCommands(place: CommandPlace, options: CommandOptions): Promise<FoundCommands> {
  if (!options.enabled) return { commands: [], problems: [] };
  const packages = options.packages.map((entry) =>
    ofPackage(place, typeof entry === "string" ? entry : entry.source, options.package_commands),
  );
  const folders = options.folders.map((entry) => {
    const folder = folderPath(entry, place);
    if (folder === undefined) return nothing;
    return entry.trusted && !place.trusted ? untrusted(place, folder) : ofFolder(place, folder);
  });
  const named = [...options.paths, ...options.given].map((text) => ofPath(place, text));
  const found = await Promise.all([...packages, ...folders, ...named]);
  return chooseByName(found);
}

const nothing: Found = { files: [], problems: [] };

/** The `.md` files directly in a folder. */
async function ofFolder(place: CommandPlace, folder: string): Promise<Found> {
  const names = (await place.list(folder).catch(() => null)) ?? [];
  const files = names.filter(isTemplate).map((name) => path.join(folder, name));
  const nested = await Promise.all(
    names.filter((name) => name.endsWith("/")).map((name) => nestedIn(place, folder, name)),
  );
  const named = files.map(asCommand);
  return {
    files: named.flatMap((found) => found.files),
    problems: [...named, ...nested].flatMap((found) => found.problems),
  };
}

function asCommand(file: string): Found {
  const name = path.basename(file).replace(/\.md$/i, "");
  if (name !== "" && !/\s/.test(name)) return { files: [{ name, file }], problems: [] };
  return { files: [], problems: [commandProblem("command-name", file, "has a name that nobody can type")] };
}

/** A folder of templates within one: it is not looked into, which is easily missed. */
async function nestedIn(place: CommandPlace, folder: string, name: string): Promise<Found> {
  const inner = path.join(folder, name.slice(0, -1));
  const count = ((await place.list(inner).catch(() => null)) ?? []).filter(isTemplate).length;
  if (count === 0) return nothing;
  const what = `is a folder within a folder of commands: ${count === 1 ? "1 file" : `${count} files`} in it are no commands`;
  return { files: [], problems: [commandProblem("command-folder-nested", inner, what)] };
}

async function ofPath(place: CommandPlace, text: string): Promise<Found> {
  const target = expandPath(text, place.cwd, place);
  if (target === undefined) return nothing;
  if ((await place.list(target).catch(() => null)) !== null) return await ofFolder(place, target);
  const entries = (await place.list(path.dirname(target)).catch(() => null)) ?? [];
  if (entries.includes(path.basename(target))) return asCommand(target);
  return { files: [], problems: [commandProblem("command-missing", target, "is not there")] };
}

async function ofPackage(
  place: CommandPlace,
  text: string,
  { key, folder: usual }: CommandOptions["package_commands"],
): Promise<Found> {
  if (!isPackagePath(text)) return nothing;
  const folder = expandPath(text, place.cwd, place);
  if (folder === undefined) return nothing;
  const listed = pathsIn(await place.read(path.join(folder, "package.json")).catch(() => null), key);
  if (listed === undefined) return await ofFolder(place, path.join(folder, usual));
  const found = await Promise.all(listed.map((each) => ofPath(place, path.resolve(folder, each))));
  return { files: found.flatMap(({ files }) => files), problems: found.flatMap(({ problems }) => problems) };
}

/** The paths under a dotted key of a `package.json`. */
function pathsIn(manifest: string | null, key: string): readonly string[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(manifest ?? "null");
  } catch {
    return undefined;
  }
  for (const part of key.split(".")) {
    value =
      typeof value === "object" && value !== null ? Object.entries(value).find(([name]) => name === part)?.[1] : null;
  }
  const listed = typeof value === "string" ? [value] : value;
  return Array.isArray(listed) ? listed.filter((each) => typeof each === "string") : undefined;
}

async function untrusted(place: CommandPlace, folder: string): Promise<Found> {
  const { files } = await ofFolder(place, folder);
  const what = "is not used, because the project is not trusted";
  return { files: [], problems: files.map(({ file }) => commandProblem("command-untrusted", file, what)) };
}

function chooseByName(found: readonly Found[]): FoundCommands {
  const problems = found.flatMap((each) => each.problems);
  const chosen = new Map<string, CommandFile>();
  for (const command of found.flatMap(({ files }) => files)) {
    const earlier = chosen.get(command.name);
    if (earlier !== undefined && earlier.file !== command.file) {
      const what = `is hidden: ${command.file} has the name "${command.name}" too and ranks higher`;
      problems.push(commandProblem("command-duplicate", earlier.file, what));
    }
    chosen.set(command.name, command);
  }
  return { commands: [...chosen.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

function isTemplate(name: string): boolean {
  return /\.md$/i.test(name);
}
