import { randomUUID } from "node:crypto";
import type { Block, Message, ModelRef, Stop, StreamEvent, TurnEvent, Usage } from "../index.js";
import type { SessionJournal } from "./journal.js";

export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/**
 * Gathers one attempt's answer; only whole blocks and shown text enter the message. Streamed text is shown only after
 * the log has it: while a write is under way increments gather, so that a fast stream costs few writes.
 */
export function createAnswer(journal: SessionJournal, turn: string, model: ModelRef, show: (event: TurnEvent) => void) {
  const id = randomUUID();
  const blocks: Block[] = [];
  let openText = "";
  let usage = noUsage;
  let ended: Stop = "end";
  const gathered: Increment[] = [];
  let last: Promise<void> | undefined;
  let failure: unknown;

  const flush = async (): Promise<void> => {
    while (gathered.length > 0) {
      const events = joined(gathered.splice(0));
      for (const kind of ["thinking", "text"] as const) {
        const text = events.map((event) => (event.type === kind ? event.delta : "")).join("");
        if (text !== "") await journal.append({ type: "partial", turn, message: id, kind, text });
      }
      events.forEach(show);
    }
    last = undefined;
  };
  const drain = async (): Promise<void> => await last;
  return {
    /**
     * @returns Nothing to wait for, most of the time: there are thousands of events.
     * @throws {QuireError} `log-failed`.
     */
    take(event: StreamEvent): Promise<void> | undefined {
      if (failure !== undefined) throw failure;
      if (event.type === "usage") usage = event.usage;
      else if (event.type === "end") ended = event.stop;
      else if (event.type === "block") {
        const { block } = event;
        return drain().then(() => {
          if (block.type === "text") openText = "";
          blocks.push(block);
        });
      } else {
        if (event.type === "text") openText += event.delta;
        gathered.push(event);
        if (last !== undefined) return undefined;
        last = Promise.resolve().then(flush);
        // Whoever drains hears of a failed write; until then it must not count as unhandled.
        last.catch((error: unknown) => void (failure = error));
      }
      return undefined;
    },
    /**
     * Resolves when all that was taken is written and shown.
     * @param stop Unless it is the provider's own.
     */
    async finish(stop = ended): Promise<Message> {
      await drain();
      // A call that nobody will run must not stand in the history.
      const isCut = stop === "aborted" || stop === "error";
      const kept = isCut ? blocks.filter((block) => block.type !== "tool-call") : blocks;
      const content: readonly Block[] = openText === "" ? kept : [...kept, { type: "text", text: openText }];
      return { id, role: "assistant", content, model, usage, stop };
    },
  };
}

type Increment = Extract<StreamEvent, { delta: string }>;

/** Neighbours of one kind as one: what waited together is shown together. */
function joined(events: readonly Increment[]): readonly Increment[] {
  const runs: { readonly first: Increment; text: string }[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run !== undefined && isSameKind(run.first, event)) run.text += event.delta;
    else runs.push({ first: event, text: event.delta });
  }
  return runs.map(({ first, text }) => ({ ...first, delta: text }));
}

function isSameKind(a: Increment, b: Increment): boolean {
  return a.type === "tool-args" ? b.type === "tool-args" && a.id === b.id : a.type === b.type;
}

export type Answer = ReturnType<typeof createAnswer>;
