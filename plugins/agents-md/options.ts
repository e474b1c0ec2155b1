import path from "node:path";
import * as z from "zod";

const fileOptions = z.strictObject({
  /** False: no instruction file is read. */
  enabled: z.boolean().default(true),
  /** UTF-8 bytes of all files together, and the most that is read of one. */
  budget: z.int().min(1024).default(32_768),
  /** Absolute paths, read after the user's own file and before the project's. */
  extra: z.array(z.string().refine((file) => path.isAbsolute(file), { error: "must be an absolute path" })).default([]),
});

export const agentsMdOptions = z.object({ instruction_files: fileOptions.prefault({}) });
export type InstructionFileOptions = z.output<typeof fileOptions>;
