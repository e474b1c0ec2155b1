import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigError, type Origin } from "@quire/core";
import { withoutLastNewline } from "../markdown/section-file.js";

/** A text that came by a flag, and the flag or file it stands in. */
export interface FlagText {
  readonly text: string;
  readonly by: Origin;
}

/** A value that is a text, or the path of an existing file whose text is meant. */
export async function textOrFile(value: string, typedAt: string, flag: string): Promise<FlagText> {
  const path = resolve(typedAt, value);
  const found = value === "" || /[\n\0]/.test(value) ? null : await stat(path).catch(() => null);
  // A pipe is what the shell's `<(command)` gives.
  return found?.isFile() === true || found?.isFIFO() === true
    ? readText(path, flag)
    : { text: value, by: { kind: "flag" } };
}

/** A value that is a text, or `@` and the path of a file whose text is meant. */
export async function textOrAtFile(value: string, typedAt: string, flag: string): Promise<FlagText> {
  return value.startsWith("@")
    ? readText(resolve(typedAt, value.slice(1)), flag)
    : { text: value, by: { kind: "flag" } };
}

async function readText(file: string, flag: string): Promise<FlagText> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
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

function flagError(message: string, fix: string, cause: unknown): ConfigError {
  return new ConfigError({ code: "flag-invalid", level: "error", message, at: { kind: "flag" }, fix, cause });
}
