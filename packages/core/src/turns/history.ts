import type { Config, Message } from "../index.js";
import { frozen } from "../plain-data.js";
import { messageFormatVersion } from "../contracts/message.js";
import { fault, QuireError } from "../errors.js";
import { failed } from "./tool-calls.js";

export interface StoredSession {
  readonly messages: readonly Message[];
  readonly records: readonly Config[];
}

/**
 * Reads a session back, each time alike. Text that was shown before a crash becomes an aborted answer; a tool call
 * without a result gets one that says so.
 * @throws {QuireError} `session-format` for a log of another format version.
 */
export async function readHistory(id: string, stored: AsyncIterable<Config>): Promise<StoredSession> {
  const records: Config[] = [];
  for await (const record of stored) records.push(record);
  const format = records.find(({ type }) => type === "session")?.["format"] ?? null;
  if (format !== messageFormatVersion) {
    const message = `Session ${id} has format ${JSON.stringify(format)}, this version reads ${messageFormatVersion}`;
    const fix = "Open it with the version that wrote it, or start a new session";
    throw new QuireError(fault("session-format", message, { fix }));
  }
  return { messages: historyOf(records), records };
}

/** The history that a session's records hold, its calls closed. Pure. */
export function historyOf(records: readonly Config[]): readonly Message[] {
  let messages: Message[] = [];
  let partial: { readonly id: unknown; readonly turn: unknown; readonly text: string } | undefined;
  /** An unfinished answer counts unless its turn brought another one, as a retry does. */
  const endPartial = (nextTurn?: unknown): void => {
    if (partial !== undefined && partial.turn !== nextTurn && partial.text !== "") {
      const content = [{ type: "text", text: partial.text }] as const;
      messages.push({ id: String(partial.id), role: "assistant", content, stop: "aborted" });
    }
    partial = undefined;
  };
  for (const { type, turn, message, kind, text, kept } of records) {
    if (type === "message") {
      endPartial(turn);
      messages.push(message as Message);
    } else if (type === "partial" && kind === "text") {
      if (partial?.id !== message) endPartial(turn);
      partial = { id: message, turn, text: (partial?.text ?? "") + String(text) };
    } else if (type === "turn-end" && turn === partial?.turn) {
      // The turn ended in order: what was shown and counts is a message.
      partial = undefined;
    } else if (type === "clear") {
      messages = [];
      partial = undefined;
    } else if (type === "compact") {
      messages = [message as Message, ...messages.slice(messages.length - Number(kept))];
    }
  }
  endPartial();
  return frozen(closeOpenCalls(messages));
}

/** Gives every tool call that nothing answers before the next answer a result that says the run was cut off. */
export function closeOpenCalls(messages: readonly Message[]): readonly Message[] {
  const answered = new Set<string>();
  const closed: Message[] = [];
  for (const message of messages.toReversed()) {
    for (const block of message.content) if (block.type === "tool-result") answered.add(block.id);
    if (message.role === "assistant") {
      const calls = message.content.filter((block) => block.type === "tool-call");
      for (const call of calls.filter(({ id }) => !answered.has(id)).toReversed()) {
        const result = failed(call, "Interrupted before it finished; whether it took effect is unknown.");
        closed.push({ id: `${message.id}-${call.id}`, role: "tool", content: [result] });
      }
      // The same id may stand for another call further up.
      answered.clear();
    }
    closed.push(message);
  }
  return closed.toReversed();
}
