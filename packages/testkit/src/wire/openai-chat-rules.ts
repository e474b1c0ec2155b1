import type { Config } from "@quire/core";
import { arrayOf, recordOf } from "../narrow.js";
import { openaiModel } from "./openai-model.js";
import { openaiSettingRules, openaiToolRules } from "./openai-tool-rules.js";
import { firstIn, modelOf, objectsOf } from "./wire-rule.js";
import type { WireRule } from "./wire-rule.js";

const partsOfRole: Readonly<Record<string, RegExp>> = {
  system: /^text$/,
  developer: /^text$/,
  user: /^(text|image_url|input_audio|file)$/,
  assistant: /^(text|refusal)$/,
  tool: /^text$/,
};

/** What Chat Completions refuses. */
export const openaiChatRules: readonly WireRule[] = [
  ...openaiSettingRules,
  {
    // The answer of the API: "Invalid 'messages': empty array. Expected an array with minimum length 1".
    name: "message-count",
    check: ({ body }) =>
      objectsOf(body["messages"]).length === 0
        ? "Invalid 'messages': empty array. Expected an array with minimum length 1."
        : undefined,
  },
  {
    // API reference, `messages`.
    name: "message-role",
    check: ({ body }) =>
      inMessages(body, ({ role }) =>
        Object.hasOwn(partsOfRole, String(role)) || role === "function"
          ? undefined
          : `Invalid value: '${String(role)}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
      ),
  },
  {
    // API reference: `content` is required; null only beside `tool_calls`, or a refusal.
    name: "content-missing",
    check: ({ body }) =>
      inMessages(body, ({ role, content, tool_calls: calls, refusal }) => {
        if (typeof content === "string") return undefined;
        if (Array.isArray(content)) return content.length > 0 ? undefined : "Invalid content: empty array.";
        return role === "assistant" && (calls !== undefined || typeof refusal === "string")
          ? undefined
          : "Invalid value for 'content': expected a string, got null.";
      }),
  },
  {
    // OpenHands/OpenHands#7700: "Image URLs are only allowed for messages with role 'user'".
    name: "part-of-role",
    check: ({ body }) =>
      inMessages(body, ({ role, content }) =>
        firstIn(objectsOf(content), "content", ({ type }) =>
          partsOfRole[String(role)]?.test(String(type)) === false
            ? `${String(type)} is not allowed for messages with role '${String(role)}'`
            : undefined,
        ),
      ),
  },
  {
    // Guide "Images and vision": PNG, JPEG, WebP and GIF, as a URL or as a data URL.
    name: "image-url",
    check: ({ body }) =>
      inMessages(body, ({ content }) =>
        objectsOf(content)
          .filter(({ type }) => type === "image_url")
          .every(({ image_url }) => isImageUrl(recordOf(image_url)["url"]))
          ? undefined
          : "Invalid image URL: expected one of the formats png, jpeg, gif, webp",
      ),
  },
  {
    // The answer of the API: "Invalid 'messages[1].tool_calls': empty array".
    name: "call-count",
    check: ({ body }) =>
      inMessages(body, ({ tool_calls: calls }) =>
        Array.isArray(calls) && calls.length === 0 ? "Invalid 'tool_calls': empty array." : undefined,
      ),
  },
  {
    // microsoft/autogen#6377: "Invalid 'messages[3].tool_calls[0].id': string too long … maximum length 40".
    name: "call-id",
    check: ({ body }) =>
      inCalls(body, ({ id }) =>
        typeof id === "string" && id.length > 0 && id.length <= 40
          ? undefined
          : "Invalid 'id': string too long. Expected a string with maximum length 40",
      ),
  },
  {
    // The name's pattern holds in the history too.
    name: "call-function",
    check: ({ body }) =>
      inCalls(body, ({ type, function: called }) => {
        const { name, arguments: text } = recordOf(called);
        if (type !== "function") return "Missing required parameter: 'type'";
        if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(name))) return "Invalid 'function.name': does not match the pattern";
        return typeof text === "string" ? undefined : "Invalid type for 'function.arguments': expected a string";
      }),
  },
  {
    // Guide "Function calling"; Factory-AI/factory#31: both sentences, and nothing may stand between the results.
    name: "calls-and-results",
    check: ({ body }) => unpairedCall(objectsOf(body["messages"])),
  },
  {
    // tailcallhq/forgecode#1081: "Unsupported parameter: 'max_tokens' is not supported with this model."
    name: "max-tokens-of-reasoning",
    check: ({ body }) =>
      body["max_tokens"] !== undefined && openaiModel(modelOf(body)).hasReasoning
        ? "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        : undefined,
  },
  {
    // API reference, `reasoning_effort`: for reasoning models.
    name: "effort-without-reasoning",
    check: ({ body }) => {
      const { isOwn, hasReasoning } = openaiModel(modelOf(body));
      return body["reasoning_effort"] !== undefined && isOwn && !hasReasoning
        ? "Unrecognized request argument supplied: reasoning_effort"
        : undefined;
    },
  },
  {
    // API reference, `stop`: "Up to 4 sequences".
    name: "stop-count",
    check: ({ body }) => (arrayOf(body["stop"]).length > 4 ? "Invalid 'stop': array too long." : undefined),
  },
  ...openaiToolRules,
];

function inMessages(body: Config, check: (message: Config) => string | undefined): string | undefined {
  return firstIn(objectsOf(body["messages"]), "messages", check);
}

function inCalls(body: Config, check: (call: Config) => string | undefined): string | undefined {
  return inMessages(body, ({ tool_calls: calls }) => firstIn(objectsOf(calls), "tool_calls", check));
}

function isImageUrl(url: unknown): boolean {
  return /^(https?:|data:image\/(png|jpe?g|gif|webp);base64,.)/.test(String(url));
}

function unpairedCall(messages: readonly Config[]): string | undefined {
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
    open = objectsOf(message["tool_calls"]).map(({ id }) => String(id));
    if (new Set(open).size !== open.length) return `messages.[${index}]: duplicate ids in 'tool_calls'`;
  }
  return open.length === 0
    ? undefined
    : `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Missing: ${open.join(", ")}`;
}
