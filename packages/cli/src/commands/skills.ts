import { QuireError, type Place } from "@quire/core";
import { nearest } from "@quire/core/host";
import type { ListedSkill, SkillOptions } from "@quire/plugin-skills";
import type { ExitCode } from "../exit-code.js";
import { table } from "../output/table.js";
import type { Started } from "../start-host.js";
import { printResult, type CommandContext } from "./command-context.js";
import { diskPlace } from "./disk-place.js";
import { pluginOptions } from "./plugin-options.js";
import { openUnstored, promptOf, withHost } from "./with-host.js";

/** `agent skills list | show NAME [FILE]`: skills, read by the plugin's own functions. */
export function skillsCommand(context: CommandContext): Promise<ExitCode> {
  return withHost<ExitCode>(context, async (started) => {
    const place = diskPlace(started.loaded);
    const options = await optionsOf(started);
    const { listSkills } = await import("@quire/plugin-skills");
    const { skills, problems } = await listSkills(place, options, started.loaded.host.frontMatter);
    if (context.path === "skills show") return show(skills, place, started, context);
    // The prompt reports the same problems, and whether the model can load skills at all.
    const prompt = await promptOf(started, await openUnstored(started, context), context);
    const told = new Set(context.sink.all.map(({ message }) => message));
    for (const problem of problems) if (!told.has(problem.message)) context.sink.report(problem);
    const catalog = prompt.sections.some(({ name }) => name === "skills/catalog");
    const why = prompt.leftOut.find(({ section }) => section === "skills/catalog")?.why ?? "disabled";
    const items = skills.map((skill) => listed(skill, catalog));
    const rows = items.map(({ name, scope, state, description }) => [name, scope, states[state], description]);
    printResult(context, { skills: items, catalog: catalog ? "shown" : why }, table(rows));
    if (rows.length === 0) context.streams.note(options.enabled ? "there are no skills" : "skills are off");
    return 0;
  });
}

/** The skills that `/skill:name` may load. */
export async function skillsOf(started: Started): Promise<readonly ListedSkill[]> {
  const { listSkills } = await import("@quire/plugin-skills");
  const { loaded } = started;
  const { skills } = await listSkills(diskPlace(loaded), await optionsOf(started), loaded.host.frontMatter);
  return skills.filter(({ state }) => state !== "off");
}

/** Switched off, the plugin finds nothing. */
async function optionsOf({ loaded, host }: Started): Promise<SkillOptions> {
  const { skillsOptions } = await import("@quire/plugin-skills");
  const { skills } = skillsOptions.parse(pluginOptions(loaded, "skills", ["skills"]));
  return host.plugins.some(({ name }) => name === "skills") ? skills : { ...skills, enabled: false };
}

/** What becomes of a skill, in words. `unreachable`: the catalog is not part of the prompt. */
const states = {
  listed: "offered",
  manual: "only by /skill:name",
  off: "off in config",
  omitted: "cut: the catalog is full",
  unreachable: "not offered: the catalog is not in the prompt",
} as const;

function listed({ name, handle, description, scope, file, state }: ListedSkill, catalog: boolean) {
  const shown = state === "listed" && !catalog ? "unreachable" : state;
  return { name, handle, description, scope, file, state: shown } as const;
}

async function show(
  skills: readonly ListedSkill[],
  place: Place,
  { loaded }: Started,
  context: CommandContext,
): Promise<ExitCode> {
  const { findSkill, readSkillFile, skillInstructions } = await import("@quire/plugin-skills");
  const [wanted = "", file] = context.operands;
  const skill = findSkill(wanted, skills);
  if (skill === undefined) throw unknownSkill(wanted, skills);
  const text =
    file === undefined
      ? await skillInstructions(place, skill, loaded.host.frontMatter)
      : (await readSkillFile(place, skill, file)).text;
  const { name, folder } = skill;
  printResult(context, { name, folder, file: file ?? "SKILL.md", text }, text.endsWith("\n") ? text : `${text}\n`);
  return 0;
}

function unknownSkill(wanted: string, skills: readonly ListedSkill[]): QuireError {
  const names = skills.map(({ name }) => name);
  const like = nearest(wanted, names);
  return new QuireError({
    code: "skill-unknown",
    level: "error",
    message: `There is no skill "${wanted}"`,
    fix: like !== undefined ? `Did you mean "${like}"?` : "`agent skills list` shows all",
  });
}
