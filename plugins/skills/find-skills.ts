import type { Place, PluginHost } from "@quire/core";
import { enabledSkills } from "./catalog.js";
import { discoverSkills } from "./discover.js";
import type { SkillOptions } from "./options.js";
import { skillRoots } from "./roots.js";
import type { Skill } from "./skill.js";

/** The skills of this moment that are on. */
export type FindSkills = (place: Place) => Promise<readonly Skill[]>;

/** Looks for skills by the options; each finding is reported once. */
export function skillFinder(
  options: SkillOptions,
  host: Pick<PluginHost, "frontMatter">,
  report: PluginHost["report"],
): FindSkills {
  const frontMatter = (text: string) => host.frontMatter(text);
  return async (place) => {
    if (!options.enabled) return [];
    const { skills, problems } = await discoverSkills(place, skillRoots(place, options), options, frontMatter);
    for (const problem of problems) report(problem);
    return enabledSkills(skills, options.off);
  };
}

/** Reports a finding unless one with the same message was reported before. */
export function reportOnce(report: PluginHost["report"]): PluginHost["report"] {
  const reported = new Set<string>();
  return (finding) => {
    if (reported.has(finding.message)) return;
    reported.add(finding.message);
    report(finding);
  };
}
