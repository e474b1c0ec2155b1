import { definePlugin } from "@quire/core";
import { expect, test } from "vitest";
import * as z from "zod";
import { hostKeys, nestedKeys } from "./known-keys.js";
import { configJsonSchema } from "./json-schema.js";

const permissions = definePlugin({
  name: "permissions",
  apiVersion: 1,
  configKeys: ["permissions"],
  options: z.object({ permissions: z.object({ mode: z.enum(["ask", "edit"]).default("ask") }).optional() }),
  setup: () => {},
});

test("the schema knows the host's keys, the plugins' keys, and nothing else", async () => {
  const schema = await configJsonSchema([permissions], ["memory"]);
  expect(schema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    additionalProperties: false,
    properties: {
      memory: {},
      permissions: { properties: { mode: { enum: ["ask", "edit"] } } },
      prompt: { properties: { prefix: { enum: ["frozen", "rebuilt"] } } },
      plugins: { properties: { permissions: { properties: { required: { type: "boolean" } } } } },
    },
  });
  const properties = Object.keys(schema["properties"] as object);
  expect(properties.sort()).toEqual([...hostKeys, "memory", "permissions"].sort());
});

test("a plugin without options, or with a schema that has no JSON form, takes any value", async () => {
  const plain = definePlugin({ name: "plain", apiVersion: 1, configKeys: ["plain"], setup: () => {} });
  const odd = definePlugin({
    name: "odd",
    apiVersion: 1,
    configKeys: ["odd"],
    options: z.object({ odd: z.custom<Map<string, string>>() }),
    setup: () => {},
  });
  expect(await configJsonSchema([plain, odd])).toMatchObject({ properties: { plain: {}, odd: {} } });
});

test("the keys that errors list are the keys of the schema", async () => {
  interface Form {
    readonly properties?: object;
    readonly anyOf?: readonly Form[];
    readonly additionalProperties?: Form;
  }
  const { properties } = (await configJsonSchema([])) as unknown as { properties: Record<string, Form> };
  for (const [path, keys] of Object.entries(nestedKeys)) {
    const [top = "", inner] = path.split(".");
    const form = inner === undefined ? properties[top] : properties[top]?.additionalProperties;
    const mapping = [form, ...(form?.anyOf ?? [])].find((each) => each?.properties !== undefined);
    expect(Object.keys(mapping?.properties ?? {}).sort()).toEqual([...keys].sort());
  }
});
