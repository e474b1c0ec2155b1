import type { JsonSchema } from "@quire/core";

/** Names that plugins and MCP servers give, of which no vendor takes all. */
export const oddToolNames = [
  "read",
  "list-files",
  "mcp.files/read",
  "mcp_files_read",
  "größe messen",
  `mcp__a_server_with_a_long_name__${"and_a_tool_with_a_longer_one_".repeat(3)}x`,
  `mcp__a_server_with_a_long_name__${"and_a_tool_with_a_longer_one_".repeat(3)}y`,
  "🙂",
] as const;

/** Schemas as they come from plugins and MCP servers: each breaks a rule of one vendor or both. */
export const oddSchemas: readonly [JsonSchema, ...JsonSchema[]] = [
  { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false },
  { type: "object" },
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { when: { type: "string", format: "date-time" }, url: { type: "string", format: "uri" } },
  },
  {
    $ref: "#/definitions/Input",
    definitions: { Input: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } },
  },
  {
    type: "object",
    properties: { tree: { $ref: "#/$defs/Node" } },
    $defs: {
      Node: { type: "object", properties: { left: { $ref: "#/$defs/Node" }, right: { $ref: "#/$defs/Node" } } },
    },
  },
  {
    type: "object",
    properties: {
      first: { type: "object", properties: { deep: { type: "string" } } },
      second: { $ref: "#/properties/first" },
      itself: { type: "object", properties: { again: { $ref: "#/properties/itself" } } },
      gone: { $ref: "#/$defs/Nowhere", description: "leads nowhere" },
      outside: { $ref: "https://schemas.example/other.json" },
    },
  },
  {
    type: "object",
    properties: { text: { type: "string" } },
    anyOf: [{ required: ["text"] }, { properties: { file: { type: "string" } }, required: ["file"] }],
  },
  {
    type: "object",
    oneOf: [
      { type: "object", properties: { kind: { const: "a" }, size: { type: "integer" } }, required: ["kind", "size"] },
      { type: "object", properties: { kind: { const: "b" }, size: { type: "string" } }, required: ["kind"] },
      { type: "null" },
    ],
  },
  {
    type: "object",
    allOf: [{ properties: { a: { type: "string" } }, required: ["a"] }, { properties: { b: { type: "number" } } }],
    not: { required: ["c"] },
  },
  {
    type: "object",
    properties: {
      list: { type: "array" },
      either: { type: ["array", "string"] },
      pair: { type: "array", items: [{ type: "number" }, { type: "string" }], minItems: 2 },
      tuple: { type: "array", prefixItems: [{ type: "number" }] },
      nested: { type: "array", items: { type: "array" } },
    },
  },
  {
    type: "object",
    properties: {
      age: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      name: { type: "string", required: true },
      score: { type: "float" },
      anything: { type: "any" },
      one: { enum: [] },
      yes: true,
    },
  },
  {
    type: "object",
    properties: {
      "filter[name]": { type: "string" },
      filter_name_: { type: "string" },
      $top: { type: "integer" },
      "with space": { type: "string" },
      [`very_${"long_".repeat(20)}key`]: { type: "string" },
    },
    required: ["filter[name]", "$top"],
  },
  {
    type: "object",
    properties: {
      field: { type: "string", pattern: "^(?!__.*__$)[^\\p{Cc}]{1,200}$" },
      plain: { type: "string", pattern: "^[a-z]+$" },
      map: { type: "object", patternProperties: { "^\\p{L}+$": { type: "string" }, "^x-": { type: "string" } } },
    },
  },
];
