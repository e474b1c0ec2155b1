import type { Diagnostic, Place, PluginHost } from "@quire/core";
import { findSkill, nearestNames } from "./choose-skill.js";
import type { FindSkills } from "./find-skills.js";
import { reason, type Skill } from "./skill.js";
import { skillInstructions } from "./skill-text.js";

/**
 * Turns `/skill:name words` into the skill's instructions in a block, then the words. Any other text is left alone.
 * @returns `text` is undefined when there is nothing to change.
 */
export async function expandSkillCommand(
  input: string,
  place: Place,
  findSkills: FindSkills,
  frontMatter: PluginHost["frontMatter"],
): Promise<{ readonly text?: string; readonly problem?: Diagnostic }> {
  const [, wanted, words = ""] = /^\/skill:(\S+)(?:\s+([\s\S]*))?$/.exec(input) ?? [];
  if (wanted === undefined) return {};
  const skills = await findSkills(place);
  const skill = findSkill(wanted, skills);
  if (skill === undefined) return { problem: unknownSkill(wanted, skills) };
  try {
    const block = skillBlock(skill, await skillInstructions(place, skill, frontMatter));
    return { text: words.trim() === "" ? block : `${block}\n\n${words.trim()}` };
  } catch (error) {
    return { problem: unreadable(skill, error) };
  }
}

/** The instructions in a tag that their text cannot close. */
function skillBlock(skill: Skill, instructions: string): string {
  let tag = "skill";
  for (let count = 2; instructions.includes(`</${tag}>`); count++) tag = `skill-${count}`;
  const attributes = `name="${escapeAttribute(skill.name)}" location="${escapeAttribute(skill.file)}"`;
  return `<${tag} ${attributes}>\n${instructions}\n</${tag}>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function unknownSkill(wanted: string, skills: readonly Skill[]): Diagnostic {
  const near = nearestNames(wanted, skills);
  return {
    code: "skill-unknown",
    level: "warn",
    message: `There is no skill "${wanted}", so the line goes out as it was typed`,
    fix: near === "" ? "There are no skills here" : `The nearest are: ${near}`,
  };
}

function unreadable(skill: Skill, error: unknown): Diagnostic {
  return {
    code: "skill-unreadable",
    level: "warn",
    message: `The skill ${skill.file} cannot be started, so the line goes out as it was typed: ${reason(error)}`,
    at: { kind: "file", file: skill.file },
    fix: "Make it a readable UTF-8 text file",
  };
}
