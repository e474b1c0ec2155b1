import type { SessionLog } from "../contracts/host.js";
import type { Message } from "../contracts/message.js";
import type { Config } from "../contracts/place.js";
import { messageFormatVersion } from "../contracts/message.js";

/** Writes one session's records in order. The head goes out with the first record, so an unused session leaves none. */
export interface SessionJournal {
  /** Resolves when the record would survive a crash. */
  append(record: Config): Promise<void>;
  message(turnId: string, message: Message): Promise<void>;
}

export interface JournalHead {
  readonly id: string;
  readonly cwd: string;
  readonly projectRoot: string;
  readonly parent?: string;
  /** Records that precede the session's own: those of the session it was forked from. */
  readonly inherited?: readonly Config[];
}

/**
 * @param isStored The log has the session already: no head is written.
 * @param now Stamps each record (`at`, ISO 8601).
 */
export function createJournal(log: SessionLog, head: JournalHead, isStored: boolean, now: () => Date): SessionJournal {
  let isBegun = isStored;
  let last: Promise<void> = Promise.resolve();
  const write = async (record: Config): Promise<void> => {
    if (!isBegun) {
      isBegun = true;
      const { inherited = [], ...facts } = head;
      await log.append(head.id, {
        type: "session",
        format: messageFormatVersion,
        at: now().toISOString(),
        ...facts,
      });
      for (const earlier of inherited) await log.append(head.id, earlier);
    }
    await log.append(head.id, { ...record, at: now().toISOString() });
  };
  const append = (record: Config): Promise<void> => {
    const next = last.then(() => write(record));
    // The order holds even after a failed write; its own caller hears of the failure.
    last = next.catch(() => undefined);
    return next;
  };
  return { append, message: (turn, message) => append({ type: "message", turn, message }) };
}

/** A journal that keeps nothing. */
export const silentJournal: SessionJournal = { append: async () => {}, message: async () => {} };
