import type { PermissionAnswer, PermissionRequest, PluginHost } from "@quire/core";
import { changePreview } from "./change-preview.js";
import type { Grants } from "./grants.js";
import { grantFor } from "./grants.js";
import { mainArgument } from "./main-argument.js";
import { readAnswer, renderQuestion } from "./question.js";

/**
 * Asks the user and keeps the answer for as long as they say.
 * @returns Nothing when nobody is there: another plugin may know whom to ask, else the host refuses.
 */
export async function answer(
  request: PermissionRequest,
  grants: Grants,
  report: PluginHost["report"],
): Promise<PermissionAnswer | undefined> {
  if (!request.session.interactive) return undefined;
  const argument = await mainArgument(request);
  const change = await changePreview(request, argument.kind === "path" ? argument.written.absolute : undefined);
  const given = readAnswer(await request.ask(renderQuestion(request, argument, change)));
  if (!given.allow || given.remember === undefined || given.remember === "once") return given;
  const place = { sessionId: request.session.id, projectRoot: request.projectRoot };
  try {
    await grants.add(grantFor(request.tool, argument), given.remember, place);
  } catch (cause) {
    report({
      code: "permission-not-kept",
      level: "warn",
      message: `The answer for "${request.call.name}" holds this once, since it could not be kept`,
      fix: "Check that the folder of the user's settings can be written",
      cause,
    });
  }
  return given;
}
