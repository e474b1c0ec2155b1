import { ConfigError, type Message } from "@quire/core";
import * as z from "zod";

const text = z.string();
const media = { mime: z.string().min(1), base64: z.base64() };
const simpleBlocks = [
  z.strictObject({ type: z.literal("text"), text }),
  z.strictObject({ type: z.literal("image"), ...media }),
  z.strictObject({ type: z.literal("file"), ...media, name: text }),
] as const;
const call = { id: z.string().min(1), name: z.string().min(1) };
const block = z.discriminatedUnion("type", [
  ...simpleBlocks,
  z.strictObject({ type: z.literal("thinking"), text, signature: text.optional(), provider: text }),
  z.strictObject({ type: z.literal("tool-call"), ...call, args: z.record(text, z.unknown()) }),
  z.strictObject({
    type: z.literal("tool-result"),
    ...call,
    isError: z.boolean().default(false),
    content: z.array(z.discriminatedUnion("type", simpleBlocks)),
  }),
]);
const count = z.int().min(0);
const message = z.strictObject({
  id: text.optional(),
  role: z.enum(["user", "assistant", "tool", "context"]),
  content: z.array(block),
  model: z.strictObject({ provider: text, id: text }).optional(),
  usage: z.strictObject({ input: count, cacheRead: count, cacheWrite: count, output: count }).optional(),
  stop: z.enum(["end", "tools", "length", "refusal", "aborted", "error"]).optional(),
  // Of stored messages; no provider reads it.
  context: z.array(z.unknown()).optional(),
});
const conversation = z.array(message, { error: "must be a list of messages" });

/**
 * A conversation in the neutral model, as JSON: a list of messages. An `id` that is left out is made up; `isError` is
 * false by default.
 * @param file Named in errors.
 * @throws {ConfigError} `conversation-invalid`, with the place in the JSON.
 */
export function parseConversation(source: string, file: string): readonly Message[] {
  let raw: unknown;
  try {
    raw = JSON.parse(source);
  } catch (error) {
    throw invalid(file, `is no JSON: ${error instanceof Error ? error.message : String(error)}`, lineOf(source, error));
  }
  const result = conversation.safeParse(raw);
  if (!result.success) throw invalid(file, describe(result.error.issues));
  return result.data.map(({ context: _told, ...each }, index) => ({ id: `m${index + 1}`, ...each }) as Message);
}

/** The first problems: `[2].content[0].args: …`. */
function describe(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.map(({ path, message: what }) => {
    const place = z.core.toDotPath(path);
    return place === "" ? what : `${place}: ${what}`;
  });
  return `is no conversation: ${lines.slice(0, 5).join("; ")}`;
}

function invalid(file: string, what: string, line?: number): ConfigError {
  return new ConfigError({
    code: "conversation-invalid",
    level: "error",
    message: `${file} ${what}`,
    at: { kind: "file", file, ...(line !== undefined && { line }) },
    fix: 'Give a list of messages such as [{ "role": "user", "content": [{ "type": "text", "text": "hi" }] }]',
  });
}

/** The line of a syntax error, from 1, where the engine tells its place. */
function lineOf(source: string, error: unknown): number | undefined {
  const [, position] = /at position (\d+)/.exec(error instanceof Error ? error.message : "") ?? [];
  return position === undefined ? undefined : source.slice(0, Number(position)).split("\n").length;
}
