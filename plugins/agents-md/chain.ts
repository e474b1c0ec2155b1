import path from "node:path";

/** One place where an instruction file may stand: the first of these paths that is there counts. */
export type Candidates = readonly string[];

export interface ChainRules {
  /** File names, the preferred one first. */
  readonly names: readonly string[];
  /** Folders from `from` down to the working directory are looked at. */
  readonly from: "project-root" | "working-directory" | "filesystem-root";
  /** Name of the user's own file in the host's home folder; without it there is none. */
  readonly userFile?: string;
}

export const defaultRules: ChainRules = {
  names: ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"],
  from: "project-root",
  userFile: "AGENTS.md",
};

export interface ChainPlace {
  readonly cwd: string;
  readonly projectRoot: string;
  readonly quireHome: string;
}

/** Where instruction files may stand, the farthest first: the user's, the extra ones, then folder by folder to the cwd. */
export function chainOf(
  place: ChainPlace,
  extra: readonly string[],
  rules: ChainRules = defaultRules,
): readonly Candidates[] {
  const user = rules.userFile === undefined ? [] : [[path.join(place.quireHome, rules.userFile)]];
  const folders = foldersOf(place, rules.from);
  return [
    ...user,
    ...extra.map((file) => [file]),
    ...folders.map((folder) => rules.names.map((name) => path.join(folder, name))),
  ];
}

function foldersOf(place: ChainPlace, from: ChainRules["from"]): readonly string[] {
  if (from === "working-directory") return [place.cwd];
  return foldersBetween(from === "project-root" ? place.projectRoot : path.parse(place.cwd).root, place.cwd);
}

/** `root` and every folder on the way down to `folder`; `root` alone when `folder` is not inside it. */
export function foldersBetween(root: string, folder: string): readonly string[] {
  const way = path.relative(root, folder);
  if (way === "" || way === ".." || way.startsWith(`..${path.sep}`) || path.isAbsolute(way)) return [root];
  const steps = way.split(path.sep);
  return [root, ...steps.map((_, index) => path.join(root, ...steps.slice(0, index + 1)))];
}
