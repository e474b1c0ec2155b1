import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { byCodePoint } from "./disk-files.js";

export interface TreeOptions {
  /** How many folders deep; a file in the folder itself has depth 1. */
  readonly maxDepth: number;
  /** Enter folders through links, each folder once. Otherwise a link is listed as a file. */
  readonly followLinks: boolean;
}

/**
 * The files below a folder, as paths relative to it with `/`, sorted by code point within each folder. Hidden entries
 * and `node_modules` are passed by. No folder: no files.
 */
export async function listTree(folder: string, options: TreeOptions): Promise<readonly string[]> {
  const seen = new Set<string>();
  const walk = async (at: string, prefix: string, depth: number): Promise<string[]> => {
    const real = await realpath(at).catch(() => at);
    if (seen.has(real)) return [];
    seen.add(real);
    const entries = await readdir(at, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (depth === 1 && error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
      return [];
    });
    const found: string[] = [];
    for (const entry of entries.sort((a, b) => byCodePoint(a.name, b.name))) {
      const { name } = entry;
      if (name.startsWith(".") || name === "node_modules") continue;
      const isLinkedFolder = options.followLinks && entry.isSymbolicLink() && (await isFolder(join(at, name)));
      if (!entry.isDirectory() && !isLinkedFolder) found.push(prefix + name);
      else if (depth < options.maxDepth) found.push(...(await walk(join(at, name), `${prefix}${name}/`, depth + 1)));
    }
    return found;
  };
  return walk(folder, "", 1);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}
