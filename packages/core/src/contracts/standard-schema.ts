import type { MaybePromise } from "./place.js";

/** JSON Schema as a plain object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A validator after standardschema.dev; a zod schema fits as it is.
 * The `jsonSchema` member is asked for tool inputs alone; zod 4.2 and later bring it.
 */
export interface StandardSchema<Out = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => MaybePromise<
      { readonly value: Out; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] }
    >;
    readonly types?: { readonly input: unknown; readonly output: Out } | undefined;
    readonly jsonSchema?: { readonly input: (options: { target: "draft-2020-12" }) => Record<string, unknown> };
  };
}

export interface SchemaIssue {
  readonly message: string;
  /** Keys, or objects that hold one. */
  readonly path?: readonly unknown[] | undefined;
}

/** What a schema's value is after validation; without a schema, an empty object. */
export type Options<S> = S extends StandardSchema<infer Out> ? Out : Readonly<Record<string, never>>;
