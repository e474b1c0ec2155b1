import path from "node:path";
import { QuireError } from "@quire/core";
import type { Config, Diagnostic, PluginHost } from "@quire/core";
import type { SkillRoot } from "./roots.js";

/** One skill as its front matter tells it. */
export interface Skill {
  readonly name: string;
  /** The name in letters, digits and hyphens; unique. `/skill:` and `load_skill` take either. */
  readonly handle: string;
  /** On one line; empty when the author gave none. */
  readonly description: string;
  /** Its `SKILL.md`, absolute. */
  readonly file: string;
  /** The folder its relative paths resolve against, absolute. */
  readonly folder: string;
  readonly scope: string;
  readonly owner: SkillRoot["owner"];
  /** False: `disable-model-invocation` is set, only the user may start it. */
  readonly isAutomatic: boolean;
}

export interface ParsedSkill {
  readonly skill?: Skill;
  readonly problems: readonly Diagnostic[];
}

/** Most bytes of a `SKILL.md` in which its front matter must end. */
export const maxFrontMatterBytes = 65_536;

/**
 * Reads the head of a `SKILL.md`: lenient about all that can be guessed. A skill that cannot be read is a problem.
 * @param head The file's text, or at least its first `maxFrontMatterBytes`.
 */
export function parseSkill(
  head: string,
  file: string,
  root: Pick<SkillRoot, "owner" | "scope">,
  frontMatter: PluginHost["frontMatter"],
): ParsedSkill {
  const problem = frontMatterProblem(head);
  if (problem !== undefined) return { problems: [skillProblem("skill-invalid", file, problem)] };
  try {
    return describeSkill(frontMatter(head).data, file, root);
  } catch (error) {
    const line = QuireError.is(error) ? error.diagnostic.at?.line : undefined;
    const data = looseFields(head);
    if (data["description"] === undefined) {
      return { problems: [skillProblem("skill-invalid", file, `is skipped: ${reason(error)}`, line)] };
    }
    const { skill, problems } = describeSkill(data, file, root);
    const what = `is read line by line, because its front matter is no YAML: ${reason(error)}`;
    return { ...(skill && { skill }), problems: [skillProblem("skill-front-matter", file, what, line), ...problems] };
  }
}

/** A finding about one skill file. */
export function skillProblem(code: keyof typeof fixes, file: string, what: string, line?: number): Diagnostic {
  return {
    code,
    level: "warn",
    message: `The skill ${file} ${what}`,
    at: { kind: "file", file, ...(line === undefined ? {} : { line }) },
    section: "skills/catalog",
    fix: fixes[code],
  };
}

export function reason(error: unknown): string {
  if (QuireError.is(error)) return error.diagnostic.message;
  return error instanceof Error ? error.message : String(error);
}

const fixes = {
  "skill-invalid": "Begin it with front matter between two lines of ---, holding name and description as YAML",
  "skill-unreadable": "Make it a readable UTF-8 text file, or move it away",
  "skill-front-matter": "Put values that hold `: ` or `#`, or that begin with a bracket, in quotes",
  "skill-name-missing": "Add a one-line name of at most 64 characters to its front matter",
  "skill-name-format": "Give folder and skill one name of lower-case letters, digits and single hyphens",
  "skill-description-missing": "Add a description to its front matter: what it does and when to use it",
  "skill-description-long": "Say in fewer words what it does and when to use it; the rest belongs in the body",
  "skill-duplicate": "Rename one of them, or move one away",
} as const;

function frontMatterProblem(head: string): string | undefined {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(head);
  if (opening === null) return undefined;
  const closing = /^---[ \t]*\r?$/m.exec(head.slice(opening[0].length));
  const closingAt = closing === null ? head.length : opening[0].length + closing.index;
  if (Buffer.byteLength(head.slice(0, closingAt)) > maxFrontMatterBytes) {
    return `is skipped: its front matter is longer than ${maxFrontMatterBytes} bytes`;
  }
  return closing === null ? "is skipped: its front matter is never closed" : undefined;
}

/** What unquoted text in front matter most likely means: each known key up to the end of its line. */
function looseFields(head: string): Config {
  const source = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(head)?.[1] ?? "";
  const fields = [...source.matchAll(/^(name|description|disable-model-invocation)[ \t]*:[ \t]*(\S.*?)[ \t]*\r?$/gm)];
  return Object.fromEntries(
    fields
      .filter(([, , value = ""]) => /[\p{L}\p{N}]/u.test(value))
      .map(([, key = "", value = ""]) => [key, value.replace(/^(["'])(.*)\1$/, "$2")]),
  );
}

function describeSkill(data: Config, file: string, root: Pick<SkillRoot, "owner" | "scope">): ParsedSkill {
  const folder = path.dirname(file);
  const given = typeof data["name"] === "string" ? data["name"].trim() : "";
  const isUsable = given !== "" && given.length <= maxNameLength && !/[\r\n]/.test(given);
  const name = isUsable ? given : path.basename(folder);
  const description = typeof data["description"] === "string" ? oneLine(data["description"]) : "";
  const disabled = data["disable-model-invocation"];
  const problems = [
    ...(isUsable ? nameProblems(name, file) : [missingName(name, file)]),
    ...descriptionProblems(description, file),
  ];
  const skill: Skill = {
    name,
    handle: handleOf(name),
    description,
    file,
    folder,
    scope: root.scope,
    owner: root.owner,
    isAutomatic: disabled !== true && disabled !== "true",
  };
  return { skill, problems };
}

function handleOf(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
  return plain.replaceAll(/^-|-$/g, "") || "skill";
}

function missingName(name: string, file: string): Diagnostic {
  return skillProblem("skill-name-missing", file, `has no usable name; its folder's name "${name}" stands in`);
}

function nameProblems(name: string, file: string): readonly Diagnostic[] {
  const folder = path.basename(path.dirname(file));
  const what = nameFormat.test(name)
    ? `has the name "${name}", its folder the name "${folder}"`
    : `has the name "${name}", which other programs may refuse`;
  return nameFormat.test(name) && name === folder ? [] : [skillProblem("skill-name-format", file, what)];
}

function descriptionProblems(description: string, file: string): readonly Diagnostic[] {
  if (description === "") {
    return [skillProblem("skill-description-missing", file, "has no description to tell when it is wanted")];
  }
  const length = Array.from(description).length;
  if (length <= maxDescriptionLength) return [];
  const what = `has a description of ${length} characters, the format allows ${maxDescriptionLength}`;
  return [skillProblem("skill-description-long", file, what)];
}

/** These three are of the Agent Skills format. Source: agentskills.io/specification. */
const maxNameLength = 64;
const maxDescriptionLength = 1024;
const nameFormat = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
