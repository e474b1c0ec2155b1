import type { Block, Config, Message } from "@quire/core";
import { describeCall, describeResult } from "../output/describe-call.js";

/** A stored session as a person reads it: who said what, calls and answers of tools in one line each. */
export function showSession(records: readonly Config[]): string {
  return records.map(showRecord).join("");
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
