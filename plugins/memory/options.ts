import * as z from "zod";

const memoryPath = z.string().min(1);

const memoryFileOptions = z.strictObject({
  /** False: no memory file is read. */
  enabled: z.boolean().default(true),
  /**
   * Where memory files stand, in the order they are shown: absolute, beginning with `~/` or with `$NAME/`, or relative
   * to the project root. `{project}` stands for the root's path with every sign but letters and digits turned to `-`.
   * Of a list the first path counts whose variable is set; `$QUIRE_HOME` always is.
   */
  paths: z
    .array(z.union([memoryPath, z.array(memoryPath).min(1)]))
    .default(["$QUIRE_HOME/MEMORY.md", ".quire/MEMORY.md"]),
  /** UTF-8 bytes shown of one file. */
  max_bytes: z.int().min(256).max(1_000_000).default(25_000),
  /** Lines shown of one file. */
  max_lines: z.int().min(1).default(200),
  /** Whose prompt has the section. */
  audience: z
    .array(z.enum(["main", "subagent"]))
    .min(1)
    .default(["main", "subagent"]),
  /** Group of the section: in `base` it leaves when `--system-prompt` replaces the base. */
  group: z.string().min(1).optional(),
});

export const memoryOptions = z.object({ memory: memoryFileOptions.prefault({}) });
export type MemoryOptions = z.output<typeof memoryFileOptions>;
export type MemoryPath = MemoryOptions["paths"][number];
