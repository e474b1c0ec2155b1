import { definePlugin } from "@quire/core";
import type { Place } from "@quire/core";
import intro from "../../prompts/skills/intro.md";
import { catalogContent, enabledSkills } from "./catalog.js";
import { discoverSkills } from "./discover.js";
import { loadSkillTool } from "./load-skill.js";
import { skillsOptions } from "./options.js";
import { skillRoots } from "./roots.js";

/** Finds skills on disk, lists them in the prompt, and loads one when it is wanted. */
export default definePlugin({
  name: "skills",
  apiVersion: 1,
  options: skillsOptions,
  configKeys: ["skills"],
  setup(host) {
    const { enabled, paths, off } = host.options.skills;
    const frontMatter = (text: string) => host.frontMatter(text);
    const reported = new Set<string>();
    const findSkills = async (place: Place) => {
      if (!enabled) return [];
      const { skills, problems } = await discoverSkills(place, skillRoots(place, paths), frontMatter);
      for (const problem of problems.filter(({ message }) => !reported.has(message))) {
        reported.add(problem.message);
        host.report(problem);
      }
      return enabledSkills(skills, off);
    };
    host.sections.register({
      name: "skills/catalog",
      slot: "skills",
      cache: "memoized",
      budget: { maxBytes: 32_768, overflow: "drop-items" },
      // A catalog is of no use to a model that cannot load from it.
      when: ({ tools }) => enabled && tools.some(({ name }) => name.endsWith("load_skill")),
      compute: async (context) => catalogContent(await findSkills(context), intro.trim()),
    });
    host.tools.register(loadSkillTool(findSkills, frontMatter));
  },
});
