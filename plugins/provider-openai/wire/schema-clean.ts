import type { Config } from "@quire/core";
import { asArray, asRecord, dereferenced, schemaAt } from "./schema-pointer.js";

export interface CleanRules {
  /** Whether the vendor's validator can read a regular expression. */
  readonly takesPattern: (pattern: string) => boolean;
}

const ofMaps = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const ofLists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const ofSchemas = new Set(
  "items additionalProperties contains propertyNames not if then else unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);
/** They name another dialect, or move what references mean. */
const dropped = new Set(["$schema", "$id", "id", "additionalItems"]);
const types: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "integer",
  boolean: "boolean",
  object: "object",
  array: "array",
  null: "null",
  int: "integer",
  float: "number",
  double: "number",
  bool: "boolean",
  str: "string",
  dict: "object",
};

/**
 * A schema in the dialect both vendors check against, JSON Schema 2020-12, with what they ask for beyond it: an array
 * says what its items are, a reference leads to a definition in the same schema. What older dialects say otherwise
 * (tuples, exclusive limits, required properties) is said anew; what no dialect knows is left out.
 */
export function cleanSchema(schema: Config, root: Config, rules: CleanRules): Config {
  return clean(schema, { root, rules, above: new Set() });
}

interface Walk {
  readonly root: Config;
  readonly rules: CleanRules;
  /** The schemas and references this one stands in: what comes again in itself has no end, and is left open. */
  readonly above: ReadonlySet<unknown>;
}

function clean(schema: Config, walk: Walk): Config {
  const { root, rules } = walk;
  const reference = needsInlining(schema, root) ? schema["$ref"] : undefined;
  if (walk.above.has(schema) || (reference !== undefined && walk.above.has(reference))) return {};
  const above = new Set([...walk.above, schema, ...(reference === undefined ? [] : [reference])]);
  const inner = (value: unknown): unknown => {
    const record = asRecord(value);
    if (record === undefined) return typeof value === "boolean" ? value : {};
    return clean(record, { root, rules, above });
  };
  const source = reference === undefined ? schema : dereferenced(schema, root);
  const target: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (ofMaps.has(keyword)) setMap(target, keyword, value, inner, rules);
    else if (ofLists.has(keyword)) setList(target, keyword, value, inner);
    else if (ofSchemas.has(keyword)) target[keyword] = inner(value);
    else if (!dropped.has(keyword)) setPlain(target, keyword, value, rules);
  }
  fixRequired(target, source);
  fixLimits(target);
  fixItems(target, source, inner);
  return target;
}

function needsInlining(schema: Config, root: Config): boolean {
  const reference = schema["$ref"];
  if (reference === undefined || reference === "#") return false;
  const isDefinition = typeof reference === "string" && /^#\/(\$defs|definitions)\/[^/]+$/.test(reference);
  return !isDefinition || schemaAt(reference, root) === undefined;
}

function setMap(
  target: Record<string, unknown>,
  keyword: string,
  value: unknown,
  inner: (value: unknown) => unknown,
  { takesPattern }: CleanRules,
): void {
  const map = asRecord(value);
  if (map === undefined) return;
  const entries = Object.entries(map).filter(([key]) => keyword !== "patternProperties" || takesPattern(key));
  target[keyword] = Object.fromEntries(
    entries.map(([key, each]) => [key, typeof each === "boolean" ? {} : inner(each)]),
  );
}

function setList(
  target: Record<string, unknown>,
  keyword: string,
  value: unknown,
  inner: (value: unknown) => unknown,
): void {
  const list = asArray(value);
  if (list.length > 0) target[keyword] = list.map(inner);
}

function setPlain(
  target: Record<string, unknown>,
  keyword: string,
  value: unknown,
  { takesPattern }: CleanRules,
): void {
  if (keyword === "type") {
    const known = (Array.isArray(value) ? value : [value]).flatMap((name) => types[String(name)] ?? []);
    if (known.length > 0) target["type"] = Array.isArray(value) ? [...new Set(known)] : known[0];
  } else if (keyword === "enum") {
    if (Array.isArray(value) && value.length > 0) target["enum"] = value;
  } else if (keyword === "pattern") {
    if (typeof value === "string" && takesPattern(value)) target["pattern"] = value;
  } else if (keyword !== "required") {
    target[keyword] = value;
  }
}

/** Draft 3 says `required: true` in the property itself. */
function fixRequired(target: Record<string, unknown>, source: Config): void {
  const own = asArray(source["required"]).filter((name) => typeof name === "string");
  const marked = Object.entries(asRecord(source["properties"]) ?? {}).flatMap(([name, schema]) =>
    asRecord(schema)?.["required"] === true ? [name] : [],
  );
  const required = new Set([...own, ...marked]);
  if (required.size > 0) target["required"] = [...required];
}

/** Draft 4 says `exclusiveMinimum: true` beside `minimum`. */
function fixLimits(target: Record<string, unknown>): void {
  for (const [exclusive, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    const flag = target[exclusive];
    if (typeof flag !== "boolean") continue;
    delete target[exclusive];
    if (!flag || typeof target[limit] !== "number") continue;
    target[exclusive] = target[limit];
    delete target[limit];
  }
}

/** Draft 7 gives a tuple as a list in `items`. */
function fixItems(target: Record<string, unknown>, source: Config, inner: (value: unknown) => unknown): void {
  if (Array.isArray(source["items"])) {
    const tuple = source["items"].map(inner);
    if (tuple.length > 0) target["prefixItems"] = tuple;
    target["items"] = source["additionalItems"] === undefined ? {} : inner(source["additionalItems"]);
  }
  const type = target["type"];
  const isArray = type === "array" || asArray(type).includes("array") || target["prefixItems"] !== undefined;
  if (isArray && (target["items"] === undefined || typeof target["items"] === "boolean")) target["items"] = {};
}
