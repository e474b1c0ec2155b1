import { ToolError } from "@quire/core";
import type { Place, PluginHost, ToolSpec } from "@quire/core";
import * as z from "zod";
import cutText from "../../prompts/skills/cut.md";
import description from "../../prompts/skills/load-skill.md";
import loadedText from "../../prompts/skills/loaded.md";
import { bySimilarity } from "./similar-names.js";
import { readSkillFile, skillEntries, type SkillText } from "./skill-file.js";
import type { Skill } from "./skill.js";

const input = z.object({
  skill: z.string().describe("Name of the skill, as the catalog shows it"),
  file: z.string().optional().describe("A file of the skill, relative to its folder; without it the instructions"),
});

export type LoadSkillInput = z.output<typeof input>;

/**
 * The tool that brings a skill's instructions into the conversation.
 * @param findSkills The skills of this moment that are on.
 */
export function loadSkillTool(
  findSkills: (place: Place) => Promise<readonly Skill[]>,
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
      const loaded = await readSkillFile(context, skill, args.file === "" ? undefined : args.file);
      if (args.file !== undefined && args.file !== "") return withCutNote(loaded, loaded.text);
      const head = loadedText
        .trim()
        .replace("{name}", () => skill.name)
        .replace("{folder}", () => skill.folder);
      const others = (await skillEntries(context, skill.folder)).filter((name) => name !== "SKILL.md");
      const files = others.length === 0 ? "" : `\nBeside them stand: ${others.join(", ")}`;
      const body = frontMatter(loaded.text).body.trim();
      return withCutNote(loaded, `${head}${files}\n\n${body}`);
    },
  };
}

function withCutNote(loaded: SkillText, text: string): string {
  if (!loaded.isCut) return text;
  const note = cutText
    .trim()
    .replace("{shown}", String(Buffer.byteLength(loaded.text)))
    .replace("{file}", () => loaded.file);
  return `${text}\n\n${note}`;
}

function chooseSkill(wanted: string, skills: readonly Skill[]): Skill {
  const skill = skills.find(({ name }) => name === wanted.trim());
  if (skill?.isAutomatic === true) return skill;
  if (skill !== undefined) {
    throw new ToolError({
      code: "skill-not-automatic",
      level: "error",
      message: `The skill "${skill.name}" lets only the user start it`,
      fix: "Go on without it, and tell the user what you wanted it for",
    });
  }
  const names = skills.filter(({ isAutomatic }) => isAutomatic).map(({ name }) => name);
  const near = bySimilarity(wanted, names).slice(0, 10);
  throw new ToolError({
    code: "skill-unknown",
    level: "error",
    message: `There is no skill "${wanted}"`,
    fix: near.length === 0 ? "There are no skills here: go on without one" : `The nearest are: ${near.join(", ")}`,
  });
}
