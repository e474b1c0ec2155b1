import * as z from "zod";

const promptOptions = z.strictObject({
  /** The agent works on its own between the user's messages, under a prompt of its own. */
  proactive: z.boolean().default(false),
  /** The language of every answer, in words: `French`. */
  language: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine((language) => !/[\r\n]/.test(language), { error: "must be one line" })
    .optional(),
  /** Name of a file, without `.md`, in `.claude/output-styles` of a trusted project or of the user's home. */
  output_style: z
    .string()
    .regex(/^[^/\\]+$/, { error: "must be a file's name without a folder" })
    .optional(),
  /** A folder for files of the moment, absolute. */
  scratchpad: z.string().startsWith("/", { error: "must be an absolute path" }).optional(),
});

export const claudeCodeOptions = z.object({ claude_code: promptOptions.prefault({}) });
export type ClaudeCodeOptions = z.output<typeof promptOptions>;
