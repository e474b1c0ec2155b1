import path from "node:path";
import * as z from "zod";

const folder = z.string().refine(isFolder, { error: "must be absolute or begin with ~/ or $NAME/" });

const name = z.string().refine(isName, {
  error: "must be a relative path without .. whose last part alone may hold a *",
});

/** One place in the order of the chain: a folder, a way through folders, or the files of `extra`. */
const placeEntry = z
  .strictObject({
    /** The first of these whose variable is set; `$QUIRE_HOME` always is. */
    folder: z.union([folder, z.array(folder).min(1)]).optional(),
    /** Each folder from here down to the working directory; `cwd` is that one alone. */
    walk: z.enum(["cwd", "project-root", "filesystem-root"]).optional(),
    /** The files of `extra`. */
    extra: z.literal(true).optional(),
    /** What a file may be called, the preferred one first; `rules/*.md` is every such file by name. */
    names: z.array(name).min(1).optional(),
    /** Of one folder: the first of `names` that is there, or every one. */
    take: z.enum(["first", "all"]).default("first"),
    /** Becomes the attribute `scope` of the items. */
    scope: z.string().optional(),
    /** The user's own files may include from anywhere; true by default for `folder` and `extra`. */
    own: z.boolean().optional(),
    /** Only these file name endings, with the dot; others are reported and left out. */
    endings: z.array(z.string().startsWith(".")).optional(),
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
  /** False: no instruction file is read. */
  enabled: z.boolean().default(true),
  /** Where files stand, in the order of the prompt. */
  places: z.array(placeEntry).default(() => defaultPlaces.map((entry) => placeEntry.parse(entry))),
  /** Absolute paths for the place `extra`. */
  extra: z.array(z.string().refine((file) => path.isAbsolute(file), { error: "must be an absolute path" })).default([]),
  /** Stands before absolute folders of `places`, for a system whose managed files live elsewhere. */
  system_root: z
    .string()
    .refine((root) => path.isAbsolute(root), { error: "must be an absolute path" })
    .default("/"),
  /** UTF-8 bytes of all files together, and the most that is read of one. False: `maxChainBytes`. */
  budget: bytesOrNone.default(32_768),
  /** UTF-8 bytes of one file. False: `budget` alone. */
  file_budget: bytesOrNone.default(false),
  /** Which end of the chain stays whole when the budget cuts. */
  keep: z.enum(["first", "last"]).default("last"),
  /** Stands on a line of its own where the chain is cut; `{budget}` is the number of bytes. */
  marker: z.string().min(1).optional(),
  /** The same for one file. */
  file_marker: z.string().min(1).optional(),
  /** Stands before the files; empty: nothing does. */
  intro: z.string().optional(),
  /** The section's text when there is no file; empty: no section. */
  missing: z.string().default(""),
  /**
   * `tracked`: a file is read again when it, or a folder on the way, has changed. `turn`: everything is read anew each
   * turn. `session`: once, until the session is cleared.
   */
  reading: z.enum(["tracked", "turn", "session"]).default("tracked"),
  /** Leaves out the newlines at the end of each file. */
  trim_end: z.boolean().default(false),
  /** `@path` in a file brings that file too. */
  includes: z.boolean().default(true),
  /** How many includes may lie between a file of the chain and one it brings. */
  include_depth: z.int().min(1).max(50).default(5),
  /** `paths:` in a file's front matter limits the file to work it matches. */
  path_rules: z.boolean().default(true),
  /** A file that cannot be read is an item without text, so that it is counted. */
  count_unreadable: z.boolean().default(false),
  /** Reports a file that stays out because another of `names` in its folder comes first. */
  report_hidden: z.boolean().default(false),
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
  const folders = parts.slice(0, -1);
  return (
    parts.every((part) => part !== "" && part !== ".." && part !== ".") && !folders.some((part) => part.includes("*"))
  );
}

function isOnePlace(entry: { folder?: unknown; walk?: unknown; extra?: unknown; names?: unknown }): boolean {
  const kinds = [entry.folder, entry.walk, entry.extra].filter((kind) => kind !== undefined);
  return kinds.length === 1 && (entry.extra === undefined) === (entry.names !== undefined);
}
