import type { Block, Config, Message } from "@quire/core";
import type { SessionBill } from "../bill/session-bill.js";
import { billLine } from "../bill/bill-text.js";
import { describeCall, describeResult } from "../output/describe-call.js";

/**
 * A stored session as a person reads it: who said what, calls and answers of tools in one line each, what each turn cost
 * and what all of them did.
 */
export function showSession(records: readonly Config[], { turns, total }: SessionBill): string {
  const lines = new Map<unknown, string>();
  for (const turn of turns) {
    if (turn.requests === 0) continue;
    lines.set(turn.id, `\n-- ${turn.number === null ? "summary" : `turn ${turn.number}`}: ${billLine(turn)}\n`);
  }
  const body = records.map((record) => {
    return record["type"] === "turn-end" ? (lines.get(record["turn"]) ?? "") : showRecord(record);
  });
  return [...body, turns.length < 2 ? "" : `-- in all: ${billLine({ ...total, cache: null })}\n`].join("");
}

function showRecord(record: Config): string {
  if (record["type"] === "session") {
    const parent = text(record["parent"]);
    const copy = parent === "" ? "" : `, a copy of ${parent}`;
    return `session ${text(record["id"])}${copy}\n${text(record["at"])}  ${text(record["cwd"])}\n`;
  }
  if (record["type"] === "clear") return "\n-- cleared --\n";
  if (record["type"] !== "message") return "";
  const message = record["message"] as Message;
  const body = message.content.map(showBlock).join("");
  if (message.role === "tool") return body;
  return `\n${message.role}${message.stop === "aborted" ? " (stopped)" : ""}\n${body}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function showBlock(block: Block): string {
  if (block.type === "text") return block.text.endsWith("\n") ? block.text : `${block.text}\n`;
  if (block.type === "tool-call") return `${describeCall(block.name, block.args)}\n`;
  if (block.type === "tool-result") return `${describeResult(block)}\n`;
  if (block.type === "thinking") return `(${block.text.length} characters of thinking)\n`;
  return `(${block.type}, ${block.mime})\n`;
}
