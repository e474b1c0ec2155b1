import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

const maxLinks = 40;

/**
 * Where a path really leads: every symbolic link followed, also one whose target does not exist yet, and the missing
 * rest appended.
 * @param path Absolute.
 * @returns Null when that cannot be known: a loop of links, a folder that cannot be entered, an impossible name.
 */
export async function realPath(path: string): Promise<string | null> {
  try {
    return await follow(path, maxLinks);
  } catch {
    return null;
  }
}

async function follow(path: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path || linksLeft === 0) throw error;
  }
  const parent = await follow(dirname(path), linksLeft);
  const target = await linkTarget(path);
  if (target !== null) return follow(resolve(parent, target), linksLeft - 1);
  return join(parent, basename(path));
}

async function linkTarget(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
