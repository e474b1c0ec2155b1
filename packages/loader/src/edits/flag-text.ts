import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigError, type Diagnostic, type Origin } from "@quire/core";
import { withoutLastNewline } from "../markdown/section-file.js";

/** A text that came by a flag, and the flag or file it stands in. */
export interface FlagText {
  readonly text: string;
  readonly by: Origin;
}

/** Reads the texts of one command line. */
export interface FlagTexts {
  /** A value that is a text, or the path of an existing file whose text is meant. What cannot be read is literal. */
  textOrFile(value: string, flag: string): Promise<FlagText>;
  /**
   * A value that is a text, or `@` and the path of a file whose text is meant.
   * @throws {ConfigError} `flag-invalid` for a file that cannot be read.
   */
  textOrAtFile(value: string, flag: string): Promise<FlagText>;
  /** One warning for each value that names a file and was used literally. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * @param typedAt What relative paths count from.
 * @param mayName False: a value is always literal, whatever it names.
 */
export function flagTexts(typedAt: string, mayName: boolean): FlagTexts {
  const diagnostics: Diagnostic[] = [];
  return {
    diagnostics,
    async textOrFile(value, flag) {
      const literal: FlagText = { text: value, by: { kind: "flag" } };
      if (!mayName || value === "" || /[\n\0]/.test(value)) return literal;
      const named = resolve(typedAt, value);
      // `@file`, as `--section` takes it, when there is no file of that very name.
      const file = value.startsWith("@") && !(await exists(named)) ? resolve(typedAt, value.slice(1)) : named;
      if (!(await exists(file))) {
        if (looksLikeFile(value)) diagnostics.push(usedLiterally(flag, file, "does not exist"));
        return literal;
      }
      try {
        return await readText(file, flag);
      } catch (error) {
        diagnostics.push(usedLiterally(flag, file, "cannot be read as text", error));
        return literal;
      }
    },
    async textOrAtFile(value, flag) {
      if (!value.startsWith("@")) return { text: value, by: { kind: "flag" } };
      return await readText(resolve(typedAt, value.slice(1)), flag);
    },
  };
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}

/** @throws {ConfigError} `flag-invalid`. */
async function readText(file: string, flag: string): Promise<FlagText> {
  let bytes: Uint8Array;
  try {
    bytes = await readAll(file);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === "ENOENT" ? "There is no file" : "There is no readable file";
    throw flagError(`${flag}: ${why} ${file}`, "A relative path counts from the folder you type in", cause);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text: withoutLastNewline(text), by: { kind: "flag", file, line: 1 } };
  } catch (cause) {
    throw flagError(`${flag}: ${file} is not UTF-8 text`, "Save it as UTF-8", cause);
  }
}

/** A pipe is what the shell's `<(command)` gives; a device might never end. */
async function readAll(file: string): Promise<Uint8Array> {
  const found = await stat(file);
  if (found.isFile() || found.isFIFO()) return await readFile(file);
  throw new Error(`${file} is no file`);
}

function flagError(message: string, fix: string, cause: unknown): ConfigError {
  return new ConfigError({ code: "flag-invalid", level: "error", message, at: { kind: "flag" }, fix, cause });
}

/** One word that ends as file names do: `rules.md`, `@notes/today.txt`. */
function looksLikeFile(value: string): boolean {
  return /^@?[\w./~-]+\.(md|markdown|txt)$/i.test(value);
}

function usedLiterally(flag: string, file: string, why: string, cause?: unknown): Diagnostic {
  return {
    code: "flag-file-unreadable",
    level: "warn",
    message: `${flag} names the file ${file}, which ${why}: the value is used as it was typed`,
    at: { kind: "flag" },
    fix: "Make it a UTF-8 text file that you may read",
    ...(cause !== undefined && { cause }),
  };
}
