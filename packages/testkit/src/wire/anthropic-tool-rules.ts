import type { Config } from "@quire/core";
import { recordOf } from "../narrow.js";
import { invalidSchema } from "./json-schema-2020.js";
import { firstIn, objectsOf } from "./wire-rule.js";
import type { WireRule } from "./wire-rule.js";

/** What Anthropic Messages refuses of tools, calls and results. */
export const anthropicToolRules: readonly WireRule[] = [
  {
    // Guide "Define tools": the name's pattern; today's answer allows 128 characters.
    name: "tool-name",
    check: ({ body }) =>
      inTools(body, ({ name }) =>
        /^[a-zA-Z0-9_-]{1,128}$/.test(String(name))
          ? undefined
          : "custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
      ),
  },
  {
    // The answer of the API: "tools: Tool names must be unique."
    name: "tool-name-unique",
    check: ({ body }) => {
      const names = objectsOf(body["tools"]).map(({ name }) => name);
      return new Set(names).size === names.length ? undefined : "tools: Tool names must be unique.";
    },
  },
  {
    // API reference, `input_schema`: of type `object`.
    name: "schema-type",
    check: ({ body }) =>
      inTools(body, ({ input_schema }) =>
        recordOf(input_schema)["type"] === "object" ? undefined : "custom.input_schema.type: Input should be 'object'",
      ),
  },
  {
    // anthropics/claude-code#40075: "input_schema does not support oneOf, allOf, or anyOf at the top level".
    name: "schema-union",
    check: ({ body }) =>
      inTools(body, ({ input_schema }) =>
        ["oneOf", "allOf", "anyOf"].some((keyword) => recordOf(input_schema)[keyword] !== undefined)
          ? "custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
          : undefined,
      ),
  },
  {
    // n8n-io/n8n#30590: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".
    name: "schema-keys",
    check: ({ body }) =>
      inTools(body, ({ input_schema }) =>
        Object.keys(recordOf(recordOf(input_schema)["properties"])).every((key) => /^[a-zA-Z0-9_.-]{1,64}$/.test(key))
          ? undefined
          : "custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
      ),
  },
  {
    // anthropics/claude-code#586: "JSON schema is invalid. It must match JSON Schema draft 2020-12".
    name: "schema-dialect",
    check: ({ body }) =>
      inTools(body, ({ input_schema }) => {
        const wrong = invalidSchema(recordOf(input_schema));
        return wrong === undefined
          ? undefined
          : `custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12: ${wrong}`;
      }),
  },
  {
    // anthropics/anthropic-sdk-python#494: "Requests which include tool_use or tool_result blocks must define tools."
    name: "tools-missing",
    check: ({ body }) =>
      objectsOf(body["tools"]).length === 0 && blocksOf(body).some(({ type }) => isCallOrResult(type))
        ? "Requests which include `tool_use` or `tool_result` blocks must define tools."
        : undefined,
  },
  {
    // The answer of the API to an id: "String should match pattern '^[a-zA-Z0-9_-]+$'".
    name: "call-id",
    check: ({ body }) =>
      callsOf(body).every(({ id }) => /^[a-zA-Z0-9_-]+$/.test(String(id)))
        ? undefined
        : "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  },
  {
    // The answer of the API: "messages: `tool_use` ids must be unique".
    name: "call-id-unique",
    check: ({ body }) => {
      const ids = callsOf(body).map(({ id }) => id);
      return new Set(ids).size === ids.length ? undefined : "messages: `tool_use` ids must be unique";
    },
  },
  {
    // The answer of the API to a name in the history: "String should match pattern '^[a-zA-Z0-9_-]{1,200}$'".
    name: "call-name",
    check: ({ body }) =>
      callsOf(body).every(({ name }) => /^[a-zA-Z0-9_-]{1,200}$/.test(String(name)))
        ? undefined
        : "tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'",
  },
  {
    // API reference, `tool_use.input`: an object.
    name: "call-input",
    check: ({ body }) =>
      callsOf(body).every(({ input }) => typeof input === "object" && input !== null && !Array.isArray(input))
        ? undefined
        : "tool_use.input: Input should be a valid dictionary",
  },
  {
    // anthropics/claude-code#7929: each call has its result in the next message.
    name: "result-missing",
    check: ({ body }) =>
      inPairs(body, (message, next) => {
        if (next === undefined) return undefined;
        const results = resultIds(next);
        const missing = callIds(message).filter((id) => !results.includes(id));
        return missing.length === 0
          ? undefined
          : `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`;
      }),
  },
  {
    // The same guide: a result answers a call of the message before it.
    name: "result-orphan",
    check: ({ body }) =>
      inPairs(body, (message, _next, previous) => {
        const calls = callIds(previous);
        const orphan = resultIds(message).find((id) => !calls.includes(id));
        return orphan === undefined
          ? undefined
          : `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}`;
      }),
  },
  {
    // The answer of the API: "each tool_use must have a single result".
    name: "result-twice",
    check: ({ body }) =>
      inPairs(body, (message) => {
        const ids = resultIds(message);
        return new Set(ids).size === ids.length ? undefined : "each tool_use must have a single result";
      }),
  },
  {
    // Guide "Handle tool calls": "tool_result blocks must come first in the content array".
    name: "result-first",
    check: ({ body }) =>
      inPairs(body, ({ content }) => {
        const isResult = objectsOf(content).map(({ type }) => type === "tool_result");
        const last = isResult.lastIndexOf(true);
        return last < 0 || !isResult.slice(0, last).includes(false)
          ? undefined
          : "`tool_result` blocks must come first in the content";
      }),
  },
  {
    // API reference, `tool_result.content`: text, images, documents, search results.
    name: "result-content",
    check: ({ body }) =>
      blocksOf(body)
        .filter(({ type }) => type === "tool_result")
        .flatMap(({ content }) => objectsOf(content))
        .every(({ type }) => /^(text|image|document|search_result|tool_reference|browser_state)$/.test(String(type)))
        ? undefined
        : "tool_result.content: Input should be a text, image, document or search result block",
  },
  {
    // The answer of the API: "content cannot be empty if `is_error` is true".
    name: "result-error-empty",
    check: ({ body }) =>
      blocksOf(body).some(
        ({ type, is_error, content }) =>
          type === "tool_result" &&
          is_error === true &&
          (content === undefined || content === "" || (Array.isArray(content) && content.length === 0)),
      )
        ? "tool_result: content cannot be empty if `is_error` is true"
        : undefined,
  },
];

function isCallOrResult(type: unknown): boolean {
  return type === "tool_use" || type === "tool_result";
}

function inTools(body: Config, check: (tool: Config) => string | undefined): string | undefined {
  // A tool of the vendor's own has a type and no schema.
  const own = ({ type }: Config): boolean => type === undefined || type === null || type === "custom";
  return firstIn(objectsOf(body["tools"]), "tools", (tool) => (own(tool) ? check(tool) : undefined));
}

function inPairs(
  body: Config,
  check: (message: Config, next: Config | undefined, previous: Config | undefined) => string | undefined,
): string | undefined {
  const messages = objectsOf(body["messages"]);
  return firstIn(messages, "messages", (message, index) => check(message, messages[index + 1], messages[index - 1]));
}

function blocksOf(body: Config): readonly Config[] {
  return objectsOf(body["messages"]).flatMap(({ content }) => objectsOf(content));
}

function callsOf(body: Config): readonly Config[] {
  return blocksOf(body).filter(({ type }) => type === "tool_use");
}

function callIds(message: Config | undefined): readonly string[] {
  return idsOf(message, "tool_use", "id");
}

function resultIds(message: Config | undefined): readonly string[] {
  return idsOf(message, "tool_result", "tool_use_id");
}

function idsOf(message: Config | undefined, type: string, key: string): readonly string[] {
  return objectsOf(message?.["content"])
    .filter((block) => block["type"] === type)
    .map((block) => String(block[key]));
}
