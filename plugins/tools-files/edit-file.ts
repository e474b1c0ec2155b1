import type { ToolContext } from "@quire/core";
import { ToolError } from "@quire/core";
import { readFile, stat } from "node:fs/promises";
import { writeAtomically } from "./atomic-write.js";
import { adviseOnMissing } from "./edit-advice.js";
import { lineAt, renderExcerpt } from "./edit-excerpt.js";
import { fileError } from "./file-error.js";
import type { Replacement } from "./replace-text.js";
import { applyReplacements, findReplacements } from "./replace-text.js";
import { resolvePath, showPath } from "./tool-path.js";

export interface EditArguments {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

/** Larger files are refused: they would have to stand in memory several times. */
export const maxEditBytes = 32 * 1024 * 1024;

/** Replaces an exact piece of text and shows the changed lines. */
export async function editFileForModel(args: EditArguments, context: ToolContext): Promise<string> {
  refuseIdle(args);
  const absolute = resolvePath(args.path, context);
  const shown = showPath(absolute, context.cwd);
  try {
    const before = await readText(absolute, shown);
    const replacements = findReplacements(before, args.old_string, args.new_string);
    checkPlaces(replacements, { args, before, shown });
    const after = applyReplacements(before, replacements);
    context.signal.throwIfAborted();
    await writeAtomically(absolute, after);
    const places = replacements.length === 1 ? "1 place" : `${replacements.length} places`;
    return `Changed ${shown} in ${places}:\n${renderExcerpt(before, after, replacements)}`;
  } catch (error) {
    context.signal.throwIfAborted();
    throw await fileError(error, "edit", absolute, shown);
  }
}

function refuseIdle(args: EditArguments): void {
  if (args.old_string === "") {
    throw refuse("edit-empty", "old_string is empty", "Copy the text to replace, or use `write` for a new file");
  }
  if (args.old_string === args.new_string) {
    throw refuse("edit-equal", "old_string and new_string are equal", "Put the changed text in new_string");
  }
}

async function readText(absolute: string, shown: string): Promise<string> {
  const found = await stat(absolute);
  if (!found.isFile()) {
    throw refuse("path-special", `${shown} is not a file`, "Name a file; `ls` shows what a folder holds");
  }
  if (found.size > maxEditBytes) {
    const message = `${shown} has ${found.size} bytes; edit takes at most ${maxEditBytes}`;
    throw refuse("file-too-large", message, "Change it with a shell command such as `sed -i`");
  }
  const bytes = await readFile(absolute);
  if (bytes.includes(0)) {
    throw refuse("file-binary", `${shown} is a binary file`, "Change it with a program made for its format");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const fix = "Change it with a shell command, or convert it to UTF-8 first";
    throw refuse("file-not-utf8", `${shown} is not UTF-8, so an edit could damage it`, fix);
  }
}

function checkPlaces(
  replacements: readonly Replacement[],
  { args, before, shown }: { args: EditArguments; before: string; shown: string },
): void {
  if (replacements.length === 0) {
    const message = `old_string does not occur in ${shown}`;
    throw refuse("edit-absent", message, adviseOnMissing(before, args.old_string));
  }
  if (replacements.length === 1 || args.replace_all === true) return;
  const numbers = replacements.slice(0, 20).map(({ start }) => lineAt(before, start));
  const more = replacements.length > numbers.length ? ", …" : "";
  throw refuse(
    "edit-ambiguous",
    `old_string occurs ${replacements.length} times in ${shown}, at the lines ${numbers.join(", ")}${more}`,
    "Add lines around it until it is unique, or set replace_all",
  );
}

function refuse(code: string, message: string, fix: string): ToolError {
  return new ToolError({ code, level: "error", message, fix });
}
