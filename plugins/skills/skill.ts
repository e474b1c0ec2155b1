import path from "node:path";
import { QuireError } from "@quire/core";
import type { Config, Diagnostic, PluginHost } from "@quire/core";
import type { SkillRoot } from "./roots.js";

/** One skill as its front matter tells it. */
export interface Skill {
  readonly name: string;
  /** On one line; empty when the author gave none. */
  readonly description: string;
  /** Its `SKILL.md`, absolute. */
  readonly file: string;
  /** The folder its relative paths resolve against, absolute. */
  readonly folder: string;
  readonly scope: SkillRoot["scope"];
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
 * Reads the head of a `SKILL.md`: lenient about what can be guessed, and a skill that cannot be read is a problem.
 * @param head The file's text, or at least its first `maxFrontMatterBytes`.
 */
export function parseSkill(
  head: string,
  file: string,
  scope: SkillRoot["scope"],
  frontMatter: PluginHost["frontMatter"],
): ParsedSkill {
  const problem = frontMatterProblem(head);
  if (problem !== undefined) return { problems: [skillProblem("skill-invalid", file, problem)] };
  try {
    return describeSkill(frontMatter(head).data, file, scope);
  } catch (error) {
    const line = QuireError.is(error) ? error.diagnostic.at?.line : undefined;
    return { problems: [skillProblem("skill-invalid", file, `is skipped: ${reason(error)}`, line)] };
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
  "skill-name-missing": "Add a one-line name of at most 64 characters to its front matter",
  "skill-description-missing": "Add a description to its front matter: what it does and when to use it",
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

function describeSkill(data: Config, file: string, scope: SkillRoot["scope"]): ParsedSkill {
  const folder = path.dirname(file);
  const given = typeof data["name"] === "string" ? data["name"].trim() : "";
  const isUsable = given !== "" && given.length <= maxNameLength && !/[\r\n]/.test(given);
  const name = isUsable ? given : path.basename(folder);
  const disabled = data["disable-model-invocation"];
  const skill: Skill = {
    name,
    description: typeof data["description"] === "string" ? oneLine(data["description"]) : "",
    file,
    folder,
    scope,
    isAutomatic: disabled !== true && disabled !== "true",
  };
  const problems: Diagnostic[] = [];
  if (!isUsable) {
    const what = `has no usable name; its folder's name "${name}" stands in`;
    problems.push(skillProblem("skill-name-missing", file, what));
  }
  if (skill.description === "") {
    problems.push(skillProblem("skill-description-missing", file, "has no description to tell when it is wanted"));
  }
  return { skill, problems };
}

/** Of the Agent Skills format. Source: agentskills.io/specification. */
const maxNameLength = 64;

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
