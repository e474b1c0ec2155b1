import { definePlugin } from "@quire/core";
import { bashTool } from "./bash-tool.js";
import type { Shell } from "./run-command.js";

/** The host gives a cleanup two seconds; what is left after this much of it is killed. */
const disposeGraceMs = 1000;

/** Lets the model run commands in the shell. */
export default definePlugin({
  name: "tools-shell",
  apiVersion: 1,
  setup(host) {
    let shell: Promise<Shell> | undefined;
    const openShell = (): Promise<Shell> =>
      (shell ??= import("./run-command.js").then(({ createShell }) => createShell()));
    host.tools.register(bashTool(openShell));
    return async () => {
      const opened = await shell;
      await opened?.table.endAll(disposeGraceMs);
    };
  },
});
