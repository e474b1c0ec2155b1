import path from "node:path";
import * as z from "zod";

const rootSchema = z.strictObject({
  /**
   * Absolute, beginning with `~/` or `$NAME/` (an environment variable; `$QUIRE_HOME` is always set), or relative to
   * `under`. Of a list the first one that is not under an unset variable counts.
   */
  folder: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  /** What a relative folder counts from. `ancestors`: every folder from the project root down to the working directory. */
  under: z.enum(["project", "cwd", "ancestors"]).default("project"),
  /** Said of its skills in the catalog. By default `project` for a relative folder, else `user`. */
  scope: z.string().min(1).optional(),
  /** Read only in a project the user trusts. */
  trusted: z.boolean().default(false),
});

const skillOptions = z.strictObject({
  /** False: no catalog, and nothing to load. */
  enabled: z.boolean().default(true),
  /** Where skills are looked for, the lowest rank first unless `wins` says otherwise. A folder alone means `{ folder }`. */
  roots: z
    .array(z.union([z.string().min(1), rootSchema]))
    .default(["~/.agents/skills", "$QUIRE_HOME/skills", ".agents/skills", ".quire/skills"]),
  /** Further folders of skills, absolute or beginning with `~/`; they stand behind the last of the user's roots. */
  paths: z
    .array(
      z.string().refine((folder) => path.isAbsolute(folder) || folder.startsWith("~/"), {
        error: "must be an absolute path or begin with ~/",
      }),
    )
    .default([]),
  /** Which root counts when two have a skill of one name. */
  wins: z.enum(["first", "last"]).default("last"),
  /** Whether a subfolder without a SKILL.md is looked into, one level deep. */
  groups: z.boolean().default(true),
  /** Order of the catalog: by name, or root by root and by name within each. */
  order: z.enum(["name", "roots"]).default("name"),
  /** Names of skills that are neither listed nor loaded. */
  off: z.array(z.string()).default([]),
  /**
   * How the model gets a skill's text: the tool `load_skill`, the tool `read` on the file's path, or the tool `read` on
   * `skill://<name>` and `skill://<name>/<file>`. Without `tool` there is no `load_skill`.
   */
  load: z.enum(["tool", "read", "url"]).default("tool"),
  /** `reachable`: the catalog is there only while the tool that loads is. */
  visible: z.enum(["reachable", "always"]).default("reachable"),
  /** True: a catalog without skills says so instead of being left out. */
  show_empty: z.boolean().default(false),
  /** UTF-8 bytes of all entries together. An entry larger than what is left is passed over and counted. */
  budget: z.int().min(256).default(32_768),
  /** Bytes of markup that the layout adds to each entry; they count in the budget. */
  entry_bytes: z.int().min(0).default(0),
});

export const skillsOptions = z.object({ skills: skillOptions.prefault({}) });
export type SkillOptions = z.output<typeof skillOptions>;
export type SkillRootOption = z.output<typeof rootSchema>;
