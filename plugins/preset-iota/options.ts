import * as z from "zod";

const iotaSchema = z.strictObject({
  /** The built-in sets that are written, by name; `false` writes one off. */
  tools: z.record(z.string(), z.unknown()).optional(),
  /** True: the chain of AGENTS.md files and the catalog of skills are part of the prompt. */
  workspace: z.boolean().default(false),
  /** The program's own file, when it cannot find out by itself. */
  binary: z.string().optional(),
  /** The config file that is the only scope of this start; a relative one counts from the working directory. */
  config_file: z.string().min(1).optional(),
});

export const iotaOptions = z.object({ iota: iotaSchema.prefault({}) });
export type IotaOptions = z.output<typeof iotaSchema>;
