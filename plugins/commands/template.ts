import { QuireError } from "@quire/core";
import type { Config, Diagnostic, Place, PluginHost } from "@quire/core";

/** A command file, read. */
export interface Template {
  /** From the front matter, else the first line of the body, cut. May be empty. */
  readonly description: string;
  /** What the author says of the arguments: `<file> [line]`. Shown, and not checked. */
  readonly hint?: string;
  /** Without front matter and the white space around it. */
  readonly body: string;
}

/** Most UTF-8 bytes of a command file. */
export const maxTemplateBytes = 262_144;

/** Reads one command file; what is wrong with it is a problem that names it. */
export async function readTemplate(
  place: Pick<Place, "read">,
  file: string,
  frontMatter: PluginHost["frontMatter"],
): Promise<{ readonly template: Template } | { readonly problem: Diagnostic }> {
  try {
    const text = await place.read(file, { maxBytes: maxTemplateBytes + 1 });
    if (text === null) return { problem: commandProblem("command-unreadable", file, "is not there any more") };
    if (Buffer.byteLength(text) > maxTemplateBytes) {
      return { problem: commandProblem("command-too-large", file, `is larger than ${maxTemplateBytes} bytes`) };
    }
    return { template: parseTemplate(text, frontMatter) };
  } catch (error) {
    const why = QuireError.is(error) ? error.diagnostic.message : String(error);
    return { problem: commandProblem("command-unreadable", file, `cannot be used: ${why}`) };
  }
}

/** Front matter that is no YAML, as `argument-hint: [file] [line]` is none, is read line by line. */
export function parseTemplate(text: string, frontMatter: PluginHost["frontMatter"]): Template {
  const { data, body } = splitFrontMatter(text, frontMatter);
  const description = typeof data["description"] === "string" ? oneLine(data["description"]) : "";
  const hint = hintText(data["argument-hint"]);
  return {
    description: description === "" ? firstLine(body) : description,
    ...(hint === "" ? {} : { hint }),
    body: body.trim(),
  };
}

function splitFrontMatter(text: string, frontMatter: PluginHost["frontMatter"]): { data: Config; body: string } {
  try {
    return frontMatter(text);
  } catch {
    const [block = "", source = ""] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(text) ?? [];
    const fields = [...source.matchAll(/^(description|argument-hint)[ \t]*:[ \t]*(\S.*?)[ \t]*\r?$/gm)];
    return {
      data: Object.fromEntries(fields.map(([, key = "", value = ""]) => [key, value.replace(/^(["'])(.*)\1$/, "$2")])),
      body: text.slice(block.length),
    };
  }
}

/** A finding about one command file. */
export function commandProblem(code: keyof typeof fixes, file: string, what: string, line?: number): Diagnostic {
  return {
    code,
    level: "warn",
    message: `The command file ${file} ${what}`,
    at: { kind: "file", file, ...(line === undefined ? {} : { line }) },
    fix: fixes[code],
  };
}

const fixes = {
  "command-unreadable": "Make it a readable UTF-8 text file, or move it away",
  "command-too-large": "Shorten it, or let it name a file to read",
  "command-duplicate": "Rename one of them, or move one away",
  "command-name": "Give the file a name without spaces",
  "command-missing": "Correct the path where it is set",
  "command-folder-nested": "Move the files up, or name that folder in commands.paths",
  "command-untrusted": "Start with --trust to use it this once",
} as const;

/** YAML reads a hint such as `[file]` as a list: it is put back into its signs. */
function hintText(value: unknown): string {
  if (typeof value === "string") return oneLine(value);
  return Array.isArray(value) ? `[${value.map(String).join(", ")}]` : "";
}

function firstLine(body: string): string {
  const line =
    body
      .split(/\r?\n/)
      .find((text) => text.trim() !== "")
      ?.trim() ?? "";
  const signs = Array.from(line);
  return signs.length > maxFallbackLength ? `${signs.slice(0, maxFallbackLength).join("")}…` : line;
}

/** Characters of a body's first line that stand in for a description. */
const maxFallbackLength = 60;

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
