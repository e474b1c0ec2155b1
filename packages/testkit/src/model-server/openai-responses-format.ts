import type { Config } from "@quire/core";
import { arrayOf } from "../narrow.js";
import { argumentText, byTurns, chunksOf, stopOf, usageOf } from "./reply.js";
import type { Reply } from "./reply.js";
import type { WireEvent, WireFormat } from "./wire-format.js";

/** Responses. Shapes after the vendor's SDK 6.49, `resources/responses/responses.d.ts`. */
export const openaiResponsesFormat: WireFormat = {
  path: "/v1/responses",
  api: "openai-responses",
  unknownEvent: { event: "response.future", data: '{"type":"response.future","sequence_number":0}' },
  events: streamEvents,
  whole: (reply, body, id) => finished(reply, body, id),
  error: errorBody,
  errorEvent: (status, message, body, id) => {
    const error = { code: errorCodes[status] ?? "server_error", message };
    const failed = { ...response(body, id, "failed"), error };
    const data = { type: "response.failed", sequence_number: 999, response: failed };
    return { event: data.type, data: JSON.stringify(data) };
  },
};

/** Codex Responses: the same events behind another path, and stricter rules. */
export const openaiCodexFormat: WireFormat = {
  ...openaiResponsesFormat,
  path: "/backend-api/codex/responses",
  api: "openai-codex",
};

const errorCodes: Readonly<Record<number, string>> = { 400: "invalid_prompt", 429: "rate_limit_exceeded" };

function errorBody(status: number, message: string): Config {
  const types: Readonly<Record<number, string>> = { 400: "invalid_request_error", 401: "invalid_request_error" };
  return { error: { message, type: types[status] ?? "server_error", param: null, code: errorCodes[status] ?? null } };
}

/** One item of the output with the events that bring it. */
interface OutputItem {
  readonly item: Config;
  /** As it stands in `response.output_item.added`. */
  readonly start: Config;
  /** What comes between `added` and `done`, without item and place. */
  readonly events: readonly (Config & { readonly type: string })[];
}

function outputItems(reply: Reply, body: Config, id: string): OutputItem[] {
  const items: OutputItem[] = [];
  if (reply.thinking !== undefined || reply.redactedThinking !== undefined) {
    items.push(reasoningItem(reply, body, `rs_${id}`));
  }
  if (reply.text !== undefined) items.push(messageItem(reply, reply.text, `msg_${id}`));
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const text = argumentText(call);
    const head = {
      id: `fc_${id}_${index}`,
      type: "function_call",
      call_id: call.id ?? `call_${id}_${index}`,
      name: call.name,
    };
    items.push({
      item: { ...head, arguments: text, status: "completed" },
      start: { ...head, arguments: "", status: "in_progress" },
      events: [
        ...chunksOf(text, reply.chunk).map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
        { type: "response.function_call_arguments.done", arguments: text, name: call.name },
      ],
    });
  }
  return items;
}

function reasoningItem(reply: Reply, body: Config, id: string): OutputItem {
  const text = reply.thinking ?? "";
  const isWanted = arrayOf(body["include"]).includes("reasoning.encrypted_content");
  const encrypted = isWanted ? { encrypted_content: reply.redactedThinking ?? `encrypted-of-${id}` } : {};
  const part = { type: "summary_text", text };
  const head = { id, type: "reasoning" };
  const place = { summary_index: 0 };
  return {
    item: { ...head, summary: text === "" ? [] : [part], ...encrypted },
    start: { ...head, summary: [] },
    events:
      text === ""
        ? []
        : [
            { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } },
            ...chunksOf(text, reply.chunk).map((delta) => ({
              type: "response.reasoning_summary_text.delta",
              ...place,
              delta,
            })),
            { type: "response.reasoning_summary_text.done", ...place, text },
            { type: "response.reasoning_summary_part.done", ...place, part },
          ],
  };
}

function messageItem(reply: Reply, text: string, id: string): OutputItem {
  const isRefusal = stopOf(reply) === "refusal" && reply.rawStop === undefined;
  const part = isRefusal
    ? { type: "refusal", refusal: text }
    : { type: "output_text", text, annotations: [], logprobs: [] };
  const empty = isRefusal ? { ...part, refusal: "" } : { ...part, text: "" };
  const kind = isRefusal ? "response.refusal" : "response.output_text";
  const more = isRefusal ? {} : { logprobs: [] };
  const head = { id, type: "message", role: "assistant" };
  const place = { content_index: 0 };
  return {
    item: { ...head, content: [part], status: isCut(reply) ? "incomplete" : "completed" },
    start: { ...head, content: [], status: "in_progress" },
    events: [
      { type: "response.content_part.added", ...place, part: empty },
      ...chunksOf(text, reply.chunk).map((delta) => ({ type: `${kind}.delta`, ...place, delta, ...more })),
      { type: `${kind}.done`, ...place, ...(isRefusal ? { refusal: text } : { text, ...more }) },
      { type: "response.content_part.done", ...place, part },
    ],
  };
}

function streamEvents(reply: Reply, body: Config, id: string): WireEvent[] {
  const items = outputItems(reply, body, id).map(({ item, start, events }, output_index) => [
    { type: "response.output_item.added", output_index, item: start },
    ...events.map((event) => ({ ...event, item_id: start["id"], output_index })),
    { type: "response.output_item.done", output_index, item },
  ]);
  const end = finished(reply, body, id);
  const all: (Config & { readonly type: string })[] = [
    { type: "response.created", response: response(body, id, "in_progress") },
    { type: "response.in_progress", response: response(body, id, "in_progress") },
    ...(reply.interleaved === true ? byTurns<Config & { type: string }>(items) : items.flat()),
    { type: `response.${isCut(reply) ? "incomplete" : "completed"}`, response: end },
  ];
  return all.map((event, sequence_number) => ({
    event: event.type,
    data: JSON.stringify({ ...event, sequence_number }),
  }));
}

function isCut(reply: Reply): boolean {
  return reply.rawStop !== undefined || stopOf(reply) === "length";
}

/** The response at its end. This vendor counts cached tokens as part of the input. */
function finished(reply: Reply, body: Config, id: string): Config {
  const { input, cacheRead, cacheWrite, output } = usageOf(reply, body);
  const input_tokens = input + cacheRead + cacheWrite;
  return {
    ...response(body, id, isCut(reply) ? "incomplete" : "completed"),
    ...(isCut(reply) ? { incomplete_details: { reason: reply.rawStop ?? "max_output_tokens" } } : {}),
    output: outputItems(reply, body, id).map(({ item }) => item),
    usage: {
      input_tokens,
      input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + output,
    },
  };
}

function response(body: Config, id: string, status: string): Config {
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: 1_767_225_600,
    status,
    error: null,
    incomplete_details: null,
    instructions: body["instructions"] ?? null,
    metadata: {},
    model: body["model"],
    output: [],
    parallel_tool_calls: body["parallel_tool_calls"] ?? true,
    store: body["store"] ?? true,
    temperature: body["temperature"] ?? 1,
    tool_choice: body["tool_choice"] ?? "auto",
    tools: body["tools"] ?? [],
    top_p: body["top_p"] ?? 1,
  };
}
