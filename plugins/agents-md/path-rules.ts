import path from "node:path";
import type { Diagnostic, PluginHost } from "@quire/core";
import { fixedFolder, matchesGlob } from "./glob.js";
import { fileProblem, reasonOf } from "./problems.js";
import { isInside } from "./spots.js";

/** A file's text without the front matter that limits it. */
export interface RuledText {
  /** Globs from the project root; undefined: the file is not limited. */
  readonly paths?: readonly string[];
  readonly text: string;
  /** The line of the file that `text` starts at. */
  readonly line: number;
  readonly problem?: Diagnostic;
}

/** Takes `paths:` off a text. Any other front matter is the text's own and stays. */
export function parsePathRule(text: string, file: string, frontMatter: PluginHost["frontMatter"]): RuledText {
  const whole = { text, line: 1 };
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (opening === null || !/^[ \t]*["']?paths["']?[ \t]*:/m.test(headOf(text, opening[0].length))) return whole;
  try {
    const { data, body, bodyLine } = frontMatter(text);
    if (data["paths"] === undefined) return whole;
    const paths = toGlobs(data["paths"]);
    if (paths === undefined) {
      const message = `The instruction file ${file} counts everywhere: its paths: is neither a glob nor a list of globs`;
      return { text: body, line: bodyLine, problem: fileProblem("instruction-rule-invalid", file, message) };
    }
    return { text: body, line: bodyLine, ...(paths.length === 0 ? {} : { paths }) };
  } catch (error) {
    const message = `The instruction file ${file} counts everywhere: ${reasonOf(error)}`;
    return { ...whole, problem: fileProblem("instruction-rule-invalid", file, message) };
  }
}

/** The text of the front matter, or nothing when it is never closed. */
function headOf(text: string, from: number): string {
  const closing = /^---[ \t]*\r?$/m.exec(text.slice(from));
  return closing === null ? "" : text.slice(from, from + closing.index);
}

/** One glob, several with commas between them, or a list of such. Undefined: something else. */
function toGlobs(value: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!list.every((one) => typeof one === "string")) return undefined;
  return list
    .flatMap((one) => one.split(/,(?![^{]*\})/))
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** What is being worked on, as far as it can be known. */
export interface Work {
  readonly cwd: string;
  readonly projectRoot: string;
  /** Files that words or tool calls of the session named, relative to the project root, with "/". */
  readonly files: readonly string[];
}

/**
 * Whether one of the globs fits the work: a named file matches it, or the working directory lies in the folder that
 * the glob cannot leave. A glob without such a folder, like `**` + `/*.ts`, fits everywhere in the project.
 */
export function isMatchingWork(paths: readonly string[], work: Work): boolean {
  return paths.some(
    (glob) =>
      isInside(path.join(work.projectRoot, fixedFolder(glob)), work.cwd) ||
      work.files.some((file) => matchesGlob(glob, file)),
  );
}
