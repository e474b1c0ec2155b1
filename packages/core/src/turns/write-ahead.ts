import type { TurnEvent } from "../contracts/turn.js";
import type { SessionJournal } from "./journal.js";

/**
 * Shows streamed text only after the log has it. While a write is under way increments gather, so that a fast stream
 * costs few writes.
 */
export interface WriteAhead {
  push(event: Extract<TurnEvent, { type: "text" | "thinking" | "tool-args" }>): void;
  /** Resolves when all that was pushed is written and shown; rejects when the log failed. */
  drain(): Promise<void>;
}

export function createWriteAhead(
  journal: SessionJournal,
  ids: { readonly turn: string; readonly message: string },
  show: (event: TurnEvent) => void,
): WriteAhead {
  type Increment = Parameters<WriteAhead["push"]>[0];
  let gathered: Increment[] = [];
  let isScheduled = false;
  let last: Promise<void> = Promise.resolve();

  const flush = async (): Promise<void> => {
    isScheduled = false;
    const events = gathered;
    gathered = [];
    for (const kind of ["thinking", "text"] as const) {
      const text = events.map((event) => (event.type === kind ? event.delta : "")).join("");
      if (text !== "") await journal.append({ type: "partial", turn: ids.turn, message: ids.message, kind, text });
    }
    for (const event of events) show(event);
  };

  return {
    push(event) {
      gathered.push(event);
      if (isScheduled) return;
      isScheduled = true;
      last = last.then(flush);
      // Whoever drains hears of a failed write; until then it must not count as unhandled.
      last.catch(() => undefined);
    },
    drain: () => last,
  };
}
