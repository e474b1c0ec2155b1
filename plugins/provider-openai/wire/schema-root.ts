import type { Config } from "@quire/core";
import { asArray, asRecord, dereferenced } from "./schema-pointer.js";

/**
 * A schema of an object without a reference or a union at its head, which the vendors refuse there: of `allOf` every
 * property, of `anyOf` and `oneOf` every property too, required when all branches require it. It takes all that the
 * schema took, and more; the host still checks calls against the schema itself.
 */
export function flatRoot(input: Config): Config {
  const { properties, required, rest } = flattened(input, input, 0);
  const names = new Set(Object.keys(properties));
  const known = [...required].filter((name) => names.has(name));
  return { ...rest, type: "object", properties, ...(known.length === 0 ? {} : { required: known }) };
}

interface Flat {
  readonly properties: Config;
  readonly required: ReadonlySet<string>;
  /** Keywords that may stand at the head. */
  readonly rest: Config;
}

const deepest = 8;

function flattened(schema: Config, root: Config, depth: number): Flat {
  const { allOf, anyOf, oneOf, properties, required, ...others } = dereferenced(schema, root);
  const merged: Record<string, unknown> = { ...asRecord(properties) };
  const wanted = new Set(asArray(required).filter((name) => typeof name === "string"));
  if (depth < deepest) {
    for (const branch of branchesOf(allOf, root, depth)) {
      addProperties(merged, branch.properties);
      for (const name of branch.required) wanted.add(name);
    }
    for (const union of [anyOf, oneOf]) {
      const branches = branchesOf(union, root, depth);
      for (const branch of branches) addProperties(merged, branch.properties);
      const [first, ...more] = branches;
      for (const name of first?.required ?? []) {
        if (more.every((branch) => branch.required.has(name))) wanted.add(name);
      }
    }
  }
  return { properties: merged, required: wanted, rest: withoutConditions(others) };
}

/** Branches that describe objects: those of another type can be no arguments. */
function branchesOf(union: unknown, root: Config, depth: number): Flat[] {
  return asArray(union).flatMap((each) => {
    const branch = asRecord(each);
    const type = branch === undefined ? undefined : dereferenced(branch, root)["type"];
    const isObject = type === undefined || asArray(typeof type === "string" ? [type] : type).includes("object");
    return branch === undefined || !isObject ? [] : [flattened(branch, root, depth + 1)];
  });
}

function addProperties(merged: Record<string, unknown>, properties: Config): void {
  for (const [name, schema] of Object.entries(properties)) {
    const before = merged[name];
    if (!Object.hasOwn(merged, name)) merged[name] = schema;
    else if (JSON.stringify(before) !== JSON.stringify(schema)) merged[name] = eitherOf(before, schema);
  }
}

function eitherOf(before: unknown, schema: unknown): Config {
  const known = asRecord(before);
  const variants = known !== undefined && Object.keys(known).join() === "anyOf" ? asArray(known["anyOf"]) : [before];
  return { anyOf: [...variants, schema] };
}

function withoutConditions(rest: Config): Config {
  const { not: _not, enum: _enum, const: _const, if: _if, then: _then, else: _else, ...kept } = rest;
  return kept;
}
