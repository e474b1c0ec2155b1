import { QuireError, type Config, type Diagnostic } from "@quire/core";
import { nearest, type HostEdit } from "@quire/core/host";
import { parseFrontMatter } from "./front-matter.js";
import { parseTemplate, templateBody, variableNames } from "./variables.js";

/** An override file found under a `sections/` folder. */
export interface SectionFile {
  /** Absolute. */
  readonly file: string;
  /** Relative to the `sections/` folder, with `/`. */
  readonly path: string;
  /** An error when it cannot be read. */
  readonly bytes: Uint8Array | Error;
}

/** An edit by a file. `base` is the SHA-256 of the text it replaced when it was made, as plain text without markup. */
export type SectionFileEdit = HostEdit & { readonly base?: string };

/** The largest override file that is read, in bytes. */
export const maxSectionFileBytes = 1_048_576;

const modes = ["replace", "append", "prepend", "add", "remove"] as const;
type Mode = (typeof modes)[number];

/** Reads one file `<plugin>/<name>.md` as an edit, or says why it does not count; then the next layer serves. */
export function parseSectionFile(source: SectionFile, layer: HostEdit["layer"]): SectionFileEdit | Diagnostic {
  const name = sectionName(source.path);
  if (name === null) {
    return rejected(source, 1, "It stands where no section's file stands", "Move it to sections/<plugin>/<name>.md");
  }
  if (source.bytes instanceof Error) {
    return rejected(source, 1, `It cannot be read: ${source.bytes.message}`, "Make it a file that you may read");
  }
  if (source.bytes.length > maxSectionFileBytes) {
    return rejected(source, 1, `It is larger than ${maxSectionFileBytes} bytes`, "Shorten it");
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(source.bytes);
  } catch {
    return rejected(source, 1, "It is not UTF-8 text", "Save it as UTF-8");
  }
  let matter;
  try {
    matter = parseFrontMatter(text);
  } catch (error) {
    if (!QuireError.is(error)) throw error;
    const { message, at, fix } = error.diagnostic;
    return rejected(source, at?.line ?? 1, message, fix ?? "Mend the front matter");
  }
  const fault = findFault(matter.data, source);
  if (fault !== null) return fault;
  const mode = (matter.data["mode"] ?? "replace") as Mode;
  const by = { kind: "file", file: source.file, line: matter.bodyLine } as const;
  if (mode === "remove") return { layer, by, op: "remove", section: name, why: `${source.path} removes it` };

  const body = withoutLastNewline(matter.body);
  const template = parseTemplate(body);
  if ("token" in template) {
    const line = matter.bodyLine + template.line - 1;
    const like = nearest(template.token.replaceAll(/[{}\s]/g, ""), variableNames);
    const hint = like === undefined ? "" : `Did you mean {{${like}}}? `;
    const fix = `${hint}The variables are ${variableNames.map((each) => `{{${each}}}`).join(", ")}`;
    return rejected(source, line, `There is no variable ${template.token}`, fix);
  }
  const content = template.parts.length === 1 ? body : templateBody(template);
  const { base } = matter.data;
  const made = mode === "replace" && typeof base === "string" ? { base } : {};
  if (mode !== "add") return { layer, by, op: mode, section: name, content, ...made };
  return { layer, by, op: mode, section: addedName(name), content, slot: String(matter.data["slot"]) };
}

/** `base/rules.md` is of `base/rules`, `@acme/focus/branch.md` of `@acme/focus/branch`; anything else is of nothing. */
function sectionName(path: string): string | null {
  const parts = path.replace(/\.md$/, "").split("/");
  return parts.length === (path.startsWith("@") ? 3 : 2) ? parts.join("/") : null;
}

/** Only the host and the user may bring sections called `user/…`, so that no plugin's is taken by accident. */
function addedName(name: string): string {
  return name.startsWith("user/") ? name : `user/${name.replace(/^@/, "").replaceAll("/", "-")}`;
}

/** One line end at the end is an editor's habit, not the author's word. */
export function withoutLastNewline(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function findFault(data: Config, source: SectionFile): Diagnostic | null {
  const known = ["mode", "slot", "base"];
  for (const [key, value] of Object.entries(data)) {
    if (!known.includes(key)) {
      const like = nearest(key, known);
      const hint = like === undefined ? "" : `Did you mean \`${like}\`? `;
      return rejected(source, 2, `\`${key}\` is no key of a section file`, `${hint}Keys are ${known.join(", ")}`);
    }
    if (typeof value !== "string" || value === "") {
      return rejected(
        source,
        2,
        `\`${key}\` is ${JSON.stringify(value)} where a word is wanted`,
        `Write \`${key}: word\``,
      );
    }
  }
  const mode = (data["mode"] ?? "replace") as string;
  if (!modes.some((each) => each === mode)) {
    const like = nearest(mode, modes);
    const hint = like === undefined ? "" : `Did you mean \`${like}\`? `;
    return rejected(source, 2, `There is no mode "${mode}"`, `${hint}Modes are ${modes.join(", ")}`);
  }
  if (mode === "add" && data["slot"] === undefined) {
    return rejected(source, 2, "An added section needs a slot", "Write `slot: project`, or another slot of the layout");
  }
  return null;
}

function rejected(source: SectionFile, line: number, what: string, fix: string): Diagnostic {
  const at = { kind: "file", file: source.file, line } as const;
  return {
    code: "section-file-invalid",
    level: "error",
    message: `The section file ${source.path} does not count. ${what}`,
    at,
    fix,
  };
}
