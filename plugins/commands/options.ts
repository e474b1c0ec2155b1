import * as z from "zod";

const folderSchema = z.strictObject({
  /**
   * Absolute, beginning with `~/` or `$NAME/` (an environment variable; `$QUIRE_HOME` is always set), or relative to
   * `under`. Of a list the first one that is not under an unset variable counts.
   */
  folder: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
  /** What a relative folder counts from. */
  under: z.enum(["project", "cwd"]).default("project"),
  /** Read only in a project the user trusts. */
  trusted: z.boolean().default(false),
});

const commandOptions = z.strictObject({
  /** False: no file is a command. */
  enabled: z.boolean().default(true),
  /** Folders whose `.md` files are commands; of two with one name the later counts. */
  folders: z.array(folderSchema).default([
    { folder: "$QUIRE_HOME/commands", under: "project", trusted: false },
    { folder: ".quire/commands", under: "project", trusted: true },
  ]),
  /** Further folders or files; they rank above `folders`. Relative ones count from the working directory. */
  paths: z.array(z.string().min(1)).default([]),
  /** The same for this start, from the command line; they rank highest. */
  given: z.array(z.string().min(1)).default([]),
  /** Folders of packages that bring commands, also as `{ source }`; they rank lowest. Other sources are passed over. */
  packages: z.array(z.union([z.string().min(1), z.looseObject({ source: z.string().min(1) })])).default([]),
  /** Where a package's commands are: the paths under this dotted key of its `package.json`, else this folder. */
  package_commands: z
    .strictObject({ key: z.string().min(1), folder: z.string().min(1) })
    .default({ key: "quire.commands", folder: "commands" }),
  /** Words for a command that has no place for them: put behind its text, or left out with a warning. */
  spare_words: z.enum(["append", "drop"]).default("append"),
});

export const commandsOptions = z.object({ commands: commandOptions.prefault({}) });
export type CommandOptions = z.output<typeof commandOptions>;
