import * as z from "zod";

const iotaSchema = z.strictObject({
  tools: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The built-in sets that are written, by name; `false` writes one off"),
  workspace: z
    .boolean()
    .default(false)
    .describe("True: the chain of AGENTS.md files and the catalog of skills are part of the prompt"),
  binary: z.string().optional().describe("Shown as the program's file; by default the one a shell runs for `agent`"),
  config_file: z
    .string()
    .min(1)
    .optional()
    .describe("The config file that is the only scope of this start; a relative one counts from the working directory"),
});

export const iotaOptions = z.object({ iota: iotaSchema.prefault({}) });
export type IotaOptions = z.output<typeof iotaSchema>;
