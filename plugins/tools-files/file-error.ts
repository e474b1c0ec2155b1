import { ToolError } from "@quire/core";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { similarTo } from "./similarity.js";

const meanings: Readonly<Record<string, readonly [code: string, what: string, fix: string]>> = {
  EACCES: ["file-denied", "the system denies access", "Ask the user to change its permissions"],
  EPERM: ["file-denied", "the system denies access", "Ask the user to change its permissions"],
  EROFS: ["file-denied", "the file system is read-only", "Choose a place that can be written"],
  ENOTDIR: ["path-invalid", "a part of the path is a file, not a folder", "Check the path with `ls`"],
  EISDIR: ["path-folder", "it is a folder", "Use `ls` to see what it holds"],
  ELOOP: ["path-invalid", "its symbolic links form a loop", "Use the path of a real file"],
  ENAMETOOLONG: ["path-invalid", "the name is too long", "Use a shorter name"],
  ENOSPC: ["disk-full", "the disk is full", "Tell the user that space must be freed"],
};

/** What went wrong on the disk, in words a model can act on. `doing` is the verb: `read`, `write`. */
export async function fileError(error: unknown, doing: string, absolute: string, shown: string): Promise<ToolError> {
  if (error instanceof ToolError) return error;
  const code = errorCode(error);
  if (code === "ENOENT") return missingFile(absolute, shown);
  const [diagnosticCode, what, fix] = meanings[code] ?? ["file-failed", messageOf(error), undefined];
  return new ToolError({
    code: diagnosticCode,
    level: "error",
    message: `Cannot ${doing} ${shown}: ${what}`,
    ...(fix === undefined ? {} : { fix }),
    cause: error,
  });
}

/** The system's code of a failed call, `ENOENT` for one; empty when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Names what stands near the missing path, so that a misspelt one is mended in one step. */
async function missingFile(absolute: string, shown: string): Promise<ToolError> {
  let folder = dirname(absolute);
  let wanted = basename(absolute);
  let names = await namesIn(folder);
  while (names === null && dirname(folder) !== folder) {
    wanted = basename(folder);
    folder = dirname(folder);
    names = await namesIn(folder);
  }
  const near = nearNames(wanted, names ?? []).map((name) => join(folder, name));
  const missing = join(folder, wanted);
  const parent = missing === absolute ? "" : ` (there is no ${missing})`;
  return new ToolError({
    code: "file-missing",
    level: "error",
    message: `There is no file ${shown}${parent}`,
    fix:
      near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Look with \`ls\` in ${folder} or search with \`find\``,
  });
}

async function namesIn(folder: string): Promise<readonly string[] | null> {
  try {
    return await readdir(folder);
  } catch {
    return null;
  }
}

function nearNames(wanted: string, names: readonly string[]): readonly string[] {
  const likeness = similarTo(wanted);
  const sameStem = (name: string): boolean => stem(wanted).toLowerCase() === stem(name).toLowerCase();
  const swapped = (name: string): boolean => letters(wanted) === letters(name);
  return names
    .map((name) => ({ name, score: Math.max(sameStem(name) || swapped(name) ? 0.9 : 0, likeness(name)) }))
    .filter(({ score }) => score >= 0.6)
    .sort((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

function stem(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

function letters(name: string): string {
  return name.toLowerCase().split("").sort().join("");
}
