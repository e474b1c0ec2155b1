import { expect, test } from "vitest";
import { freezeDeep, oddSchemas } from "@quire/testkit";
import type { JsonSchema } from "@quire/core";
import { schemaDialect } from "./tool-schema.js";

const plain = schemaDialect({ takesPattern: (pattern) => !pattern.includes("\\p") });
const strictKeys = schemaDialect({
  takesPattern: () => true,
  keyRule: { forbidden: /[^A-Za-z0-9_.-]/g, maxLength: 64 },
});

function schema(input: JsonSchema): JsonSchema {
  return plain(freezeDeep(input)).schema;
}

test("leaves a schema alone that every vendor takes", () => {
  const input = {
    type: "object",
    description: "Reads.",
    properties: {
      path: { type: "string", format: "uri", pattern: "^[a-z]+$", default: { type: "float" } },
      mode: { enum: ["a", "b"] },
      id: { type: ["string", "null"], anyOf: [{ minLength: 2 }, { const: null }] },
    },
    required: ["path"],
    additionalProperties: false,
  };
  expect(schema(input)).toEqual(input);
});

test.for([
  {
    name: "a reference at the head",
    input: {
      $ref: "#/definitions/In",
      definitions: { In: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } },
    },
    want: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  },
  {
    name: "a union of requirements",
    input: { type: "object", properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    want: { type: "object", properties: { a: {}, b: {} } },
  },
  {
    name: "a union of objects",
    input: {
      oneOf: [
        { type: "object", properties: { kind: { const: "x" }, size: { type: "number" } }, required: ["kind", "size"] },
        { type: "object", properties: { kind: { const: "y" } }, required: ["kind"] },
        { type: "null" },
      ],
    },
    want: {
      type: "object",
      properties: { kind: { anyOf: [{ const: "x" }, { const: "y" }] }, size: { type: "number" } },
      required: ["kind"],
    },
  },
  {
    name: "an intersection",
    input: {
      allOf: [{ properties: { a: { type: "string" } }, required: ["a"] }, { $ref: "#/$defs/B" }],
      not: { required: ["c"] },
      $defs: { B: { properties: { b: { type: "number" } } } },
    },
    want: {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "number" } },
      required: ["a"],
      $defs: { B: { properties: { b: { type: "number" } } } },
    },
  },
  { name: "no properties", input: { type: "object" }, want: { type: "object", properties: {} } },
  {
    name: "arrays without items and tuples of old",
    input: {
      type: "object",
      properties: {
        list: { type: "array" },
        pair: { type: "array", items: [{ type: "number" }], additionalItems: {} },
      },
    },
    want: {
      type: "object",
      properties: {
        list: { type: "array", items: {} },
        pair: { type: "array", prefixItems: [{ type: "number" }], items: {} },
      },
    },
  },
  {
    name: "words of older dialects",
    input: {
      $schema: "http://json-schema.org/draft-04/schema#",
      type: "object",
      properties: {
        age: { type: "int", minimum: 1, exclusiveMinimum: true },
        name: { type: "string", required: true, id: "#name" },
        any: { type: "any" },
        none: { enum: [] },
      },
    },
    want: {
      type: "object",
      properties: { age: { type: "integer", exclusiveMinimum: 1 }, name: { type: "string" }, any: {}, none: {} },
      required: ["name"],
    },
  },
  {
    name: "patterns the vendor cannot read",
    input: { type: "object", properties: { a: { type: "string", pattern: "\\p{L}" } } },
    want: { type: "object", properties: { a: { type: "string" } } },
  },
])("says anew: $name", ({ input, want }) => {
  const { definitions: _, ...found } = schema(input);
  expect(found).toEqual(want);
});

test("follows references that lead to a place, and leaves open what leads nowhere or in circles", () => {
  const input = {
    type: "object",
    properties: {
      first: { type: "string", minLength: 2 },
      second: { $ref: "#/properties/first", description: "like the first" },
      tree: { $ref: "#/$defs/Node" },
      gone: { $ref: "#/$defs/Nowhere", description: "gone" },
      outside: { $ref: "https://schemas.example/x.json" },
      itself: { type: "object", properties: { again: { $ref: "#/properties/itself" } } },
    },
    $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
  };
  expect(schema(input)).toEqual({
    type: "object",
    properties: {
      first: { type: "string", minLength: 2 },
      second: { type: "string", minLength: 2, description: "like the first" },
      tree: { $ref: "#/$defs/Node" },
      gone: { description: "gone" },
      outside: {},
      itself: {
        type: "object",
        properties: { again: { type: "object", properties: { again: {} } } },
      },
    },
    $defs: input.$defs,
  });
});

test("ends with a schema that holds itself", () => {
  const loop: Record<string, unknown> = { type: "object", properties: {} };
  loop["properties"] = { again: loop, other: loop };
  expect(JSON.stringify(plain(loop).schema).length).toBeLessThan(500);
});

test("renames arguments the vendor refuses, apart from those that bear the name", () => {
  const input = {
    type: "object",
    properties: { "filter[a]": { type: "string" }, filter_a_: {}, $top: {}, [`x${"y".repeat(80)}`]: {} },
    required: ["filter[a]", "filter_a_"],
  };
  const { schema: found, keys } = strictKeys(freezeDeep(input));
  const long = `x${"y".repeat(80)}`;
  expect(keys).toEqual({
    "filter[a]": "filter_a__2",
    $top: "_top",
    [long]: expect.stringMatching(/^xy+_[0-9a-f]{8}$/),
  });
  expect(found["properties"]).toEqual({
    filter_a__2: { type: "string" },
    filter_a_: {},
    _top: {},
    [keys[long] ?? ""]: {},
  });
  expect(found["required"]).toEqual(["filter_a__2", "filter_a_"]);
  expect(plain(input).keys).toEqual({});
});

test("works a schema out once", () => {
  for (const input of oddSchemas) {
    expect(plain(input)).toBe(plain(input));
    expect(plain(structuredClone(input))).toEqual(plain(input));
  }
});
