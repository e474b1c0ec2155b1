import { QuireError } from "@quire/core";
import type { ExitCode } from "../exit-code.js";
import { printResult, type CommandContext } from "./command-context.js";
import { storedSession } from "./stored-session.js";
import { withHost } from "./with-host.js";

/** `agent prompt rebase`: the next turn of a session makes a prefix of its own, and tells nothing that it now holds. */
export function rebaseCommand(context: CommandContext): Promise<ExitCode> {
  return withHost<ExitCode>(context, async (started) => {
    const { sessions, place } = started.loaded;
    const id = await storedSession(started, context);
    if (!(await sessions.acquire(id))) {
      throw new QuireError({
        code: "session-busy",
        level: "error",
        message: `Session ${id} is open in another process, which would not hear of it`,
        fix: "Leave it there first, or type /clear in it",
      });
    }
    try {
      const session = await started.host.open({ cwd: place.cwd, resume: id });
      await session.rebase();
    } finally {
      await sessions.release(id);
    }
    printResult(context, { session: id }, `the next turn of ${id} makes a new prefix\n`);
    return 0;
  });
}
