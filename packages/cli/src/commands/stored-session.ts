import { ConfigError, type Config } from "@quire/core";
import type { Started } from "../start-host.js";
import type { CommandContext } from "./command-context.js";

/**
 * The stored session a command is about: `--session ID`, `--resume ID`, or the newest of the project with `--continue`.
 * @throws {ConfigError} `session-missing`. {QuireError} `session-unknown`, `session-ambiguous`.
 */
export async function storedSession({ loaded }: Started, { options, flags }: CommandContext): Promise<string> {
  const { sessions, place } = loaded;
  const named = options.session ?? (flags.session.kind === "resume" ? flags.session.id : undefined);
  if (named !== undefined) return sessions.resolveId(named);
  const newest = flags.session.kind === "continue" ? await sessions.newest(place.projectRoot) : undefined;
  if (newest !== undefined) return newest;
  const asked = flags.session.kind === "continue";
  throw new ConfigError({
    code: "session-missing",
    level: "error",
    message: asked
      ? `There is no session of ${place.projectRoot}`
      : "This is about a stored session, and none is named",
    fix: asked
      ? "`agent session list --all` shows those of other projects"
      : "Add --session ID, or --continue for the newest of this project; `agent session list` shows them",
  });
}

/** All records of a session, in order. */
export async function recordsOf({ loaded }: Started, id: string): Promise<readonly Config[]> {
  const records: Config[] = [];
  for await (const record of loaded.sessions.read(id)) records.push(record);
  return records;
}
