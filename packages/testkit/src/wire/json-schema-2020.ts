import type { Config } from "@quire/core";
import { arrayOf, recordOf, textOf } from "../narrow.js";

const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const ofMaps = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const ofLists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const ofSchemas = ["items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"];

/**
 * Calls `look` with every schema in a schema.
 * @returns Its first answer, behind the path.
 */
export function findInSchema(
  schema: Config,
  look: (schema: Config) => string | undefined,
  path = "$",
): string | undefined {
  const own = look(schema);
  if (own !== undefined) return `${path}: ${own}`;
  const inner: [string, unknown][] = [
    ...ofMaps.flatMap((keyword) =>
      Object.entries(recordOf(schema[keyword])).map(([key, value]): [string, unknown] => [`${keyword}.${key}`, value]),
    ),
    ...ofLists.flatMap((keyword) =>
      arrayOf(schema[keyword]).map((value, index): [string, unknown] => [`${keyword}.${index}`, value]),
    ),
    ...ofSchemas.map((keyword): [string, unknown] => [keyword, schema[keyword]]),
  ];
  for (const [key, value] of inner) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    const found = findInSchema(recordOf(value), look, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What makes a schema none of JSON Schema 2020-12, by its meta-schema and by references that lead nowhere. */
export function invalidSchema(root: Config): string | undefined {
  return findInSchema(root, (schema) => {
    const { type, $schema, $ref: reference, required, items, pattern } = schema;
    if ($schema !== undefined && !textOf($schema).includes("2020-12")) return `$schema is ${textOf($schema)}`;
    const names = type === undefined ? [] : Array.isArray(type) ? type : [type];
    if (!names.every((name) => types.has(String(name)))) return `type is ${JSON.stringify(type)}`;
    if (required !== undefined && !arrayOf(required).every((key) => typeof key === "string")) return "required";
    if (required !== undefined && !Array.isArray(required)) return "required is no array";
    if (Array.isArray(items)) return "items is an array";
    if (schema["enum"] !== undefined && !Array.isArray(schema["enum"])) return "enum is no array";
    if (pattern !== undefined && typeof pattern !== "string") return "pattern is no text";
    if (["exclusiveMinimum", "exclusiveMaximum"].some((keyword) => typeof schema[keyword] === "boolean")) {
      return "an exclusive limit is no number";
    }
    if (ofLists.some((keyword) => schema[keyword] !== undefined && arrayOf(schema[keyword]).length === 0)) {
      return "an empty list of schemas";
    }
    return reference === undefined || leadsSomewhere(textOf(reference), root) ? undefined : `$ref ${textOf(reference)}`;
  });
}

function leadsSomewhere(reference: string, root: Config): boolean {
  if (!reference.startsWith("#")) return false;
  let found: unknown = root;
  for (const step of reference.slice(1).split("/").filter(Boolean)) {
    found = (found as Config | undefined)?.[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return typeof found === "object" && found !== null;
}
