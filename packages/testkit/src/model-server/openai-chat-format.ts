import type { Config } from "@quire/core";
import { recordOf } from "../narrow.js";
import { argumentText, byTurns, chunksOf, stopOf, usageOf } from "./reply.js";
import type { Reply } from "./reply.js";
import type { WireEvent, WireFormat } from "./wire-format.js";

/** Chat Completions. Shapes after the vendor's SDK 6.49, `resources/chat/completions/completions.d.ts`. */
export const openaiChatFormat: WireFormat = {
  path: "/v1/chat/completions",
  api: "openai-chat",
  unknownEvent: { data: '{"object":"chat.completion.future","choices":[]}' },
  events: streamEvents,
  whole(reply, body, id) {
    const calls = (reply.toolCalls ?? []).map((call, index) => ({
      id: call.id ?? `call_${id}_${index}`,
      type: "function",
      function: { name: call.name, arguments: argumentText(call) },
    }));
    const message = {
      role: "assistant",
      content: reply.text ?? null,
      refusal: null,
      ...(reply.thinking === undefined ? {} : { reasoning_content: reply.thinking }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    return {
      ...head(body, id, "chat.completion"),
      choices: [{ index: 0, message, logprobs: null, finish_reason: reply.rawStop ?? finishReasons[stopOf(reply)] }],
      usage: usage(reply, body),
    };
  },
  error: errorBody,
  errorEvent: (status, message) => ({ data: JSON.stringify(errorBody(status, message)) }),
};

function errorBody(status: number, message: string): Config {
  return { error: { message, type: errorTypes[status] ?? "server_error", param: null, code: null } };
}

const finishReasons = {
  end: "stop",
  tools: "tool_calls",
  length: "length",
  refusal: "content_filter",
} as const;

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  404: "invalid_request_error",
  429: "rate_limit_exceeded",
};

function streamEvents(reply: Reply, body: Config, id: string): WireEvent[] {
  const deltas: Config[] = [{ role: "assistant", content: "", refusal: null }];
  for (const reasoning_content of chunksOf(reply.thinking ?? "", reply.chunk)) deltas.push({ reasoning_content });
  for (const content of chunksOf(reply.text ?? "", reply.chunk)) deltas.push({ content });
  const calls = (reply.toolCalls ?? []).map((call, index) => [
    {
      tool_calls: [
        {
          index,
          id: call.id ?? `call_${id}_${index}`,
          type: "function",
          function: { name: call.name, arguments: "" },
        },
      ],
    },
    ...chunksOf(argumentText(call), reply.chunk).map((part) => ({
      tool_calls: [{ index, function: { arguments: part } }],
    })),
  ]);
  deltas.push(...(reply.interleaved === true ? byTurns<Config>(calls) : calls.flat()));
  const wantsUsage = recordOf(body["stream_options"])["include_usage"] === true;
  const chunk = (choices: readonly unknown[], rest: Config = wantsUsage ? { usage: null } : {}): WireEvent => ({
    data: JSON.stringify({ ...head(body, id, "chat.completion.chunk"), choices, ...rest }),
  });
  const choice = (delta: Config, finish_reason: string | null) => ({
    index: 0,
    delta,
    logprobs: null,
    finish_reason,
  });
  return [
    ...deltas.map((delta) => chunk([choice(delta, null)])),
    chunk([choice({}, reply.rawStop ?? finishReasons[stopOf(reply)])]),
    ...(wantsUsage ? [chunk([], { usage: usage(reply, body) })] : []),
    { data: "[DONE]" },
  ];
}

function head(body: Config, id: string, object: string): Config {
  return {
    id: `chatcmpl-${id}`,
    object,
    created: 1_767_225_600,
    model: body["model"],
    service_tier: "default",
  };
}

/** This vendor counts cached tokens as part of the prompt. */
function usage(reply: Reply, body: Config): Config {
  const { input, cacheRead, cacheWrite, output } = usageOf(reply, body);
  const prompt = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}
