import { definePlugin } from "@quire/core";
import { catalogSection } from "./catalog-section.js";
import { reportOnce, skillFinder } from "./find-skills.js";
import { loadSkillTool } from "./load-skill.js";
import { skillsOptions } from "./options.js";
import { expandSkillCommand } from "./skill-command.js";
import { readFromSkill, refuseSkillUrl } from "./skill-url.js";

export { findSkill } from "./choose-skill.js";
export { listSkills } from "./list-skills.js";
export { skillsOptions } from "./options.js";
export { readSkillFile } from "./skill-file.js";
export { skillInstructions } from "./skill-text.js";

export type { ListedSkill } from "./list-skills.js";
export type { SkillOptions } from "./options.js";
export type { Skill } from "./skill.js";

/** Finds skills on disk, lists them in the prompt, and loads one when it is wanted. */
export default definePlugin({
  name: "skills",
  apiVersion: 1,
  options: skillsOptions,
  configKeys: ["skills"],
  setup(host) {
    const options = host.options.skills;
    const frontMatter = (text: string) => host.frontMatter(text);
    const report = reportOnce((finding) => host.report(finding));
    const findSkills = skillFinder(options, host, report);
    host.sections.register(catalogSection(options, findSkills, report));
    if (options.load === "tool") host.tools.register(loadSkillTool(findSkills, frontMatter));
    if (options.load === "url") {
      host.hooks.beforeToolCall.tap((call, context) => readFromSkill(call, context, findSkills));
      host.hooks.permissionCheck.tap((request) => refuseSkillUrl(request, findSkills));
    }
    host.hooks.userInput.tap(async (input, context) => {
      const { text, problem } = await expandSkillCommand(input.text, context, findSkills, frontMatter);
      if (problem !== undefined) host.report(problem);
      return text === undefined ? undefined : { ...input, text };
    });
  },
});
