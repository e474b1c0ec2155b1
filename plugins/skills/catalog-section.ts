import type { Diagnostic, PluginHost, SectionContext, SectionSpec } from "@quire/core";
import emptyText from "../../prompts/skills/empty.md";
import introRead from "../../prompts/skills/intro-read.md";
import introTool from "../../prompts/skills/intro.md";
import introUrl from "../../prompts/skills/intro-url.md";
import { skillCatalog } from "./catalog.js";
import type { FindSkills } from "./find-skills.js";
import type { SkillOptions } from "./options.js";
import type { Skill } from "./skill.js";

const intros = { tool: introTool, read: introRead, url: introUrl } as const;

/** The section `skills/catalog`. */
export function catalogSection(
  options: SkillOptions,
  findSkills: FindSkills,
  report: PluginHost["report"],
): SectionSpec {
  const texts = { intro: intros[options.load].trim(), empty: emptyText.trim() };
  return {
    name: "skills/catalog",
    slot: "skills",
    cache: "memoized",
    when: () => options.enabled,
    key: (context) => String(canLoad(context, options)),
    async compute(context) {
      const skills = await findSkills(context);
      if (!canLoad(context, options)) {
        const hidden = skills.filter(({ isAutomatic }) => isAutomatic).length;
        if (hidden > 0 && context.audience === "main") report(unreachable(hidden, options));
        return null;
      }
      const { content, omitted } = skillCatalog(skills, options, texts);
      if (omitted.length > 0) report(overBudget(omitted, options));
      return content;
    },
  };
}

/** A catalog is of no use to a model that cannot load from it. */
function canLoad({ tools }: SectionContext, options: SkillOptions): boolean {
  return options.visible === "always" || tools.some(({ name }) => isLoader(name, options));
}

function isLoader(name: string, { load }: SkillOptions): boolean {
  return load === "tool" ? name.endsWith("load_skill") : name === "read";
}

function unreachable(count: number, { load }: SkillOptions): Omit<Diagnostic, "plugin"> {
  const tool = load === "tool" ? "load_skill" : "read";
  return {
    code: "skills-unreachable",
    level: "warn",
    message: `${count === 1 ? "1 skill is" : `${count} skills are`} not listed, because the tool "${tool}" that loads them is off`,
    section: "skills/catalog",
    fix: `Turn "${tool}" on, or set skills.enabled to false`,
  };
}

function overBudget(omitted: readonly Skill[], { budget }: SkillOptions): Omit<Diagnostic, "plugin"> {
  const names = omitted.map(({ name }) => `"${name}"`).join(", ");
  return {
    code: "skills-omitted",
    level: "warn",
    message: `The catalog of skills may take ${budget} bytes; left out for their size: ${names}`,
    section: "skills/catalog",
    fix: "Shorten descriptions, turn skills off with skills.off, or raise skills.budget",
  };
}
