import type { Block, Message, ToolResult } from "../contracts/message.js";
import type { Config } from "../contracts/place.js";
import { messageFormatVersion } from "../contracts/message.js";
import { QuireError } from "../errors.js";

export interface StoredSession {
  readonly messages: Message[];
  readonly head: Config;
  readonly records: readonly Config[];
}

/**
 * Reads a session back. Text that was shown before a crash becomes an aborted answer; a tool call without a result
 * gets one that says so.
 * @throws {QuireError} `session-format` for a log of another format version.
 */
export async function readHistory(id: string, stored: AsyncIterable<Config>): Promise<StoredSession> {
  const records: Config[] = [];
  for await (const record of stored) records.push(record);
  const head = records.find((record) => record["type"] === "session");
  if (head === undefined || head["format"] !== messageFormatVersion) {
    throw new QuireError({
      code: "session-format",
      level: "error",
      message: `Session ${id} has format ${JSON.stringify(head?.["format"] ?? null)}, this version reads ${messageFormatVersion}`,
      fix: "Open it with the version that wrote it, or start a new session",
    });
  }
  let messages: Message[] = [];
  let partial: { id: string; text: string } | undefined;
  for (const record of records) {
    if (record["type"] === "message") {
      messages.push(record["message"] as Message);
      partial = undefined;
    } else if (record["type"] === "partial" && record["kind"] === "text") {
      const id = String(record["message"]);
      partial = { id, text: (partial?.id === id ? partial.text : "") + String(record["text"]) };
    } else if (record["type"] === "clear") {
      messages = [];
      partial = undefined;
    }
  }
  if (partial !== undefined && partial.text !== "") {
    messages.push({
      id: partial.id,
      role: "assistant",
      content: [{ type: "text", text: partial.text }],
      stop: "aborted",
    });
  }
  return { messages: closeOpenCalls(messages), head, records };
}

/** Gives every tool call without a result one that says the run was cut off. */
function closeOpenCalls(messages: readonly Message[]): Message[] {
  const answered = new Set(
    messages.flatMap((message) => message.content.flatMap((block) => (block.type === "tool-result" ? [block.id] : []))),
  );
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [message];
    const open = message.content.filter((block) => block.type === "tool-call" && !answered.has(block.id));
    return [
      message,
      ...open.flatMap((block) => (block.type === "tool-call" ? [interruptedResult(message.id, block)] : [])),
    ];
  });
}

function interruptedResult(messageId: string, call: Extract<Block, { type: "tool-call" }>): Message {
  const result: ToolResult = {
    type: "tool-result",
    id: call.id,
    name: call.name,
    isError: true,
    content: [{ type: "text", text: interruptedText }],
  };
  return { id: `${messageId}-${call.id}`, role: "tool", content: [result] };
}

const interruptedText = "Interrupted before it finished; whether it took effect is unknown.";
