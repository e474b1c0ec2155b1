import type { Config } from "@quire/core";
import { arrayOf, recordOf } from "./narrow.js";
import { argumentText, chunksOf, stopOf, usageOf } from "./reply.js";
import type { Reply } from "./reply.js";
import type { WireEvent, WireFormat } from "./wire-format.js";

/** Chat Completions. Shapes after the vendor's SDK 6.49, `resources/chat/completions/completions.d.ts`. */
export const openaiChatFormat: WireFormat = {
  path: "/v1/chat/completions",
  refusal,
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
      choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasons[stopOf(reply)] }],
      usage: usage(reply, body),
    };
  },
  error: (status, message) => ({
    error: { message, type: errorTypes[status] ?? "server_error", param: null, code: null },
  }),
};

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
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const callId = call.id ?? `call_${id}_${index}`;
    const start = { name: call.name, arguments: "" };
    deltas.push({ tool_calls: [{ index, id: callId, type: "function", function: start }] });
    for (const part of chunksOf(argumentText(call), reply.chunk)) {
      deltas.push({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
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
    chunk([choice({}, finishReasons[stopOf(reply)])]),
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

/** Why the vendor would answer 400: every call needs its result before anything else is said. */
function refusal(body: Config): string | undefined {
  if (typeof body["model"] !== "string") return "you must provide a model parameter";
  const messages = arrayOf(body["messages"]).map(recordOf);
  if (messages.length === 0) return "Invalid 'messages': empty array. Expected an array with minimum length 1.";
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message["role"] === "tool") {
      const id = String(message["tool_call_id"]);
      if (!open.includes(id)) {
        return `messages.[${index}]: messages with role 'tool' must be a response to a preceding message with 'tool_calls'`;
      }
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) break;
    open = arrayOf(message["tool_calls"]).map((call) => String(recordOf(call)["id"]));
  }
  return open.length === 0
    ? undefined
    : `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${open.join(", ")}`;
}
