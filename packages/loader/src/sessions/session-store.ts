import { access, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { QuireError } from "@quire/core";
import { nearest } from "@quire/core/host";
import type { SessionStore } from "../contract.js";
import { byCodePoint } from "../disk-files.js";
import { releaseLock, takeLock } from "../store/file-lock.js";
import { LogWriter, readRecords } from "./session-log.js";
import { readHead, readSummary } from "./summary.js";

const idForm = /^[A-Za-z0-9][\w-]{0,127}$/;

/** The sessions below `folder`, one file `<id>.jsonl` each, readable by their owner alone. */
export function openSessionStore(folder: string): SessionStore {
  const writer = new LogWriter();
  const held = new Set<string>();
  const path = (id: string): string => join(folder, `${id}.jsonl`);
  const lockPath = (id: string): string => join(folder, `${id}.lock`);

  const ids = async (): Promise<readonly string[]> => {
    const names = await readdir(folder).catch(() => []);
    return names
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => name.slice(0, -".jsonl".length))
      .filter((id) => idForm.test(id))
      .sort(byCodePoint);
  };
  /** Newest first; of two that changed in one moment the one with the later id. */
  const byChange = async (): Promise<readonly string[]> => {
    const dated = await Promise.all(
      (await ids()).map(async (id) => ({ id, changed: (await stat(path(id)).catch(() => null))?.mtimeMs ?? 0 })),
    );
    return dated.sort((a, b) => b.changed - a.changed || byCodePoint(b.id, a.id)).map(({ id }) => id);
  };
  const checkId = async (id: string): Promise<void> => {
    const isThere =
      idForm.test(id) &&
      (await access(path(id)).then(
        () => true,
        () => false,
      ));
    if (!isThere) throw unknownSession(id, await ids());
  };

  return {
    path,
    async append(id, record) {
      if (!idForm.test(id)) throw unknownSession(id, []);
      await writer.append(path(id), record);
    },
    async *read(id) {
      await checkId(id);
      yield* readRecords(path(id));
    },
    async list(projectRoot) {
      const summaries = await Promise.all(
        (await byChange()).map(async (id) => {
          if (projectRoot !== undefined && (await readHead(path(id)))?.["projectRoot"] !== projectRoot) return null;
          return readSummary(path(id), id);
        }),
      );
      return summaries.filter((summary) => summary !== null);
    },
    async newest(projectRoot) {
      for (const id of await byChange()) {
        if ((await readHead(path(id)))?.["projectRoot"] === projectRoot) return id;
      }
      return undefined;
    },
    async acquire(id) {
      if (!idForm.test(id)) throw unknownSession(id, await ids());
      if (held.has(id)) return true;
      const isTaken = await takeLock(lockPath(id));
      if (isTaken) held.add(id);
      return isTaken;
    },
    async release(id) {
      await writer.close(path(id));
      if (held.delete(id)) await releaseLock(lockPath(id));
    },
    async resolveId(prefix) {
      const known = await ids();
      if (known.includes(prefix)) return prefix;
      const matches = prefix === "" ? [] : known.filter((id) => id.startsWith(prefix));
      const [only] = matches;
      if (matches.length > 1) throw ambiguousSession(prefix, matches);
      if (only === undefined) throw unknownSession(prefix, known);
      return only;
    },
  };
}

function unknownSession(id: string, known: readonly string[]): QuireError {
  const like = nearest(id, known) ?? known.at(-1);
  return new QuireError({
    code: "session-unknown",
    level: "error",
    message: `There is no session ${JSON.stringify(id)}`,
    fix: `${like === undefined ? "" : `The nearest is ${like}. `}\`agent session list\` shows them all`,
  });
}

function ambiguousSession(prefix: string, matches: readonly string[]): QuireError {
  return new QuireError({
    code: "session-ambiguous",
    level: "error",
    message: `${matches.length} sessions begin with ${prefix}`,
    fix: `Give more of the id: ${matches.slice(-5).join(", ")}`,
  });
}
