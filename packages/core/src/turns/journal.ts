import type { Config, Message } from "../index.js";
import type { SessionLog } from "../host-door.js";
import { messageFormatVersion } from "../contracts/message.js";
import { fault, messageOf, QuireError } from "../errors.js";

/** Writes one session's records in order. The head goes out with the first record, so an unused session leaves none. */
export interface SessionJournal {
  /**
   * Resolves when the record would survive a crash.
   * @throws {QuireError} `log-failed`.
   */
  append(record: Config): Promise<void>;
  message(turnId: string, message: Message): Promise<void>;
}

/**
 * @param head What the first record says of the session.
 * @param inherited Records that precede the session's own: those of the session it was forked from.
 * @param isStored The log has the session already: no head is written.
 * @param now Stamps each record (`at`, ISO 8601).
 */
export function createJournal(
  log: SessionLog,
  head: Config & { readonly id: string },
  inherited: readonly Config[],
  isStored: boolean,
  now: () => Date,
): SessionJournal {
  let isBegun = isStored;
  let last: Promise<unknown> = Promise.resolve();
  const write = async (record: Config): Promise<void> => {
    const at = now().toISOString();
    if (!isBegun) {
      await log.append(head.id, { type: "session", format: messageFormatVersion, at, ...head });
      isBegun = true;
      for (const earlier of inherited) await log.append(head.id, earlier);
    }
    await log.append(head.id, { ...record, at });
  };
  const append = async (record: Config): Promise<void> => {
    const written = last.then(() => write(record));
    // The order holds even after a failed write; its own caller hears of the failure.
    last = written.catch(() => undefined);
    try {
      await written;
    } catch (cause) {
      const message = `The log of session ${head.id} could not be written: ${messageOf(cause)}`;
      throw new QuireError(fault("log-failed", message, { cause, fix: "Check the disk and the rights of its folder" }));
    }
  };
  return { append, message: (turn, message) => append({ type: "message", turn, message }) };
}

/** A journal that keeps no text of the prompt: of a baseline its hashes, of a request nothing that was assembled. */
export function withoutPrompt({ append, message }: SessionJournal): SessionJournal {
  const texts = ["system", "tools", "pieces", "owners", "baseline"];
  const bare = (record: Config): Config =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !texts.includes(key)));
  return {
    message,
    append: async (record) => {
      const { type, baseline } = record;
      if (type !== "contents")
        await append({ ...bare(record), ...(baseline !== undefined && { baseline: bare(baseline as Config) }) });
    },
  };
}

/** A journal that keeps nothing. */
export const silentJournal: SessionJournal = { append: async () => {}, message: async () => {} };
