import path from "node:path";
import type { Place } from "@quire/core";
import type { InstructionFileOptions, PlaceEntry } from "./options.js";

/** One folder where instruction files may stand, and what they may be called. */
export interface Spot {
  /** Absolute. */
  readonly folder: string;
  /** Relative to `folder`, the preferred one first; the last part may hold `*`. */
  readonly names: readonly string[];
  readonly take: "first" | "all";
  /** The user's own files. */
  readonly own: boolean;
  /** The user named this very file: when it is missing, that is a problem. */
  readonly isNamed: boolean;
  readonly scope?: string;
  readonly endings?: readonly string[];
}

export type SpotPlace = Pick<Place, "cwd" | "projectRoot" | "home" | "quireHome" | "env">;
type SpotRules = Pick<InstructionFileOptions, "places" | "extra" | "system_root">;

/** Where to look, in the order of the prompt. */
export function spotsOf(place: SpotPlace, rules: SpotRules): readonly Spot[] {
  return rules.places.flatMap((entry) => {
    const { names = [], take, scope, endings, own } = entry;
    const shared = { ...(scope === undefined ? {} : { scope }), ...(endings === undefined ? {} : { endings }) };
    if (entry.extra !== undefined) {
      return rules.extra.map((file): Spot => {
        const [folder, name] = [path.dirname(file), path.basename(file)];
        return { ...shared, folder, names: [name], take: "all", own: own ?? true, isNamed: true };
      });
    }
    return foldersOf(place, entry, rules.system_root).map((folder): Spot => ({
      ...shared,
      folder,
      names,
      take,
      own: own ?? entry.walk === undefined,
      isNamed: false,
    }));
  });
}

function foldersOf(place: SpotPlace, entry: PlaceEntry, systemRoot: string): readonly string[] {
  if (entry.walk === "cwd") return [place.cwd];
  if (entry.walk === "project-root") return foldersBetween(place.projectRoot, place.cwd);
  if (entry.walk === "filesystem-root") return foldersBetween(path.parse(place.cwd).root, place.cwd);
  const choices = typeof entry.folder === "string" ? [entry.folder] : (entry.folder ?? []);
  const found = choices.map((choice) => resolveFolder(place, choice, systemRoot)).find((one) => one !== undefined);
  return found === undefined ? [] : [found];
}

/** Undefined when it begins with a variable that is not set. */
function resolveFolder(place: SpotPlace, folder: string, systemRoot: string): string | undefined {
  if (folder.startsWith("~")) return path.join(place.home, folder.slice(1));
  if (!folder.startsWith("$")) return path.join(systemRoot, folder);
  const [variable = "", ...rest] = folder.slice(1).split("/");
  const value = variable === "QUIRE_HOME" ? place.quireHome : place.env(variable);
  if (value === undefined || value === "") return undefined;
  const start = value === "~" || value.startsWith("~/") ? path.join(place.home, value.slice(1)) : value;
  return path.resolve(place.cwd, start, ...rest);
}

/** `root` and every folder on the way down to `folder`; `root` alone when `folder` is not inside it. */
export function foldersBetween(root: string, folder: string): readonly string[] {
  if (!isInside(root, folder) || root === folder) return [root];
  const steps = path.relative(root, folder).split(path.sep);
  return [root, ...steps.map((_, index) => path.join(root, ...steps.slice(0, index + 1)))];
}

/** Whether `file` is `folder` or lies below it, by their names alone. */
export function isInside(folder: string, file: string): boolean {
  const way = path.relative(folder, file);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
