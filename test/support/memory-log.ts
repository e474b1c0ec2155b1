import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "@quire/core";
import { QuireError } from "@quire/core";
import type { SessionLog } from "@quire/core/host";

/** A session log in memory. Records pass through JSON, as they do on a disk. */
export interface MemoryLog extends SessionLog {
  /** What is kept, of all sessions, in the order of writing. */
  readonly records: readonly StoredRecord[];
  /** Each further write takes so long. */
  delayMs: number;
  /** A write of a record it holds for fails. */
  fails: (record: Config) => boolean;
}

export interface StoredRecord {
  readonly session: string;
  readonly record: Config;
}

/** @param records What was kept before, for example the beginning of another log. */
export function createMemoryLog(records: readonly StoredRecord[] = []): MemoryLog {
  const kept = [...records];
  return {
    records: kept,
    delayMs: 0,
    fails: () => false,
    async append(session, record) {
      if (this.delayMs > 0) await delay(this.delayMs);
      if (this.fails(record)) throw new Error("the disk is full");
      kept.push({ session, record: JSON.parse(JSON.stringify(record)) as Config });
    },
    async *read(session) {
      const own = kept.filter((entry) => entry.session === session);
      if (own.length === 0) {
        throw new QuireError({ code: "session-unknown", level: "error", message: `No session is called ${session}` });
      }
      for (const { record } of own) yield record;
    },
  };
}
