import path from "node:path";
import type { Place } from "@quire/core";
import type { SkillOptions, SkillRootOption } from "./options.js";

/** A folder whose subfolders are skills or groups of skills. */
export interface SkillRoot {
  /** Absolute. */
  readonly folder: string;
  /** What a project brings must stay inside its skill's folder; what is the user's own may be linked together. */
  readonly owner: "user" | "project";
  /** Shown in the catalog. */
  readonly scope: string;
  /** Not read, because the project is not trusted. */
  readonly isUntrusted?: boolean;
}

type RootPlace = Pick<Place, "home" | "quireHome" | "projectRoot" | "cwd" | "trusted" | "env">;

/** Where skills are looked for, in the order of the options; `paths` stand behind the last of the user's own roots. */
export function skillRoots(place: RootPlace, options: Pick<SkillOptions, "roots" | "paths">): readonly SkillRoot[] {
  const found = options.roots.map(asOption).map((root) => {
    const folders = foldersOf(root, place);
    return root.trusted && !place.trusted ? folders.map((folder) => ({ ...folder, isUntrusted: true })) : folders;
  });
  const lastOwn = found.findLastIndex((roots) => roots.some(({ owner }) => owner === "user"));
  const extra = options.paths.map((folder): SkillRoot => ({
    folder: expand(folder, place) ?? folder,
    owner: "user",
    scope: "user",
  }));
  const roots = [...found.slice(0, lastOwn + 1), extra, ...found.slice(lastOwn + 1)].flat();
  // In the home folder the project's folders may be the user's own: one place is looked at once, as the project's.
  return roots.filter(
    (root, index) =>
      !roots.some(
        (other, at) =>
          other.folder === root.folder && (other.owner === root.owner ? at > index : root.owner === "user"),
      ),
  );
}

function asOption(root: SkillOptions["roots"][number]): SkillRootOption {
  return typeof root === "string" ? { folder: root, under: "project", trusted: false } : root;
}

function foldersOf(root: SkillRootOption, place: RootPlace): readonly SkillRoot[] {
  const candidates = typeof root.folder === "string" ? [root.folder] : root.folder;
  for (const candidate of candidates) {
    const fixed = expand(candidate, place);
    if (fixed !== undefined) return [{ folder: fixed, owner: "user", scope: root.scope ?? "user" }];
    if (candidate.startsWith("$")) continue;
    const scope = root.scope ?? "project";
    return startFolders(root.under, place).map((start) => ({
      folder: path.join(start, candidate),
      owner: "project",
      scope,
    }));
  }
  return [];
}

/** The folder of an absolute, `~/` or `$NAME/` path; undefined for a relative one and for an unset variable. */
function expand(folder: string, place: RootPlace): string | undefined {
  if (path.isAbsolute(folder)) return path.normalize(folder);
  if (folder.startsWith("~/")) return path.join(place.home, folder.slice(2));
  const [, name, rest = ""] = /^\$([A-Za-z_]\w*)(?:\/(.*))?$/.exec(folder) ?? [];
  if (name === undefined) return undefined;
  const value = name === "QUIRE_HOME" ? place.quireHome : place.env(name);
  return value === undefined || value === "" ? undefined : path.join(value, rest);
}

function startFolders(under: SkillRootOption["under"], place: RootPlace): readonly string[] {
  if (under === "project") return [place.projectRoot];
  if (under === "cwd") return [place.cwd];
  const way = path.relative(place.projectRoot, place.cwd);
  if (way === "" || way.startsWith("..") || path.isAbsolute(way)) return [place.projectRoot];
  const steps = way.split(path.sep);
  return [place.projectRoot, ...steps.map((_, index) => path.join(place.projectRoot, ...steps.slice(0, index + 1)))];
}
