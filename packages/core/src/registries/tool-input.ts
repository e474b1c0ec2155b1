import type { JsonSchema, StandardSchema } from "../contracts/standard-schema.js";
import type { ToolSpec } from "../contracts/tool.js";
import { PluginError } from "../errors.js";

type Input = Pick<ToolSpec, "name" | "input">;

/** Turning a schema library's schema into JSON Schema takes its time, and a tool is declared at every request. */
const schemas = new WeakMap<object, JsonSchema>();

/**
 * The JSON Schema a provider declares, without `$schema`.
 * @throws {PluginError} `tool-invalid` when there is none, or its type is not `object`.
 */
export function toolInputSchema(spec: Input): JsonSchema {
  const { input } = spec;
  if (typeof input !== "object" && typeof input !== "function") throw invalid(spec, "has no input schema");
  if (input === null) throw invalid(spec, "has no input schema");
  let schema = schemas.get(input);
  if (schema === undefined) {
    schema = Object.freeze(withoutDialect(isStandardSchema(input) ? fromStandard(spec, input) : input));
    if (schema["type"] !== "object") {
      throw invalid(spec, `has an input schema of type ${JSON.stringify(schema["type"]) ?? "nothing"}`);
    }
    schemas.set(input, schema);
  }
  return schema;
}

/**
 * Checks the arguments of a call: by the schema's own library, or, of a plain JSON Schema, that they are an object with
 * every required key.
 * @returns The arguments as the tool gets them, or what is wrong with them, for the model to read.
 */
export async function validateToolInput(
  spec: Input,
  args: unknown,
): Promise<{ readonly value: unknown } | { readonly problem: string }> {
  if (!isStandardSchema(spec.input)) return validatePlain(spec.input, args);
  try {
    const result = await spec.input["~standard"].validate(args);
    if (result.issues === undefined) return { value: result.value };
    return { problem: result.issues.map(({ message, path }) => withPath(message, path)).join("; ") };
  } catch (error) {
    return { problem: `the schema failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function isStandardSchema(input: Input["input"]): input is StandardSchema {
  return "~standard" in input;
}

function fromStandard(spec: Input, input: StandardSchema): JsonSchema {
  const convert = input["~standard"].jsonSchema?.input;
  if (convert === undefined) throw invalid(spec, "has an input schema that cannot turn itself into JSON Schema");
  try {
    return convert({ target: "draft-2020-12" });
  } catch (error) {
    throw invalid(spec, "has an input schema that JSON Schema cannot express", error);
  }
}

function withoutDialect(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema;
  return rest;
}

function validatePlain(schema: JsonSchema, args: unknown): { value: unknown } | { problem: string } {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return { problem: "the arguments must be an object" };
  }
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const missing = required.filter((key) => typeof key === "string" && !Object.hasOwn(args, key));
  if (missing.length === 0) return { value: args };
  return { problem: missing.map((key) => `${String(key)}: is required`).join("; ") };
}

/** Paths come as keys or as objects that hold one: standardschema.dev allows both. */
function withPath(message: string, path: readonly unknown[] = []): string {
  let place = "";
  for (const step of path) {
    const key = typeof step === "object" && step !== null && "key" in step ? step.key : step;
    place += typeof key === "number" ? `[${key}]` : `${place === "" ? "" : "."}${String(key)}`;
  }
  return place === "" ? message : `${place}: ${message}`;
}

function invalid(spec: Input, what: string, cause?: unknown): PluginError {
  return new PluginError({
    code: "tool-invalid",
    level: "error",
    message: `The tool "${spec.name}" ${what}`,
    fix: "Give input as z.object({ … }) of zod 4.2 or later, or as a JSON Schema with type: object",
    ...(cause === undefined ? {} : { cause }),
  });
}
