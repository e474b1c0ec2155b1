import type { Attrs, JsonSchema } from "@quire/core";
import { safeName, uniqueNames } from "./safe-names.js";
import type { NameRule } from "./safe-names.js";
import { cleanSchema } from "./schema-clean.js";
import type { CleanRules } from "./schema-clean.js";
import { asArray, asRecord } from "./schema-pointer.js";
import { flatRoot } from "./schema-root.js";

export interface DialectRules extends CleanRules {
  /** What the vendor takes as the name of an argument; without it anything. */
  readonly keyRule?: NameRule;
}

export interface WireSchema {
  readonly schema: JsonSchema;
  /** The wire's names of those arguments whose own name the vendor refuses. */
  readonly keys: Attrs;
}

/** A tool's input schema as one vendor takes it. */
export type SchemaDialect = (input: JsonSchema) => WireSchema;

/** A vendor's dialect. Each schema is worked out once: tools are declared anew with every request. */
export function schemaDialect(rules: DialectRules): SchemaDialect {
  const known = new WeakMap<JsonSchema, WireSchema>();
  return (input) => {
    let found = known.get(input);
    if (found === undefined) {
      const root = flatRoot(input);
      found = withSafeKeys(cleanSchema(root, root, rules), rules.keyRule);
      known.set(input, found);
    }
    return found;
  };
}

function withSafeKeys(schema: JsonSchema, keyRule: NameRule | undefined): WireSchema {
  const properties = Object.entries(asRecord(schema["properties"]) ?? {});
  if (keyRule === undefined || properties.every(([key]) => safeName(key, keyRule) === key)) return { schema, keys: {} };
  const unique = uniqueNames(keyRule);
  const names = new Map<string, string>();
  // Names that go through as they are come first: no other may take them.
  for (const [key] of properties) if (safeName(key, keyRule) === key) names.set(key, unique(key));
  for (const [key] of properties) if (!names.has(key)) names.set(key, unique(key));
  const renamed = properties.map(([key, value]) => [names.get(key) ?? key, value] as const);
  const required = asArray(schema["required"]).map((key) => names.get(String(key)) ?? key);
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(renamed),
      ...(required.length === 0 ? {} : { required }),
    },
    keys: Object.fromEntries([...names].filter(([key, name]) => key !== name)),
  };
}
