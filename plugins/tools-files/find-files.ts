import type { ToolContext } from "@quire/core";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "@quire/core";
import { fileError } from "./file-error.js";
import { compileGlob } from "./glob.js";
import { renderListing } from "./listing.js";
import type { Overflow } from "./overflow.js";
import { resolvePath, showPath } from "./tool-path.js";
import { unreadableNote } from "./unreadable-note.js";
import { walk } from "./walk.js";

export interface FindArguments {
  readonly pattern: string;
  readonly path?: string | undefined;
}

/** The walk stops after so many paths. */
export const maxPaths = 100_000;

/** Paths below a folder that match a glob, written so that other tools take them as they are. */
export async function findFilesForModel(
  { pattern, path = "." }: FindArguments,
  context: ToolContext,
  overflow: Overflow,
): Promise<string> {
  const absolute = resolvePath(path, context);
  const shown = showPath(absolute, context.cwd);
  const matches = compileGlob(pattern, absolute);
  const unreadable: string[] = [];
  const lines: string[] = [];
  const options = {
    fallbackRoot: context.projectRoot,
    signal: context.signal,
    onUnreadable: (folder: string) => unreadable.push(folder),
  };
  try {
    if (!(await stat(absolute)).isDirectory()) throw notFolder(shown);
    for await (const entry of walk(absolute, options)) {
      if (!matches(entry.path)) continue;
      lines.push(showPath(join(absolute, entry.path), context.cwd) + (entry.kind === "folder" ? "/" : ""));
      if (lines.length >= maxPaths) break;
    }
    const notes = unreadableNote(unreadable);
    if (lines.length >= maxPaths) notes.push(`The search stopped at ${maxPaths} paths; use a narrower pattern`);
    const empty = `Nothing below ${shown} matches ${pattern}`;
    return await renderListing({ lines, noun: "paths", name: "find", empty, notes }, overflow);
  } catch (error) {
    context.signal.throwIfAborted();
    throw await fileError(error, "search", absolute, shown);
  }
}

function notFolder(shown: string): ToolError {
  return new ToolError({
    code: "path-invalid",
    level: "error",
    message: `${shown} is not a folder`,
    fix: "Give the folder to search in as path",
  });
}
