import type { Effect, PermissionRequest, Verdict } from "@quire/core";
import type { Grants } from "./grants.js";
import { grantFor } from "./grants.js";
import type { MainArgument } from "./main-argument.js";
import { mainArgument } from "./main-argument.js";
import { findRestriction, isPermitted } from "./match-rule.js";
import type { Mode, Policy } from "./options.js";

const deeds: Readonly<Record<Effect, string>> = {
  read: "reads",
  write: "writes",
  run: "runs commands",
  network: "uses the network",
};

/**
 * The vote on one call. In this order: a `deny` rule, plan mode, a remembered answer, an `ask` rule, reading and full
 * mode, an `allow` rule, edit mode inside the project; what is left is asked.
 */
export async function judge(request: PermissionRequest, policy: Policy, grants: Grants): Promise<Verdict> {
  const argument = await mainArgument(request);
  const denied = findRestriction(policy.deny, request, argument);
  if (denied !== undefined) {
    return { level: "deny", reason: `the user's rule deny "${denied.text}" forbids it` };
  }
  if (policy.mode === "plan" && request.effect !== "read") {
    const reason = `in mode "plan" nothing runs but reading, and "${request.call.name}" ${deeds[request.effect]}; show the user your plan instead`;
    return { level: "deny", reason };
  }
  const place = { sessionId: request.session.id, projectRoot: request.projectRoot };
  if (await grants.has(grantFor(request.tool, argument), place)) return { level: "allow" };
  const asked = findRestriction(policy.ask, request, argument);
  if (asked !== undefined) {
    const ways = "by taking that rule out of permissions.ask in their config";
    return ask(request, `the user's rule ask "${asked.text}" wants a question`, ways);
  }
  if (request.effect === "read" || policy.mode === "full") return { level: "allow" };
  if (isPermitted(policy.allow, request, argument)) return { level: "allow" };
  const ways = waysToAllow(request, argument, policy.mode);
  if (policy.mode === "edit" && request.effect === "write") {
    const objection = objectionToEdit(request, argument);
    return objection === null ? { level: "allow" } : ask(request, objection, ways);
  }
  const reason = `mode "${policy.mode}" asks before a call that ${deeds[request.effect]}`;
  return ask(request, reason, ways);
}

/** Why edit mode does not let a writing call pass by itself. */
function objectionToEdit(request: PermissionRequest, argument: MainArgument): string | null {
  if (argument.kind !== "path") return 'mode "edit" cannot tell where this tool writes';
  const { home, projectRoot } = request;
  if (`${home}/`.startsWith(projectRoot.endsWith("/") ? projectRoot : `${projectRoot}/`)) {
    return "the whole home folder is no project";
  }
  if (argument.real === null) return "nobody can tell where this path leads";
  if (argument.real.relative === null) return 'mode "edit" lets writes pass only inside the project';
  // What stands there can make git or quire run something later.
  const isGuarded = argument.real.relative.split("/").some((name) => /^\.(?:git|quire)$/i.test(name));
  return isGuarded ? "files of .git and .quire are changed only with a yes" : null;
}

function ask(request: PermissionRequest, reason: string, ways: string): Verdict {
  if (request.session.interactive) return { level: "ask", reason };
  return { level: "ask", reason: `${reason}; the user can allow it ${ways}` };
}

function waysToAllow(request: PermissionRequest, argument: MainArgument, current: Mode): string {
  const isEdit = request.effect === "write" && argument.kind === "path" && current !== "edit";
  const mode = isEdit ? "edit or full" : "full";
  const isShort = argument.kind !== "other" && argument.text.length <= 80 && !/[\n*]/.test(argument.text);
  const rule = isShort ? `${request.call.name}(${argument.text})` : request.call.name;
  return `with --permission-mode ${mode}, or with the rule ${JSON.stringify(rule)} under permissions.allow in their config`;
}
