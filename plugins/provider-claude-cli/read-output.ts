import type { Config, StreamEvent } from "@quire/core";
import type { Complaint } from "./complaint.js";
import { MessageReader, record } from "./read-events.js";

/** What the program's output came to when it holds no whole answer. */
export class NoAnswer extends Error {
  /** @param complaint Undefined when the output just stopped. */
  constructor(
    readonly complaint: Complaint | undefined,
    readonly hasBegun: boolean,
  ) {
    super("the program gave no whole answer");
  }
}

/**
 * The events of the program's one answer, from its lines of `stream-json`. Ends with the answer, whatever the program
 * would do next: what it says of tools it was not allowed to run is not read.
 * @param provider Whose thinking it is.
 * @throws {NoAnswer} {BrokenStream}
 */
export async function* readOutput(lines: AsyncIterable<string>, provider: string): AsyncGenerator<StreamEvent> {
  const reader = new MessageReader(provider);
  const whole: Config[] = [];
  let hasBegun = false;
  let kind: string | undefined;
  let retryAfterMs: number | undefined;
  for await (const line of lines) {
    const said = parseLine(line);
    if (said === undefined) continue;
    hasBegun = true;
    if (said["type"] === "stream_event" && !isOfSubagent(said)) {
      yield* reader.take(record(said["event"]));
      if (reader.isOver) return;
    } else if (said["type"] === "assistant" && !isOfSubagent(said)) {
      if (typeof said["error"] === "string") kind = said["error"];
      else whole.push(record(said["message"]));
    } else if (said["type"] === "rate_limit_event") {
      retryAfterMs = untilReset(record(said["rate_limit_info"]));
    } else if (said["type"] === "result") {
      const isRefused = said["is_error"] === true && said["subtype"] !== "error_max_turns";
      if (isRefused || reader.hasBegun || whole.length === 0) {
        throw new NoAnswer({ ...textOf(said), kind, retryAfterMs }, true);
      }
      yield* wholeAnswer(whole, reader);
      return;
    }
  }
  throw new NoAnswer(undefined, hasBegun);
}

/** Lines that are no JSON object are words for a person. */
function parseLine(line: string): Config | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return record(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function isOfSubagent({ parent_tool_use_id: parent }: Config): boolean {
  return typeof parent === "string";
}

/** Milliseconds; undefined unless the limit is reached and its end is known. */
function untilReset({ status, resetsAt }: Config): number | undefined {
  return status === "rejected" && typeof resetsAt === "number" ? Math.max(0, resetsAt * 1000 - Date.now()) : undefined;
}

function textOf({ result, errors, api_error_status: status }: Config): Pick<Complaint, "text" | "status"> {
  const told = Array.isArray(errors) ? errors.map(String).join("; ") : "";
  const text = typeof result === "string" ? result : told === "" ? "no reason was given" : told;
  return { text, status: typeof status === "number" ? status : undefined };
}

/** A program that does not stream gives its answer in whole blocks, several lines of it in one message. */
function* wholeAnswer(messages: readonly Config[], reader: MessageReader): Generator<StreamEvent> {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content.map(record) : []));
  const last = messages.at(-1) ?? {};
  const reason = blocks.some(({ type }) => type === "tool_use") ? "tool_use" : last["stop_reason"];
  yield* reader.take({ type: "message_start", message: last });
  for (const [index, block] of blocks.entries()) {
    yield* reader.take({ type: "content_block_start", index, content_block: { ...block, ...emptied } });
    const delta = deltaOf(block);
    if (delta !== undefined) yield* reader.take({ type: "content_block_delta", index, delta });
    yield* reader.take({ type: "content_block_stop", index });
  }
  yield* reader.take({ type: "message_delta", delta: { stop_reason: reason }, usage: last["usage"] });
  yield* reader.take({ type: "message_stop" });
}

const emptied = { text: "", thinking: "" };

function deltaOf({ type, text, thinking, input }: Config): Config | undefined {
  if (type === "text") return { type: "text_delta", text };
  if (type === "thinking") return { type: "thinking_delta", thinking };
  if (type === "tool_use") return { type: "input_json_delta", partial_json: JSON.stringify(input ?? {}) };
  return undefined;
}
