import * as z from "zod";

const tool = z.looseObject({ name: z.string(), description: z.string().optional(), input_schema: z.unknown() });

/** An Anthropic Messages body as far as the program has to be told of it; the rest is dropped. */
const anthropicBody = z.object({
  model: z.string(),
  max_tokens: z.int().positive(),
  system: z.union([z.string(), z.array(z.object({ type: z.literal("text"), text: z.string() }))]).default(""),
  tools: z.array(tool).default([]),
  messages: z.array(z.unknown()),
  thinking: z.looseObject({ type: z.string(), budget_tokens: z.int().optional() }).optional(),
  output_config: z.looseObject({ effort: z.string() }).optional(),
  stop_sequences: z.array(z.string()).optional(),
});

/** What a request says to the program, as an Anthropic body. The system text is one text: it goes by a file. */
export type ProgramBody = Omit<z.output<typeof anthropicBody>, "system"> & {
  readonly system: string;
  readonly stream: true;
};

/**
 * The part of an Anthropic body that the program takes.
 * @throws {ZodError} When it is none.
 */
export function parseBody(raw: unknown): ProgramBody {
  const { model, max_tokens, system, tools, ...rest } = anthropicBody.parse(raw);
  const text = typeof system === "string" ? system : system.map((block) => block.text).join("");
  return { model, max_tokens, system: text, tools, ...rest, stream: true };
}
