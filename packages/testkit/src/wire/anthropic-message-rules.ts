import type { Config } from "@quire/core";
import { recordOf, textOf } from "../narrow.js";
import { claudeModel } from "./anthropic-model.js";
import { isThinking } from "./anthropic-body-rules.js";
import { firstIn, modelOf, objectsOf } from "./wire-rule.js";
import type { WireRule } from "./wire-rule.js";

const assistantBlocks =
  /^(text|thinking|redacted_thinking|tool_use|server_tool_use|compaction|container_upload|.*_tool_result)$/;
const userBlocks = /^(text|image|document|search_result|tool_result|container_upload|tool_reference|mid_conv_system)$/;

/** What Anthropic Messages refuses of a conversation, calls and their results excepted. */
export const anthropicMessageRules: readonly WireRule[] = [
  {
    // API reference, `messages`: user, assistant and, in mid-conversation, system.
    name: "message-role",
    check: ({ body }) =>
      inMessages(body, ({ role }) =>
        role === "user" || role === "assistant" || role === "system" ? undefined : `role: unexpected ${String(role)}`,
      ),
  },
  {
    // Guide "Using the Messages API": the first message is the user's.
    name: "first-message-role",
    check: ({ body }) =>
      objectsOf(body["messages"])[0]?.["role"] === "assistant"
        ? 'messages: first message must use the "user" role'
        : undefined,
  },
  {
    // The answer of the API: "all messages must have non-empty content except for the optional final assistant message".
    name: "content-empty",
    check: ({ body }) =>
      inMessages(body, ({ content }) =>
        content === "" || (Array.isArray(content) && content.length === 0)
          ? "all messages must have non-empty content"
          : undefined,
      ),
  },
  {
    // The answer of the API: "text content blocks must contain non-whitespace text".
    name: "text-blank",
    check: ({ body }) =>
      inBlocks(body, (block) =>
        [block, ...objectsOf(block["content"])].some(({ type, text }) => type === "text" && String(text).trim() === "")
          ? "text content blocks must contain non-whitespace text"
          : undefined,
      ),
  },
  {
    // API reference, content blocks; document blocks of an assistant: guide "Migrating to API version 2026-10-21".
    name: "block-of-role",
    check: ({ body }) =>
      inBlocks(body, ({ type }, role) => {
        const allowed = role === "assistant" ? assistantBlocks : role === "system" ? /^text$/ : userBlocks;
        return allowed.test(String(type)) ? undefined : `${String(type)} blocks are not permitted in ${role} messages`;
      }),
  },
  {
    // Guide "Vision": JPEG, PNG, GIF and WebP. The answer to anything else names the four.
    name: "image-source",
    check: ({ body }) =>
      inBlocks(body, (block) =>
        [block, ...objectsOf(block["content"])].some((each) => each["type"] === "image" && !isImage(each))
          ? "image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
          : undefined,
      ),
  },
  {
    // tailcallhq/forgecode#2107: "The final block in an assistant message cannot be `thinking`."
    name: "final-thinking",
    check: ({ body }) =>
      inMessages(body, ({ role, content }) =>
        role === "assistant" && isThinking(objectsOf(content).at(-1))
          ? "The final block in an assistant message cannot be `thinking`."
          : undefined,
      ),
  },
  {
    // API reference, `signature`: a thinking block without the vendor's signature is refused.
    name: "thinking-signature",
    check: ({ body }) =>
      inBlocks(body, ({ type, signature, data }) => {
        if (type === "thinking" && (typeof signature !== "string" || signature === "")) {
          return "thinking.signature: Field required";
        }
        return type === "redacted_thinking" && typeof data !== "string" ? "data: Field required" : undefined;
      }),
  },
  {
    // Guide "Claude API errors", "Prefill not supported": models from 4.6 on. Older ones refuse white space at its end.
    name: "prefill",
    check: ({ body }) => {
      const last = objectsOf(body["messages"]).at(-1);
      if (last?.["role"] !== "assistant") return undefined;
      const { version } = claudeModel(modelOf(body));
      if (version !== undefined && version >= 4.6) {
        return "This model does not support assistant message prefill. The conversation must end with a user message.";
      }
      const { content } = last;
      const end = typeof content === "string" ? content : textOf(objectsOf(content).at(-1)?.["text"]);
      return end === end.trimEnd()
        ? undefined
        : "messages: final assistant content cannot end with trailing whitespace";
    },
  },
  {
    // Guide "Mid-conversation system messages": models from 4.8 on.
    name: "late-system-model",
    check: ({ body }) => {
      const { version, isPreview } = claudeModel(modelOf(body));
      const isAble = version !== undefined && version >= 4.8 && !isPreview;
      return isAble || objectsOf(body["messages"]).every(({ role }) => role !== "system")
        ? undefined
        : "role 'system' is not supported on this model";
    },
  },
  {
    // The same guide, "Limitations": behind a message of the user, and last or before one of the assistant.
    name: "late-system-place",
    check: ({ body }) => {
      const roles = objectsOf(body["messages"]).map(({ role }) => role);
      return firstIn(roles, "messages", (role, index) => {
        if (role !== "system") return undefined;
        const next = roles[index + 1];
        if (index === 0 || roles[index - 1] !== "user") return "a system message must follow a user message";
        return next === undefined || next === "assistant"
          ? undefined
          : "a system message must be last or followed by an assistant message";
      });
    },
  },
  {
    // Guide "Extended thinking": "a final `assistant` message must start with a thinking block".
    name: "thinking-first",
    check: ({ body }) => {
      if (recordOf(body["thinking"])["type"] !== "enabled") return undefined;
      const last = objectsOf(body["messages"]).findLast(({ role }) => role === "assistant");
      const blocks = objectsOf(last?.["content"]);
      if (!blocks.some(({ type }) => type === "tool_use") || isThinking(blocks[0])) return undefined;
      return `Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(blocks[0]?.["type"])}\``;
    },
  },
];

function inMessages(body: Config, check: (message: Config) => string | undefined): string | undefined {
  return firstIn(objectsOf(body["messages"]), "messages", check);
}

function inBlocks(body: Config, check: (block: Config, role: string) => string | undefined): string | undefined {
  return inMessages(body, ({ role, content }) =>
    firstIn(objectsOf(content), "content", (block) => check(block, String(role))),
  );
}

function isImage({ source }: Config): boolean {
  const { type, media_type: mime, data } = recordOf(source);
  return type !== "base64" || (/^image\/(jpeg|png|gif|webp)$/.test(String(mime)) && data !== "");
}
