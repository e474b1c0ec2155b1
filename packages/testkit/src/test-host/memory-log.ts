import { QuireError } from "@quire/core";
import type { Config } from "@quire/core";
import type { SessionLog } from "@quire/core/host";

/** Session logs in memory, as they would come back from disk: copies, not the host's own objects. */
export interface MemoryLog extends SessionLog {
  /** One session's records in order; none for an unknown session. */
  recordsOf(session: string): readonly Config[];
}

export function memoryLog(): MemoryLog {
  const sessions = new Map<string, Config[]>();
  return {
    append(session, record) {
      sessions.set(session, [...(sessions.get(session) ?? []), structuredClone(record)]);
      return Promise.resolve();
    },
    async *read(session) {
      const records = sessions.get(session);
      if (records === undefined) {
        throw new QuireError({
          code: "session-unknown",
          level: "error",
          message: `There is no session ${session}`,
          fix: `Use one of: ${[...sessions.keys()].join(", ") || "(none)"}`,
        });
      }
      yield* records;
    },
    recordsOf: (session) => sessions.get(session) ?? [],
  };
}
