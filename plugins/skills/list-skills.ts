import type { Diagnostic, Place, PluginHost } from "@quire/core";
import { enabledSkills, skillCatalog } from "./catalog.js";
import { discoverSkills } from "./discover.js";
import type { SkillOptions } from "./options.js";
import { skillRoots } from "./roots.js";
import type { Skill } from "./skill.js";

/** A skill as a listing shows it. */
export interface ListedSkill extends Skill {
  /**
   * `listed`: in the catalog. `manual`: only the user may start it. `off`: config turns it off. `omitted`: too large for
   * what was left of the catalog's budget.
   */
  readonly state: "listed" | "manual" | "off" | "omitted";
}

/** All skills of a place; what is hidden, broken or not trusted is a problem. */
export async function listSkills(
  place: Place,
  options: SkillOptions,
  frontMatter: PluginHost["frontMatter"],
): Promise<{ readonly skills: readonly ListedSkill[]; readonly problems: readonly Diagnostic[] }> {
  if (!options.enabled) return { skills: [], problems: [] };
  const { skills, problems } = await discoverSkills(place, skillRoots(place, options), options, frontMatter);
  const enabled = new Set(enabledSkills(skills, options.off));
  const omitted = new Set(skillCatalog([...enabled], options, { intro: "", empty: "" }).omitted);
  const stateOf = (skill: Skill): ListedSkill["state"] => {
    if (!enabled.has(skill)) return "off";
    if (!skill.isAutomatic) return "manual";
    return omitted.has(skill) ? "omitted" : "listed";
  };
  return { skills: skills.map((skill) => ({ ...skill, state: stateOf(skill) })), problems };
}
