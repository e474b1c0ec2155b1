import type { Config } from "@quire/core";
import { arrayOf, recordOf } from "./narrow.js";

/**
 * Why Anthropic Messages would answer a body with 400, for the rules that an agent's history can break; undefined when
 * none is broken.
 */
export function anthropicRefusal(body: Config): string | undefined {
  if (typeof body["model"] !== "string") return "model: Field required";
  if (typeof body["max_tokens"] !== "number") return "max_tokens: Field required";
  const messages = arrayOf(body["messages"]).map(recordOf);
  if (messages.length === 0) return "messages: at least one message is required";
  const marks = countMarks(body["system"]) + countMarks(body["tools"]) + countMarks(messages);
  if (marks > 4) {
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
  }
  if (hasBlankText(body["system"])) return "system: text content blocks must be non-empty";
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const wrong = refusedMessage(message, index) ?? refusedCalls(message, messages[index + 1], seen) ?? undefined;
    if (wrong !== undefined) return `messages.${index}: ${wrong}`;
    const orphan = resultIds(message).find((id) => !callIds(messages[index - 1]).includes(id));
    if (orphan !== undefined) return `messages.${index}: unexpected \`tool_use_id\` found: ${orphan}`;
  }
  return undefined;
}

function refusedMessage(message: Config, index: number): string | undefined {
  const role = message["role"];
  if (role !== "user" && role !== "assistant" && role !== "system") return "unexpected role";
  if (index === 0 && role !== "user") return "first message must use the user role";
  const content = message["content"];
  if (content === "" || (Array.isArray(content) && content.length === 0)) return "content must not be empty";
  if (hasBlankText(content)) return "text content blocks must contain non-whitespace text";
  const results = blocksOf(message).map((block) => block["type"] === "tool_result");
  if (results.lastIndexOf(true) >= 0 && results.slice(0, results.lastIndexOf(true)).includes(false)) {
    return "`tool_result` blocks must come first";
  }
  return undefined;
}

function refusedCalls(message: Config, next: Config | undefined, seen: Set<string>): string | undefined {
  const calls = callIds(message);
  for (const id of calls) {
    if (!/^[a-zA-Z0-9_-]+$/.test(id)) return `tool_use.id: ${id} should match '^[a-zA-Z0-9_-]+$'`;
    if (seen.has(id)) return `\`tool_use\` ids must be unique: ${id}`;
    seen.add(id);
  }
  if (next === undefined) return undefined;
  const missing = calls.filter((id) => !resultIds(next).includes(id));
  return missing.length === 0
    ? undefined
    : `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`;
}

function blocksOf(message: Config | undefined): Config[] {
  return arrayOf(message?.["content"]).map(recordOf);
}

function callIds(message: Config | undefined): string[] {
  return idsOf(message, "tool_use", "id");
}

function resultIds(message: Config | undefined): string[] {
  return idsOf(message, "tool_result", "tool_use_id");
}

function idsOf(message: Config | undefined, type: string, key: string): string[] {
  return blocksOf(message)
    .filter((block) => block["type"] === type)
    .map((block) => String(block[key]));
}

function hasBlankText(content: unknown): boolean {
  return arrayOf(content)
    .map(recordOf)
    .some((block) => block["type"] === "text" && String(block["text"]).trim() === "");
}

function countMarks(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countMarks(item), 0);
  if (typeof value !== "object" || value === null) return 0;
  const record = recordOf(value);
  return (record["cache_control"] === undefined ? 0 : 1) + countMarks(record["content"]);
}
