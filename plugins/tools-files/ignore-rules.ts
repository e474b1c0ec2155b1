import ignore from "ignore";
import { lstat, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

/** A file with more bytes than this holds no ignore rules that anyone wrote. */
const maxRuleBytes = 1024 * 1024;

interface Level {
  /** Absolute; the rules speak of paths below it. */
  readonly folder: string;
  readonly matcher: ignore.Ignore;
}

/**
 * What git would ignore, seen from one folder: `.git/info/exclude` of the repository and every `.gitignore` from its root
 * down to here. The nearest file that speaks of a path decides, as in git.
 */
export class IgnoreRules {
  private constructor(private readonly levels: readonly Level[]) {}

  /**
   * The rules that hold in `folder`. Whoever names an ignored folder wants to see it, so rules that would hide `folder`
   * itself do not count.
   * @param fallbackRoot Where to start outside of a repository; `folder` itself when it is not below it.
   */
  static async at(folder: string, fallbackRoot: string): Promise<IgnoreRules> {
    const repository = await repositoryRoot(folder);
    const root = repository ?? (isBelow(folder, fallbackRoot) ? fallbackRoot : folder);
    const exclude = repository === null ? null : await loadRules(await excludeFile(repository));
    let rules = new IgnoreRules(exclude === null ? [] : [{ folder: root, matcher: exclude }]);
    for (const step of [root, ...foldersBetween(root, folder)]) rules = await rules.enter(step);
    return rules;
  }

  /** The rules that hold in a subfolder that is not ignored. */
  async enter(folder: string): Promise<IgnoreRules> {
    const outer = this.levels.map((level) => readmit(level, folder));
    const own = await loadRules(join(folder, ".gitignore"));
    return new IgnoreRules(own === null ? outer : [...outer, { folder, matcher: own }]);
  }

  /** @param path Absolute, directly in the folder these rules are for. */
  ignores(path: string, isFolder: boolean): boolean {
    for (const { folder, matcher } of this.levels.toReversed()) {
      const { ignored, unignored } = matcher.test(inside(folder, path, isFolder));
      if (ignored || unignored) return ignored;
    }
    return false;
  }
}

/**
 * The matcher judges a path by its parents too. Where a nearer file took a folder back in, an outer matcher would go on
 * to ignore all that is in it, so it is told.
 */
function readmit(level: Level, folder: string): Level {
  if (folder === level.folder) return level;
  const path = inside(level.folder, folder, true);
  if (!level.matcher.test(path).ignored) return level;
  const escaped = path.replace(/[\\*?[\]!# ]/g, "\\$&");
  return { ...level, matcher: ignore({ ignorecase: false }).add(level.matcher).add(`!/${escaped}`) };
}

function inside(folder: string, path: string, isFolder: boolean): string {
  return relative(folder, path) + (isFolder ? "/" : "");
}

async function loadRules(file: string): Promise<ignore.Ignore | null> {
  try {
    // A pipe or a device would be read for ever; git reads neither.
    const found = await stat(file);
    if (!found.isFile() || found.size > maxRuleBytes) return null;
    const bytes = await readFile(file);
    if (bytes.length > maxRuleBytes) return null;
    return ignore({ ignorecase: false }).add(bytes.toString("utf8").replace(/^\uFEFF/, ""));
  } catch {
    // No such file, or one that cannot be read: git goes on without it as well.
    return null;
  }
}

async function repositoryRoot(folder: string): Promise<string | null> {
  for (let current = folder; ; current = dirname(current)) {
    if (await exists(join(current, ".git"))) return current;
    if (dirname(current) === current) return null;
  }
}

/** In a worktree or submodule `.git` is a file that names the real folder. */
async function excludeFile(root: string): Promise<string> {
  const entry = join(root, ".git");
  const link = /^gitdir: (.+)$/m.exec(await textOf(entry))?.[1];
  if (link === undefined) return join(entry, "info", "exclude");
  const gitFolder = resolve(root, link.trim());
  const common = (await textOf(join(gitFolder, "commondir"))).trim();
  return join(resolve(gitFolder, common), "info", "exclude");
}

async function textOf(file: string): Promise<string> {
  try {
    return (await stat(file)).isFile() ? await readFile(file, "utf8") : "";
  } catch {
    return "";
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function isBelow(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root.endsWith("/") ? root : `${root}/`);
}

/** The folders below `root` on the way to `folder`, outermost first, `folder` included. */
function foldersBetween(root: string, folder: string): readonly string[] {
  const names = relative(root, folder)
    .split("/")
    .filter((name) => name !== "");
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}
