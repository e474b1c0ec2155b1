import type { Config } from "@quire/core";

/** The value if it is an object, else undefined. */
export function asRecord(value: unknown): Config | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Config) : undefined;
}

/** The value if it is an array, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The schema that a reference inside `root` means; undefined when it leads nowhere or outside. */
export function schemaAt(reference: string, root: Config): Config | undefined {
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(1).split("/").filter(Boolean)) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    found = Array.isArray(found) ? found[Number(key)] : asRecord(found)?.[key];
  }
  return asRecord(found);
}

/** A schema without `$ref` at its head: what it refers to, under the keywords that stand beside it. */
export function dereferenced(schema: Config, root: Config): Config {
  let found = schema;
  // A reference that leads back to itself ends somewhere.
  for (let depth = 0; depth < 16 && "$ref" in found; depth += 1) {
    const { $ref: reference, ...beside } = found;
    const target = typeof reference === "string" ? schemaAt(reference, root) : undefined;
    found = { ...target, ...beside };
  }
  const { $ref: _, ...rest } = found;
  return rest;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
