import type { ToolContext } from "@quire/core";
import type { Dirent } from "node:fs";
import { lstat, readdir, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileError } from "./file-error.js";
import { maxListingLines, renderListing } from "./listing.js";
import type { Overflow } from "./overflow.js";
import { resolvePath, showPath } from "./tool-path.js";

export interface LsArguments {
  readonly path?: string | undefined;
}

/** One folder's entries, sorted by name: folders with "/", files with their size, links with their target. */
export async function listFolderForModel(
  { path = "." }: LsArguments,
  context: ToolContext,
  overflow: Overflow,
): Promise<string> {
  const absolute = resolvePath(path, context);
  const shown = showPath(absolute, context.cwd);
  try {
    const found = await stat(absolute);
    if (!found.isDirectory()) return `${shown} is a file of ${found.size} bytes; use \`read\` to see it`;
    const entries = await readdir(absolute, { withFileTypes: true });
    entries.sort((left, right) => (left.name < right.name ? -1 : 1));
    const lines: string[] = [];
    for (const entry of entries) {
      context.signal.throwIfAborted();
      lines.push(lines.length < maxListingLines ? await describe(absolute, entry) : plainName(entry));
    }
    const listing = { lines, noun: "entries", name: "ls", empty: "(the folder is empty)", notes: [] };
    return await renderListing(listing, overflow);
  } catch (error) {
    context.signal.throwIfAborted();
    throw await fileError(error, "list", absolute, shown);
  }
}

async function describe(folder: string, entry: Dirent): Promise<string> {
  const path = join(folder, entry.name);
  try {
    if (entry.isSymbolicLink()) return `${entry.name} -> ${await readlink(path)}`;
    if (entry.isFile()) return `${entry.name} (${(await lstat(path)).size} bytes)`;
  } catch {
    // It went away after it was listed: its name still tells more than an error would.
  }
  return plainName(entry);
}

function plainName(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}
