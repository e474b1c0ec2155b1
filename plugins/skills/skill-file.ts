import { realpath } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@quire/core";
import type { Place } from "@quire/core";
import { reason, type Skill } from "./skill.js";

/** Most UTF-8 bytes of one file that `load_skill` answers with. */
export const maxFileBytes = 131_072;

export interface SkillText {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  /** The file goes on after `text`. */
  readonly isCut: boolean;
}

/**
 * Reads a file of a skill, `SKILL.md` by default, up to `maxFileBytes`.
 * @param file Relative to the skill's folder; must stay inside it, links included.
 * @throws {ToolError} `skill-file-outside`, `skill-file-missing`, `skill-file-unreadable`.
 */
export async function readSkillFile(
  place: Pick<Place, "read" | "list">,
  skill: Skill,
  file = "SKILL.md",
): Promise<SkillText> {
  // People link single files of their own skills together; what a project brings stays inside.
  const isOwnText = file === "SKILL.md" && skill.owner === "user";
  const target = isOwnText ? skill.file : await confine(skill, file);
  const isFolder = (await entriesOf(place, target)) !== null;
  const text = isFolder ? null : await read(place, target, file);
  if (text === null) throw await missing(place, skill, file, isFolder ? target : undefined);
  const kept = headOf(text);
  return { file: path.resolve(skill.folder, file), text: kept, isCut: kept.length < text.length };
}

/**
 * The real path of a file of a skill.
 * @throws {ToolError} `skill-file-outside`.
 */
export async function confine(skill: Skill, file: string): Promise<string> {
  const asked = path.resolve(skill.folder, file);
  const root = await resolveLinks(skill.folder);
  // Of a file that is not there the folder is looked at: a link must not tell what exists outside.
  const target = await resolveLinks(asked);
  if (!isInside(skill.folder, asked) || !isInside(root, target)) {
    throw new ToolError({
      code: "skill-file-outside",
      level: "error",
      message: `"${file}" leads out of the skill's folder ${skill.folder}`,
      fix: "Give a path relative to that folder, without ..",
    });
  }
  return target;
}

/** The path with its links resolved, as far as it exists on the disk. */
async function resolveLinks(target: string): Promise<string> {
  try {
    return await realpath(target);
  } catch {
    const parent = path.dirname(target);
    return parent === target ? target : path.join(await resolveLinks(parent), path.basename(target));
  }
}

function isInside(folder: string, target: string): boolean {
  const way = path.relative(folder, target);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

async function read(place: Pick<Place, "read">, target: string, shown: string): Promise<string | null> {
  try {
    // The longest character has 4 bytes: a longer file comes out above the limit.
    return await place.read(target, { maxBytes: maxFileBytes + 4 });
  } catch (error) {
    throw new ToolError({
      code: "skill-file-unreadable",
      level: "error",
      message: `"${shown}" cannot be shown: ${reason(error)}`,
      fix: `It stands at ${target}; a script can be run from the shell without reading it`,
      cause: error,
    });
  }
}

async function missing(
  place: Pick<Place, "list">,
  skill: Skill,
  file: string,
  folder: string | undefined,
): Promise<ToolError> {
  const shown = folder ?? skill.folder;
  return new ToolError({
    code: "skill-file-missing",
    level: "error",
    message: folder === undefined ? `The skill "${skill.name}" has no file "${file}"` : `"${file}" is a folder`,
    fix: `In ${shown} there are: ${(await skillEntries(place, shown)).join(", ")}`,
  });
}

/** What stands in a folder of a skill, folders with "/" at the end; many are shortened to a count. */
export async function skillEntries(place: Pick<Place, "list">, folder: string): Promise<readonly string[]> {
  const entries = (await entriesOf(place, folder)) ?? [];
  const rest = entries.length - maxEntries;
  return rest > 0 ? [...entries.slice(0, maxEntries), `and ${rest} more`] : entries;
}

async function entriesOf(place: Pick<Place, "list">, folder: string): Promise<readonly string[] | null> {
  return await place.list(folder).catch(() => null);
}

const maxEntries = 50;

/** The longest beginning within `maxFileBytes` that ends between characters. */
function headOf(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxFileBytes) return text;
  let end = maxFileBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}
