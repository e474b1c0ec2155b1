import * as z from "zod";
import type { ModelFile } from "./model-facts.js";

const usd = z.number().nonnegative();

const price = z.strictObject({
  input: usd,
  output: usd,
  cache_read: usd.optional(),
  cache_write: usd.optional(),
  up_to_tokens: z.int().positive().optional(),
});

const entry = z.strictObject({
  context_tokens: z.int().positive().optional(),
  output_tokens: z.int().positive().optional(),
  images: z.boolean().optional(),
  tools: z.boolean().optional(),
  usd_per_million: z.union([price, z.array(price).min(1)]).optional(),
});

const name = z.string().regex(/^[^/]+\/.+$/, "must be provider/model");

const modelFile = z.strictObject({
  sources: z.record(z.string(), z.string()).optional(),
  priced_as: z.record(z.string().min(1), z.string().min(1)).optional(),
  aliases: z.record(z.string().regex(/^[^/\s]+$/, "must be one word without a slash"), name).optional(),
  models: z.record(name, entry).optional(),
}) satisfies z.ZodType<ModelFile>;

/** Reads `models.yaml`, or the file that ships; `path` leads to the first problem. */
export function checkModels(raw: unknown): {
  readonly value?: ModelFile;
  readonly problem?: string;
  readonly path?: readonly PropertyKey[];
} {
  const result = modelFile.safeParse(raw);
  if (result.success) return { value: result.data };
  return { problem: z.prettifyError(result.error), path: result.error.issues[0]?.path ?? [] };
}
