import { expect, test } from "vitest";
import * as z from "zod";
import type { JsonSchema, StandardSchema } from "../contracts/standard-schema.js";
import { PluginError } from "../errors.js";
import { toolInputSchema, validateToolInput } from "./tool-input.js";

const name = "acme/note";
const zodInput = z.object({ line: z.string(), tags: z.array(z.string()).default([]) });
const plainInput: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { line: { type: "string" } },
  required: ["line"],
};

function standard(parts: Partial<StandardSchema["~standard"]>): StandardSchema {
  const validate = (value: unknown) => ({ value });
  return { "~standard": { version: 1, vendor: "own", validate, ...parts } };
}

test("declares a zod schema as JSON Schema without its dialect, once", () => {
  const schema = toolInputSchema({ name, input: zodInput });
  expect(schema).toEqual({
    type: "object",
    properties: { line: { type: "string" }, tags: { default: [], type: "array", items: { type: "string" } } },
    required: ["line"],
  });
  expect(toolInputSchema({ name, input: zodInput })).toBe(schema);
});

test("declares a plain JSON Schema as it is, without its dialect", () => {
  const { $schema: _, ...rest } = plainInput;
  expect(toolInputSchema({ name, input: plainInput })).toEqual(rest);
  expect(plainInput).toHaveProperty("$schema");
});

test.for([
  { case: "is no object", input: z.string() },
  { case: "is a plain array", input: { type: "array" } },
  { case: "has no type", input: {} },
  { case: "cannot be JSON Schema", input: z.object({ when: z.date() }) },
  { case: "does not know JSON Schema", input: standard({}) },
  { case: "is missing", input: undefined as unknown as JsonSchema },
])("refuses an input that $case", ({ input }) => {
  const declare = () => toolInputSchema({ name, input });
  expect(declare).toThrow(PluginError);
  expect(declare).toThrow(/^\[tool-invalid\] The tool "acme\/note" has /);
});

test("gives the tool what the schema makes of the arguments", async () => {
  const result = await validateToolInput({ name, input: zodInput }, { line: "a" });
  expect(result).toEqual({ value: { line: "a", tags: [] } });
});

test("says where the arguments are wrong", async () => {
  const input = z.object({ tasks: z.array(z.object({ prompt: z.string() })), "max lines": z.int() });
  const result = await validateToolInput({ name, input }, { tasks: [{ prompt: "a" }, { prompt: 1 }] });
  expect(result).toEqual({
    problem: expect.stringMatching(/^tasks\[1\]\.prompt: .*string.*; max lines: /),
  });
});

test("understands the paths and the async answers of other libraries", async () => {
  const issues = [{ message: "too long", path: [{ key: "lines" }, { key: 0 }] }, { message: "odd" }];
  const input = standard({ validate: () => Promise.resolve({ issues }) });
  await expect(validateToolInput({ name, input }, {})).resolves.toEqual({
    problem: "lines[0]: too long; odd",
  });
});

test("a schema that throws is a problem of the call, not of the turn", async () => {
  const input = standard({
    validate: () => {
      throw new Error("boom");
    },
  });
  await expect(validateToolInput({ name, input }, {})).resolves.toEqual({
    problem: "the schema failed: boom",
  });
});

test.for([
  { case: "a text", args: "{}", want: { problem: "the arguments must be an object" } },
  { case: "a list", args: [], want: { problem: "the arguments must be an object" } },
  { case: "null", args: null, want: { problem: "the arguments must be an object" } },
  { case: "a missing key", args: { lime: "a" }, want: { problem: "line: is required" } },
  { case: "an inherited key", args: Object.create({ line: "a" }), want: { problem: "line: is required" } },
  { case: "all it needs", args: { line: 1, more: 2 }, want: { value: { line: 1, more: 2 } } },
] satisfies readonly { case: string; args: unknown; want: unknown }[])(
  "judges $case by a plain JSON Schema",
  async ({ args, want }) => {
    await expect(validateToolInput({ name, input: plainInput }, args)).resolves.toEqual(want);
  },
);
