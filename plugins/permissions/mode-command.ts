import type { CommandSpec, PluginHost } from "@quire/core";
import { QuireError } from "@quire/core";
import type { SessionModes } from "./modes.js";
import type { Mode } from "./options.js";
import { modes } from "./options.js";

/** `/permissions [mode]`: the user looks at the session's mode, or chooses another. */
export function modeCommand(sessionModes: SessionModes, report: PluginHost["report"]): CommandSpec {
  return {
    name: "permissions/permissions",
    description: "shows or changes what runs without a question",
    hint: `[${modes.join("|")}]`,
    async run(args, { session }) {
      const wanted = parseMode(args);
      const before = await sessionModes.of(session);
      if (wanted !== undefined && session.depth === 0) await sessionModes.set(session, wanted);
      const now = await sessionModes.of(session);
      const message =
        now === before
          ? `The permission mode of this session is "${now}"`
          : `The permission mode of this session is now "${now}"; it was "${before}"`;
      // It answers what somebody just typed.
      report({ code: "permission-mode", level: "info", message, at: { kind: "flag" } });
    },
  };
}

/** @throws {QuireError} `permission-mode-unknown`. */
function parseMode(args: string): Mode | undefined {
  if (args === "") return undefined;
  const mode = modes.find((one) => one === args);
  if (mode !== undefined) return mode;
  throw new QuireError({
    code: "permission-mode-unknown",
    level: "error",
    message: `There is no permission mode ${JSON.stringify(args)}`,
    fix: `Choose one of: ${modes.join(", ")}`,
  });
}
