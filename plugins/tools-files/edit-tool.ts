import type { ToolSpec } from "@quire/core";
import * as z from "zod";
import description from "../../prompts/tools-files/edit.md";
import type { EditArguments } from "./edit-file.js";

const input = z.object({
  path: z.string().min(1).describe("The file; relative to the working folder, absolute, or starting with ~/"),
  old_string: z.string().describe("The text to replace, exactly as it stands in the file"),
  new_string: z.string().describe("The text that takes its place; empty to delete"),
  replace_all: z.boolean().optional().describe("Replace every occurrence; false without it"),
});

/** `edit {path, old_string, new_string, replace_all?}`. */
export const editTool: ToolSpec<EditArguments> = {
  name: "tools-files/edit",
  description: description.trim(),
  input,
  effect: "write",
  snippet: "Replace an exact piece of a file's text",
  guidelines: ["Keep old_string of edit as short as it can be and still be unique in the file"],
  execute: async (args, context) => (await import("./edit-file.js")).editFileForModel(args, context),
};
