import type { Config } from "@quire/core";
import { arrayOf, recordOf, textOf } from "../narrow.js";
import { openaiModel } from "./openai-model.js";
import { openaiSettingRules, openaiToolRules } from "./openai-tool-rules.js";
import { firstIn, modelOf, objectsOf } from "./wire-rule.js";
import type { WireRule } from "./wire-rule.js";

const idPrefixes: Readonly<Record<string, string>> = {
  message: "msg",
  function_call: "fc",
  function_call_output: "fc",
  reasoning: "rs",
};

const itemTypes = new Set(["message", "function_call", "function_call_output", "reasoning", "item_reference"]);

/** What Responses refuses; Codex Responses refuses it too. */
export const openaiResponsesRules: readonly WireRule[] = [
  ...openaiSettingRules,
  {
    // API reference, `input`: required unless a prompt, a conversation or an earlier response gives it.
    name: "input-missing",
    check: ({ body }) =>
      body["input"] === undefined || body["input"] === "" || (Array.isArray(body["input"]) && !body["input"].length)
        ? "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be provided."
        : undefined,
  },
  {
    // API reference, `instructions`: a text.
    name: "instructions-type",
    check: ({ body }) =>
      ["string", "undefined"].includes(typeof body["instructions"])
        ? undefined
        : "Invalid type for 'instructions': expected a string",
  },
  {
    // API reference, input items.
    name: "item-type",
    check: ({ body }) =>
      inItems(body, (item) => (itemTypes.has(typeOf(item)) ? undefined : `Invalid value: '${typeOf(item)}'.`)),
  },
  {
    // API reference, input message: role and content.
    name: "message-role",
    check: ({ body }) =>
      inMessages(body, ({ role }) =>
        /^(user|assistant|system|developer)$/.test(String(role)) ? undefined : `Invalid value: '${String(role)}'.`,
      ),
  },
  {
    name: "content-missing",
    check: ({ body }) =>
      inMessages(body, ({ content }) =>
        typeof content === "string" || arrayOf(content).length > 0 ? undefined : "Invalid 'content': empty array.",
      ),
  },
  {
    // The answer of the API: "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'."
    name: "part-of-role",
    check: ({ body }) =>
      inMessages(body, ({ role, content }) => {
        const allowed = role === "assistant" ? /^(output_text|refusal)$/ : partTypes;
        return firstIn(objectsOf(content), "content", ({ type }) =>
          allowed.test(String(type)) ? undefined : `Invalid value: '${String(type)}'.`,
        );
      }),
  },
  {
    // Guide "Images and vision": PNG, JPEG, WebP and GIF.
    name: "image-url",
    check: ({ body }) =>
      inItems(body, ({ content, output }) =>
        [...objectsOf(content), ...objectsOf(output)]
          .filter(({ type }) => type === "input_image")
          .every(({ image_url: url }) => /^(https?:|data:image\/(png|jpe?g|gif|webp);base64,.)/.test(String(url)))
          ? undefined
          : "The image data you provided does not represent a valid image.",
      ),
  },
  {
    // nodetool-ai/nodetool#4252: "Invalid 'input[N].id': 'call_…'. Expected an ID that begins with 'fc'."
    name: "item-id",
    check: ({ body }) =>
      inItems(body, (item) => {
        const { id } = item;
        const prefix = idPrefixes[typeOf(item)];
        if (id === undefined || id === null || prefix === undefined) return undefined;
        return new RegExp(`^${prefix}[a-zA-Z0-9_-]*$`).test(textOf(id)) && textOf(id).length <= 64
          ? undefined
          : `Invalid 'id': '${textOf(id)}'. Expected an ID that begins with '${prefix}'.`;
      }),
  },
  {
    // decolua/9router#393: "Invalid input[].call_id: string too long. Expected max length 64."
    name: "call-id",
    check: ({ body }) =>
      inItems(body, (item) => {
        if (!typeOf(item).startsWith("function_call")) return undefined;
        const length = textOf(item["call_id"]).length;
        return length > 0 && length <= 64 ? undefined : "Invalid 'call_id': string too long. Expected max length 64";
      }),
  },
  {
    // API reference, function call: `name` as of a tool, `arguments` a text.
    name: "call-function",
    check: ({ body }) =>
      inItems(body, (item) => {
        if (typeOf(item) !== "function_call") return undefined;
        if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(item["name"]))) return "Invalid 'name': does not match the pattern";
        return typeof item["arguments"] === "string" ? undefined : "Invalid type for 'arguments': expected a string";
      }),
  },
  {
    // continuedev/continue#10092: "No tool call found for function call output"; "No tool output found for function call".
    name: "calls-and-results",
    check: ({ body }) => unpairedCall(objectsOf(body["input"])),
  },
  {
    // API reference, function call output: a text, or a list of input texts, images and files.
    name: "result-content",
    check: ({ body }) =>
      inItems(body, (item) => {
        if (typeOf(item) !== "function_call_output" || typeof item["output"] === "string") return undefined;
        const parts = objectsOf(item["output"]);
        return parts.length > 0 && parts.every(({ type }) => partTypes.test(String(type)))
          ? undefined
          : "Invalid type for 'output'";
      }),
  },
  {
    // vercel/ai#7099: "Item 'rs_…' of type 'reasoning' was provided without its required following item."
    name: "reasoning-followed",
    check: ({ body }) => {
      const items = objectsOf(body["input"]);
      return inItems(body, (item, index) => {
        if (typeOf(item) !== "reasoning") return undefined;
        const next = items.slice(index + 1).find((each) => typeOf(each) !== "reasoning");
        const isOfModel = next !== undefined && (typeOf(next) === "function_call" || next["role"] === "assistant");
        return isOfModel ? undefined : "Item of type 'reasoning' was provided without its required following item.";
      });
    },
  },
  {
    // API reference, reasoning item: `summary` is required.
    name: "reasoning-summary",
    check: ({ body }) =>
      inItems(body, (item) =>
        typeOf(item) !== "reasoning" || Array.isArray(item["summary"])
          ? undefined
          : "Missing required parameter: 'summary'",
      ),
  },
  {
    // icebear0828/codex-proxy#83: "Items are not persisted when `store` is set to false."
    name: "reasoning-not-stored",
    check: ({ body }) =>
      inItems(body, (item) => {
        if (body["store"] !== false) return undefined;
        const isUnknown =
          typeOf(item) === "item_reference" || (typeOf(item) === "reasoning" && !item["encrypted_content"]);
        return isUnknown ? "Item not found. Items are not persisted when `store` is set to false." : undefined;
      }),
  },
  {
    // pydantic/pydantic-ai#2865: "Encrypted content is not supported with this model."
    name: "encrypted-content",
    check: ({ body }) => {
      const { isOwn, hasReasoning } = openaiModel(modelOf(body));
      return arrayOf(body["include"]).includes("reasoning.encrypted_content") && isOwn && !hasReasoning
        ? "Encrypted content is not supported with this model."
        : undefined;
    },
  },
  {
    // API reference, `reasoning`: "gpt-5 and o-series models only".
    name: "reasoning-without-reasoning",
    check: ({ body }) => {
      const { isOwn, hasReasoning } = openaiModel(modelOf(body));
      return Object.keys(recordOf(body["reasoning"])).length > 0 && isOwn && !hasReasoning
        ? "Unsupported parameter: 'reasoning' is not supported with this model."
        : undefined;
    },
  },
  {
    // openai/codex#19188: "Unsupported value: 'low' is not supported with the 'gpt-5.2-codex…' model."
    name: "verbosity",
    check: ({ body }) => {
      const { verbosity } = recordOf(body["text"]);
      return ["medium", undefined, null].includes(verbosity as string) || openaiModel(modelOf(body)).hasVerbosity
        ? undefined
        : `Unsupported value: '${String(verbosity)}' is not supported. Supported values are: 'medium'.`;
    },
  },
  {
    // earendil-works/pi#9845: the minimum is 16.
    name: "max-output-tokens",
    check: ({ body }) =>
      body["max_output_tokens"] !== undefined && Number(body["max_output_tokens"]) < 16
        ? "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16"
        : undefined,
  },
  {
    // API reference, tools of Responses: `name` and `parameters` stand at the tool itself.
    name: "tool-shape",
    check: ({ body }) =>
      firstIn(objectsOf(body["tools"]), "tools", (tool) =>
        tool["function"] === undefined ? undefined : "Missing required parameter: 'name'",
      ),
  },
  {
    // API reference: a parameter of Chat Completions alone.
    name: "chat-parameter",
    check: ({ body }) => {
      const sent = ["messages", "max_tokens", "max_completion_tokens", "stop", "reasoning_effort"].find(
        (name) => body[name] !== undefined,
      );
      return sent === undefined ? undefined : `Unsupported parameter: '${sent}'.`;
    },
  },
  ...openaiToolRules,
];

const partTypes = /^(input_text|input_image|input_file)$/;

function typeOf(item: Config): string {
  return textOf(item["type"] ?? (item["role"] === undefined ? "" : "message"));
}

function inItems(body: Config, check: (item: Config, index: number) => string | undefined): string | undefined {
  return firstIn(objectsOf(body["input"]), "input", check);
}

function inMessages(body: Config, check: (message: Config) => string | undefined): string | undefined {
  return inItems(body, (item) => (typeOf(item) === "message" ? check(item) : undefined));
}

function unpairedCall(items: readonly Config[]): string | undefined {
  const open = new Set<string>();
  const done = new Set<string>();
  for (const item of items) {
    const id = String(item["call_id"]);
    if (typeOf(item) === "function_call") {
      if (open.has(id) || done.has(id)) return `Duplicate item found with call_id ${id}`;
      open.add(id);
    } else if (typeOf(item) === "function_call_output") {
      if (!open.delete(id)) return `No tool call found for function call output with call_id ${id}.`;
      done.add(id);
    }
  }
  const [missing] = open;
  return missing === undefined ? undefined : `No tool output found for function call ${missing}.`;
}
