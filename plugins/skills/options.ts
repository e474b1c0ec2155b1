import path from "node:path";
import * as z from "zod";

const skillOptions = z.strictObject({
  /** False: no catalog, and `load_skill` finds nothing. */
  enabled: z.boolean().default(true),
  /** Further folders of skills, absolute or beginning with `~/`; the later one wins. */
  paths: z
    .array(
      z.string().refine((folder) => path.isAbsolute(folder) || folder.startsWith("~/"), {
        error: "must be an absolute path or begin with ~/",
      }),
    )
    .default([]),
  /** Names of skills that are neither listed nor loaded. */
  off: z.array(z.string()).default([]),
});

export const skillsOptions = z.object({ skills: skillOptions.prefault({}) });
export type SkillOptions = z.output<typeof skillOptions>;
