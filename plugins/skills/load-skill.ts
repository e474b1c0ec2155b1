import { ToolError } from "@quire/core";
import type { PluginHost, ToolSpec } from "@quire/core";
import * as z from "zod";
import description from "../../prompts/skills/load-skill.md";
import { findSkill, nearestNames } from "./choose-skill.js";
import type { FindSkills } from "./find-skills.js";
import { readSkillFile } from "./skill-file.js";
import { skillInstructions, withCutNote } from "./skill-text.js";
import type { Skill } from "./skill.js";

const input = z.object({
  skill: z.string().describe("Name of the skill, as the catalog shows it"),
  file: z.string().optional().describe("A file of the skill, relative to its folder; without it the instructions"),
});

export type LoadSkillInput = z.output<typeof input>;

/** The tool that brings a skill's instructions into the conversation. */
export function loadSkillTool(
  findSkills: FindSkills,
  frontMatter: PluginHost["frontMatter"],
): ToolSpec<LoadSkillInput> {
  return {
    name: "skills/load_skill",
    description: description.trim(),
    snippet: "load the full instructions of a skill, or a file that belongs to it",
    effect: "read",
    parallel: true,
    input,
    async execute(args, context) {
      const skill = chooseSkill(args.skill, await findSkills(context));
      if (args.file === undefined || args.file === "") return await skillInstructions(context, skill, frontMatter);
      const loaded = await readSkillFile(context, skill, args.file);
      return withCutNote(loaded, loaded.text);
    },
  };
}

function chooseSkill(wanted: string, skills: readonly Skill[]): Skill {
  const skill = findSkill(wanted, skills);
  if (skill?.isAutomatic === true) return skill;
  if (skill !== undefined) {
    throw new ToolError({
      code: "skill-not-automatic",
      level: "error",
      message: `The skill "${skill.name}" lets only the user start it`,
      fix: "Go on without it, and tell the user what you wanted it for",
    });
  }
  const near = nearestNames(
    wanted,
    skills.filter(({ isAutomatic }) => isAutomatic),
  );
  throw new ToolError({
    code: "skill-unknown",
    level: "error",
    message: `There is no skill "${wanted}"`,
    fix: near === "" ? "There are no skills here: go on without one" : `The nearest are: ${near}`,
  });
}
