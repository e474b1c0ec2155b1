import type { Config } from "@quire/core";
import { argumentText, byTurns, chunksOf, stopOf, usageOf } from "./reply.js";
import type { Reply } from "./reply.js";
import type { WireEvent, WireFormat } from "./wire-format.js";

/** Anthropic Messages. Shapes after the vendor's SDK 1.14, `resources/messages/messages.d.ts`. */
export const anthropicFormat: WireFormat = {
  path: "/v1/messages",
  api: "anthropic-messages",
  unknownEvent: { event: "future_event", data: '{"type":"future_event"}' },
  events: streamEvents,
  whole(reply, body, id) {
    return message(body, id, {
      content: contentBlocks(reply, id).map(({ block }) => block),
      stop_reason: reply.rawStop ?? stopReasons[stopOf(reply)],
      usage: startUsage(reply, body, usageOf(reply, body).output),
    });
  },
  error: errorBody,
  errorEvent: (status, text) => ({ event: "error", data: JSON.stringify(errorBody(status, text)) }),
};

function errorBody(status: number, text: string): Config {
  return {
    type: "error",
    error: { type: errorTypes[status] ?? "api_error", message: text },
    request_id: "req_test",
  };
}

const stopReasons = { end: "end_turn", tools: "tool_use", length: "max_tokens", refusal: "refusal" } as const;

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

interface ContentBlock {
  /** The finished block. */
  readonly block: Config;
  /** As it stands in `content_block_start`. */
  readonly start: Config;
  readonly deltas: readonly Config[];
}

function contentBlocks(reply: Reply, id: string): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  if (reply.thinking !== undefined) {
    const signature = `signature-of-${id}`;
    blocks.push({
      block: { type: "thinking", thinking: reply.thinking, signature },
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        ...chunksOf(reply.thinking, reply.chunk).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature },
      ],
    });
  }
  if (reply.redactedThinking !== undefined) {
    const block = { type: "redacted_thinking", data: reply.redactedThinking };
    blocks.push({ block, start: block, deltas: [] });
  }
  if (reply.text !== undefined) {
    blocks.push({
      block: { type: "text", text: reply.text, citations: null },
      start: { type: "text", text: "", citations: null },
      deltas: chunksOf(reply.text, reply.chunk).map((text) => ({ type: "text_delta", text })),
    });
  }
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const head = {
      type: "tool_use",
      id: call.id ?? `toolu_${id}_${index}`,
      name: call.name,
      caller: { type: "direct" },
    };
    blocks.push({
      block: { ...head, input: typeof call.args === "string" ? {} : call.args },
      start: { ...head, input: {} },
      deltas: ["", ...chunksOf(argumentText(call), reply.chunk)].map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      })),
    });
  }
  return blocks;
}

function streamEvents(reply: Reply, body: Config, id: string): WireEvent[] {
  const start = message(body, id, {
    content: [],
    stop_reason: null,
    usage: startUsage(reply, body, 1),
  });
  const events: WireEvent[] = [event({ type: "message_start", message: start })];
  const blocks = contentBlocks(reply, id).map(({ start: content_block, deltas }, index) => [
    event({ type: "content_block_start", index, content_block }),
    ...(index === 0 ? [event({ type: "ping" })] : []),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ]);
  events.push(...(reply.interleaved === true ? byTurns(blocks) : blocks.flat()));
  const delta = { stop_reason: reply.rawStop ?? stopReasons[stopOf(reply)], stop_sequence: null, stop_details: null };
  const usage = { ...startUsage(reply, body, usageOf(reply, body).output), server_tool_use: null };
  events.push(event({ type: "message_delta", delta, usage }), event({ type: "message_stop" }));
  return events;
}

function event(data: Config & { readonly type: string }): WireEvent {
  return { event: data.type, data: JSON.stringify(data) };
}

function message(body: Config, id: string, rest: Config): Config {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model: body["model"],
    container: null,
    diagnostics: null,
    stop_sequence: null,
    stop_details: null,
    ...rest,
  };
}

function startUsage(reply: Reply, body: Config, output: number): Config {
  const usage = usageOf(reply, body);
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: output,
  };
}
