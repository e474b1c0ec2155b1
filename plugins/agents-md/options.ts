import path from "node:path";
import * as z from "zod";

const folder = z.string().refine(isFolder, { error: "must be absolute or begin with ~/ or $NAME/" });

const name = z.string().refine(isName, {
  error: "must be a relative path without .. whose last part alone may hold one *",
});

/** One place in the order of the chain: a folder, a way through folders, or the files of `extra`. */
const placeEntry = z
  .strictObject({
    folder: z
      .union([folder, z.array(folder).min(1)])
      .optional()
      .describe("The first of these whose variable is set; `$QUIRE_HOME` always is"),
    walk: z
      .enum(["cwd", "project-root", "filesystem-root"])
      .optional()
      .describe("Each folder from here down to the working directory; `cwd` is that one alone"),
    extra: z.literal(true).optional().describe("The files of `extra`"),
    names: z
      .array(name)
      .min(1)
      .optional()
      .describe("What a file may be called, the preferred one first; `rules/*.md` is every such file by name"),
    take: z
      .enum(["first", "all"])
      .default("first")
      .describe("Of one folder: the first of `names` that is there, or every one"),
    scope: z.string().optional().describe("Becomes the attribute `scope` of the items"),
    own: z
      .boolean()
      .optional()
      .describe("The user's own files may include from anywhere; true by default for `folder` and `extra`"),
    endings: z
      .array(z.string().startsWith("."))
      .optional()
      .describe("Only these file name endings, with the dot; others are reported and left out"),
  })
  .refine(isOnePlace, { error: "needs one of folder, walk and extra, and names with the first two" });

/** Where the default system looks: the user's file, the extra ones, then folder by folder to the working directory. */
const defaultPlaces: readonly z.input<typeof placeEntry>[] = [
  { folder: "$QUIRE_HOME", names: ["AGENTS.md"], scope: "user" },
  { extra: true, scope: "extra" },
  { walk: "project-root", names: ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"], scope: "project" },
];

const bytesOrNone = z.union([z.int().min(1024), z.literal(false)]);

const fileOptions = z.strictObject({
  enabled: z.boolean().default(true).describe("False: no instruction file is read"),
  places: z
    .array(placeEntry)
    .default(() => defaultPlaces.map((entry) => placeEntry.parse(entry)))
    .describe("Where files stand, in the order of the prompt"),
  extra: z
    .array(z.string().refine((file) => path.isAbsolute(file), { error: "must be an absolute path" }))
    .default([])
    .describe("Absolute paths for the place `extra`"),
  system_root: z
    .string()
    .refine((root) => path.isAbsolute(root), { error: "must be an absolute path" })
    .default("/")
    .describe("Stands before absolute folders of `places`, for a system whose managed files live elsewhere"),
  budget: bytesOrNone
    .default(32_768)
    .describe("UTF-8 bytes of all files together, and the most that is read of one; false: 3,500,000"),
  file_budget: bytesOrNone.default(false).describe("UTF-8 bytes of one file; false: `budget` alone"),
  keep: z.enum(["first", "last"]).default("last").describe("Which end of the chain stays whole when the budget cuts"),
  marker: z
    .string()
    .min(1)
    .optional()
    .describe("Stands on a line of its own where the chain is cut; `{budget}` is the number of bytes"),
  file_marker: z.string().min(1).optional().describe("The same for one file"),
  intro: z.string().optional().describe("Stands before the files; empty: nothing does"),
  missing: z.string().default("").describe("The section's text when there is no file; empty: no section"),
  reading: z
    .enum(["tracked", "turn", "session"])
    .default("tracked")
    .describe(
      "`tracked`: a file is read again when it, or a folder on the way, has changed. `turn`: everything is read anew each turn. `session`: once, until the session is cleared.",
    ),
  trim_end: z.boolean().default(false).describe("Leaves out the newlines at the end of each file"),
  includes: z.boolean().default(true).describe("`@path` in a file brings that file too"),
  include_depth: z
    .int()
    .min(1)
    .max(50)
    .default(5)
    .describe("How many includes may lie between a file of the chain and one it brings"),
  path_rules: z
    .boolean()
    .default(true)
    .describe("`paths:` in a file's front matter limits the file to work it matches"),
  count_unreadable: z
    .boolean()
    .default(false)
    .describe("A file that cannot be read is an item without text, so that it is counted"),
  report_hidden: z
    .boolean()
    .default(false)
    .describe("Reports a file that stays out because another of `names` in its folder comes first"),
});

export const agentsMdOptions = z.object({ instruction_files: fileOptions.prefault({}) });
export type InstructionFileOptions = z.output<typeof fileOptions>;
export type PlaceEntry = InstructionFileOptions["places"][number];

/** What stands for `budget: false`: more than any model reads, and less than a section may hold. */
export const maxChainBytes = 3_500_000;

function isFolder(text: string): boolean {
  return path.isAbsolute(text) || /^(?:~|\$[A-Z_][A-Z0-9_]*)(?:\/|$)/i.test(text);
}

function isName(text: string): boolean {
  const parts = text.split("/");
  const stars = parts.map((part) => part.split("*").length - 1);
  return (
    parts.every((part) => part !== "" && part !== ".." && part !== ".") &&
    stars.slice(0, -1).every((count) => count === 0) &&
    (stars.at(-1) ?? 0) <= 1
  );
}

function isOnePlace(entry: { folder?: unknown; walk?: unknown; extra?: unknown; names?: unknown }): boolean {
  const kinds = [entry.folder, entry.walk, entry.extra].filter((kind) => kind !== undefined);
  return kinds.length === 1 && (entry.extra === undefined) === (entry.names !== undefined);
}
