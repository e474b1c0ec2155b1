import * as z from "zod";

const names = z.array(z.string().min(1));

/** Of a list the first folder counts that is not below an unset variable. */
const folders = z.array(z.union([z.string().min(1), names.min(1)]));

/** What config may do to one section; `false` removes it, a text replaces it. */
const sectionEntry = z.union([
  z.literal(false),
  z.string(),
  z
    .strictObject({
      append: z.string().optional().describe("Text after the section's own, inside its markup"),
      prepend: z.string().optional().describe("Text before the section's own, inside its markup"),
      text: z.string().optional().describe("Replaces the section"),
      file: z.string().min(1).optional().describe("Replaces the section by this file's text; relative to this file"),
      use: z.string().min(1).optional().describe("The plugin whose replacement wins"),
    })
    .refine(isOneWish, "Give `append` or `prepend` (or both), or one of `text`, `file` and `use`"),
]);

const pluginEntry = z
  .strictObject({
    options: z.record(z.string(), z.unknown()).optional().describe("Options of the plugin, by its own schema"),
    required: z.boolean().optional().describe("If it does not load, no turn starts"),
  })
  .nullable();

/** The keys of config that belong to the host; every other top-level key belongs to a plugin. */
export const hostConfig = z.looseObject({
  preset: z.string().min(1).optional().describe("Name of a preset"),
  model: z.string().min(1).optional().describe("provider/model, a provider, or a model of the configured provider"),
  layout: z.string().min(1).optional().describe("Name of a layout"),
  plugins: z.record(z.string().min(1), pluginEntry).optional().describe("Plugins by name or path, in order"),
  disable: names.optional().describe("Plugins that are not loaded, by name or path"),
  sections: z.record(z.string().min(1), sectionEntry).optional().describe("Edits of prompt sections by name"),
  tools: z
    .strictObject({ only: names.optional(), off: names.optional() })
    .optional()
    .describe("Tools by the names the model sees"),
  prompt: z
    .strictObject({
      prefix: z.enum(["frozen", "rebuilt"]).optional(),
      max_tokens: z.int().positive().optional().describe("Estimated tokens the system text may take"),
      record: z.enum(["full", "hashes"]).optional().describe("What the session log keeps of the prompt"),
      flag_files: z.boolean().optional().describe("False: a flag's text is never the name of a file"),
    })
    .optional(),
  instructions: z
    .union([
      z.string(),
      z.strictObject({ file: z.string().min(1).describe("A file with the text; relative to this file") }),
    ])
    .optional()
    .describe("The user's own text in the prompt"),
  profiles: z
    .strictObject({
      paths: folders.optional().describe("Further folders of profiles"),
      primary_paths: folders.optional().describe("Folders of profiles that are main agents only"),
      inject: z.boolean().optional().describe("False: the layout shows the chosen profile's text itself"),
    })
    .optional(),
  trust: z
    .strictObject({ paths: names.optional() })
    .optional()
    .describe("Files and folders of a project, relative to it, that need trust beside those of Quire itself"),
});

/** Appending and prepending go together; whatever decides the section's own text stands alone. */
function isOneWish(entry: object): boolean {
  const keys = Object.keys(entry);
  return keys.length === 1 || (keys.length === 2 && "append" in entry && "prepend" in entry);
}
