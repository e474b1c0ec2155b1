import { definePlugin } from "@quire/core";
import { createGrants } from "./grants.js";
import { modeCommand } from "./mode-command.js";
import { createSessionModes } from "./modes.js";
import { permissionOptions } from "./options.js";
import { policySection } from "./policy-section.js";

/** Decides which tool calls run, which are asked about, and which do not run. */
export default definePlugin({
  name: "permissions",
  apiVersion: 1,
  options: permissionOptions,
  configKeys: ["permissions"],
  setup(host) {
    const policy = host.options.permissions;
    const grants = createGrants(host.store);
    const modes = createSessionModes(host.store, policy.mode);
    host.hooks.sessionStart.tap(({ session }) => modes.open(session));
    host.hooks.sessionEnd.tap(({ session }) => modes.close(session));
    host.hooks.permissionCheck.tap(async (request) => {
      const { judge } = await import("./judge.js");
      return judge(request, { ...policy, mode: await modes.of(request.session) }, grants);
    });
    host.hooks.permissionAsk.tap(async (request) => {
      const { answer } = await import("./answer.js");
      return answer(request, grants, (diagnostic) => host.report(diagnostic));
    });
    host.commands.register(modeCommand(modes, (diagnostic) => host.report(diagnostic)));
    host.sections.register(policySection((session) => modes.of(session)));
  },
});
