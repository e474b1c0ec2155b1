import type { Config } from "@quire/core";
import { arrayOf, recordOf, textOf } from "../narrow.js";
import { findInSchema, invalidSchema } from "./json-schema-2020.js";
import { openaiModel } from "./openai-model.js";
import { firstIn, modelOf, objectsOf } from "./wire-rule.js";
import type { WireRule } from "./wire-rule.js";

/** A declared function: in Chat Completions one level deeper than in Responses. */
function functionsOf(body: Config): readonly Config[] {
  return objectsOf(body["tools"]).flatMap((tool) => {
    if (tool["type"] !== "function") return [];
    return [tool["function"] === undefined ? tool : recordOf(tool["function"])];
  });
}

/** What both APIs of OpenAI refuse of tools. */
export const openaiToolRules: readonly WireRule[] = [
  {
    // The answer of the API: "Invalid 'tools': empty array. Expected an array with minimum length 1", maximum 128.
    name: "tool-count",
    check: ({ body }) => {
      if (body["tools"] === undefined) return undefined;
      const { length } = arrayOf(body["tools"]);
      if (length === 0) return "Invalid 'tools': empty array. Expected an array with minimum length 1";
      return length > 128 ? "Invalid 'tools': array too long. Expected an array with maximum length 128" : undefined;
    },
  },
  {
    // API reference, function `name`: "Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64".
    name: "tool-name",
    check: ({ body }) =>
      firstIn(functionsOf(body), "tools", ({ name }) =>
        /^[a-zA-Z0-9_-]{1,64}$/.test(String(name))
          ? undefined
          : "Invalid name: string does not match pattern '^[a-zA-Z0-9_-]+$', or is longer than 64",
      ),
  },
  {
    // The vendor's model pages, "Function calling: not supported"; the answer is "tools is not supported in this model".
    name: "model-without-tools",
    check: ({ body }) =>
      body["tools"] !== undefined && !openaiModel(modelOf(body)).hasTools
        ? "tools is not supported in this model"
        : undefined,
  },
  {
    // API reference: both are for requests with tools ("'parallel_tool_calls' is only allowed when 'tools' are specified").
    name: "tool-options-without-tools",
    check: ({ body }) => {
      if (body["tools"] !== undefined) return undefined;
      const sent = ["parallel_tool_calls", "tool_choice"].find((name) => body[name] !== undefined);
      return sent === undefined ? undefined : `'${sent}' is only allowed when 'tools' are specified`;
    },
  },
  {
    // microsoft/vscode#307515: "schema must have type 'object' and not have 'oneOf'/… at the top level".
    name: "schema-head",
    check: ({ body }) =>
      inSchemas(body, (schema) =>
        schema["type"] !== "object" ||
        ["oneOf", "anyOf", "allOf", "enum", "not"].some((keyword) => schema[keyword] !== undefined)
          ? "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
          : undefined,
      ),
  },
  {
    // The answer of the API: "In context=(), object schema missing properties."
    name: "schema-properties",
    check: ({ body }) =>
      inSchemas(body, (schema) =>
        schema["properties"] === undefined ? "In context=(), object schema missing properties." : undefined,
      ),
  },
  {
    // sigoden/aichat#1049, PrefectHQ/fastmcp#2464: "array schema missing items", tuples too.
    name: "schema-items",
    check: ({ body }) =>
      inSchemas(body, (schema) =>
        findInSchema(schema, ({ type, items }) =>
          (type === "array" || arrayOf(type).includes("array")) && (typeof items !== "object" || items === null)
            ? "array schema missing items."
            : undefined,
        ),
      ),
  },
  {
    // The answer of the API to what the meta-schema refuses: "[…] is not of type 'object', 'boolean'", and the like.
    name: "schema-dialect",
    check: ({ body }) => inSchemas(body, invalidSchema),
  },
  {
    // BerriAI/litellm#40485: patterns are compiled by Python's `re`, which knows no `\p{…}`; nicobailon/
    // pi-interactive-shell#69: "regex lookaround is not supported".
    name: "schema-pattern",
    check: ({ body }) =>
      inSchemas(body, (schema) =>
        findInSchema(schema, ({ pattern, patternProperties }) =>
          [pattern, ...Object.keys(recordOf(patternProperties))].some(
            (each) => typeof each === "string" && /\\[pPk]\{?|\(\?<?[=!]|\(\?<[A-Za-z]|\\u\{/.test(each),
          )
            ? "the pattern is not a 'regex'"
            : undefined,
        ),
      ),
  },
  {
    // Guide "Structured outputs", "Supported schemas": a strict schema lists every property as required and closes.
    name: "schema-strict",
    check: ({ body }) =>
      firstIn(
        functionsOf(body).filter(({ strict }) => strict === true),
        "tools",
        ({ parameters }) => {
          const { properties, required, additionalProperties } = recordOf(parameters);
          const isClosed = additionalProperties === false;
          return isClosed && Object.keys(recordOf(properties)).every((key) => arrayOf(required).includes(key))
            ? undefined
            : "'additionalProperties' is required to be supplied and to be false";
        },
      ),
  },
];

function inSchemas(body: Config, check: (schema: Config) => string | undefined): string | undefined {
  return firstIn(functionsOf(body), "tools", ({ name, parameters }) => {
    const wrong = check(recordOf(parameters));
    return wrong === undefined ? undefined : `Invalid schema for function '${String(name)}': ${wrong}`;
  });
}

/** What both APIs refuse of the other settings of a request. */
export const openaiSettingRules: readonly WireRule[] = [
  {
    // API reference: `model` is required.
    name: "model-required",
    check: ({ body }) => (typeof body["model"] === "string" ? undefined : "you must provide a model parameter"),
  },
  {
    // Guide "Reasoning", "Limitations"; decolua/9router#560: "'temperature' does not support 0.16 with this model".
    name: "sampling-of-reasoning",
    check: ({ body }) => {
      if (!openaiModel(modelOf(body)).hasReasoning) return undefined;
      const names = ["temperature", "top_p", "presence_penalty", "frequency_penalty", "logprobs", "stop"];
      const sent = names.find((name) => body[name] !== undefined && body[name] !== 1);
      return sent === undefined ? undefined : `Unsupported parameter: '${sent}' is not supported with this model.`;
    },
  },
  {
    // API reference, `prompt_cache_key`: at most 64 characters.
    name: "cache-key-length",
    check: ({ body }) =>
      textOf(body["prompt_cache_key"]).length > 64
        ? "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64"
        : undefined,
  },
  {
    // API reference, `stream_options`: "Only set this when you set `stream: true`".
    name: "stream-options",
    check: ({ body }) =>
      body["stream_options"] !== undefined && body["stream"] !== true
        ? "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        : undefined,
  },
];
