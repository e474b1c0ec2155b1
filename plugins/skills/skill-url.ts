import type { PermissionRequest, Place, ToolCall, ToolContext, Verdict } from "@quire/core";
import { findSkill, nearestNames } from "./choose-skill.js";
import type { FindSkills } from "./find-skills.js";
import { reason } from "./skill.js";
import { confine } from "./skill-file.js";

/** What `skill://<name>` and `skill://<name>/<file>` mean: an absolute path, or why there is none. */
export type SkillTarget = { readonly path: string } | { readonly problem: string };

/**
 * Leads a `read` of a skill's address to its file, which must stay inside the skill's folder.
 * @returns The call with the path in place; undefined when the call is no such read, or the address leads nowhere.
 */
export async function readFromSkill(
  call: ToolCall,
  context: ToolContext,
  findSkills: FindSkills,
): Promise<ToolCall | undefined> {
  const address = addressOf(call);
  if (address === undefined) return undefined;
  const target = await resolveSkillUrl(address, context, findSkills);
  return "path" in target ? { ...call, args: { ...call.args, path: target.path } } : undefined;
}

/** Refuses a read whose address is left as it was, and says why. */
export async function refuseSkillUrl(request: PermissionRequest, findSkills: FindSkills): Promise<Verdict | undefined> {
  const address = addressOf(request.call);
  if (address === undefined) return undefined;
  const target = await resolveSkillUrl(address, request, findSkills);
  return "problem" in target ? { level: "deny", reason: target.problem } : undefined;
}

async function resolveSkillUrl(address: string, place: Place, findSkills: FindSkills): Promise<SkillTarget> {
  const [, wanted = "", file = ""] = /^skill:\/\/([^/]*)\/?(.*)$/s.exec(address) ?? [];
  const skills = await findSkills(place);
  const skill = findSkill(wanted, skills);
  const offered = skills.filter(({ isAutomatic }) => isAutomatic);
  if (skill === undefined) {
    const near = nearestNames(wanted, offered);
    return {
      problem: `there is no skill "${wanted}"; ${near === "" ? "there are none here" : `the nearest are: ${near}`}`,
    };
  }
  if (!skill.isAutomatic) return { problem: `the skill "${skill.name}" lets only the user start it` };
  if (file === "") return { path: skill.file };
  try {
    return { path: await confine(skill, file) };
  } catch (error) {
    return { problem: reason(error) };
  }
}

function addressOf(call: ToolCall): string | undefined {
  const path = call.args["path"];
  return call.name === "read" && typeof path === "string" && path.startsWith("skill://") ? path : undefined;
}
