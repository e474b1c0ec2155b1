import type { JsonSchema, StandardSchema, ToolSpec } from "../index.js";
import { messageOf, pluginError, type PluginError } from "../errors.js";
import { describeIssues } from "../text/issues.js";

type Input = Pick<ToolSpec, "name" | "input">;

/** Turning a schema library's schema into JSON Schema takes its time, and a tool is declared at every request. */
const schemas = new WeakMap<object, JsonSchema>();

/**
 * The JSON Schema a provider declares, without `$schema`.
 * @throws {PluginError} `tool-invalid` when there is none, or its type is not `object`.
 */
export function toolInputSchema(spec: Input): JsonSchema {
  const { input } = spec;
  if (input === null || (typeof input !== "object" && typeof input !== "function")) {
    throw invalid(spec, "has no input schema");
  }
  const known = schemas.get(input);
  if (known !== undefined) return known;
  const { $schema: _, ...schema } = isStandardSchema(input) ? fromStandard(spec, input) : input;
  if (schema["type"] !== "object") {
    throw invalid(spec, `has an input schema of type ${JSON.stringify(schema["type"]) ?? "nothing"}`);
  }
  schemas.set(input, Object.freeze(schema));
  return schema;
}

/**
 * Checks the arguments of a call: by the schema's own library, or, of a plain JSON Schema, that they are an object with
 * every required key.
 * @returns The arguments as the tool gets them, or what is wrong with them, for the model to read.
 */
export async function validateToolInput({ input }: Input, args: unknown): Promise<Judged> {
  if (!isStandardSchema(input)) return validatePlain(input, args);
  try {
    const result = await input["~standard"].validate(args);
    return result.issues === undefined ? { value: result.value } : { problem: describeIssues(result.issues) };
  } catch (error) {
    return { problem: `the schema failed: ${messageOf(error)}` };
  }
}

type Judged = { readonly value: unknown } | { readonly problem: string };

const isStandardSchema = (input: Input["input"]): input is StandardSchema => "~standard" in input;

function fromStandard(spec: Input, input: StandardSchema): JsonSchema {
  const convert = input["~standard"].jsonSchema?.input;
  if (convert === undefined) throw invalid(spec, "has an input schema that cannot turn itself into JSON Schema");
  try {
    return convert({ target: "draft-2020-12" });
  } catch (error) {
    throw invalid(spec, "has an input schema that JSON Schema cannot express", error);
  }
}

function validatePlain(schema: JsonSchema, args: unknown): Judged {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    return { problem: "the arguments must be an object" };
  }
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const missing = required.filter((key) => typeof key === "string").filter((key) => !Object.hasOwn(args, key));
  return missing.length === 0 ? { value: args } : { problem: missing.map((key) => `${key}: is required`).join("; ") };
}

function invalid(spec: Input, what: string, cause?: unknown): PluginError {
  const fix = "Give input as z.object({ … }) of zod 4.2 or later, or as a JSON Schema with type: object";
  return pluginError("tool-invalid", `The tool "${spec.name}" ${what}`, { fix, cause });
}
