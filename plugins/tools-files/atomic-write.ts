import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { chmod, chown, lstat, mkdir, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ToolError } from "@quire/core";
import { errorCode } from "./file-error.js";

/**
 * Puts `text` in a file so that a reader sees the old or the new content and nothing between. A symbolic link stays
 * one: the file it points to is written. Missing folders are made; mode and, where allowed, owner are kept.
 * @returns The size of the file before, in bytes; null when it is new.
 * @throws {ToolError} `path-folder` or `path-special` when something else than a file stands there.
 */
export async function writeAtomically(path: string, text: string): Promise<{ previousBytes: number | null }> {
  const target = await linkTarget(path);
  const previous = await statOrNull(target);
  if (previous !== null && !previous.isFile()) {
    const isFolder = previous.isDirectory();
    throw new ToolError({
      code: isFolder ? "path-folder" : "path-special",
      level: "error",
      message: `${path} is ${isFolder ? "a folder" : "a pipe, socket or device"}, so no text can be put there`,
      fix: "Name a file",
    });
  }
  await mkdir(dirname(target), { recursive: true });
  const draft = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeDraft(draft, text, previous);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return { previousBytes: previous?.size ?? null };
}

async function writeDraft(draft: string, text: string, previous: Stats | null): Promise<void> {
  const handle = await open(draft, "wx");
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (previous === null) return;
  const own = await stat(draft);
  if (own.uid !== previous.uid || own.gid !== previous.gid) await keepOwner(draft, previous);
  await chmod(draft, previous.mode & 0o7777);
}

/** Only a privileged user may give files away; for all others the file becomes their own. */
async function keepOwner(draft: string, previous: Stats): Promise<void> {
  try {
    await chown(draft, previous.uid, previous.gid);
  } catch (error) {
    if (errorCode(error) !== "EPERM") throw error;
  }
}

/** Follows links to the file that is meant, also when it does not exist yet. */
async function linkTarget(path: string): Promise<string> {
  let current = path;
  for (let step = 0; step < 40; step++) {
    let next: string;
    try {
      return await realpath(current);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
      const found = await lstatOrNull(current);
      if (found === null || !found.isSymbolicLink()) return current;
      next = resolve(await realpath(dirname(current)), await readlink(current));
    }
    current = next;
  }
  return current;
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
