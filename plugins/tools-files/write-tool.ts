import type { ToolSpec } from "@quire/core";
import * as z from "zod";
import description from "../../prompts/tools-files/write.md";
import type { WriteArguments } from "./write-file.js";

const input = z.object({
  path: z.string().min(1).describe("The file; relative to the working folder, absolute, or starting with ~/"),
  content: z.string().describe("The whole new text of the file"),
});

/** `write {path, content}`. */
export const writeTool: ToolSpec<WriteArguments> = {
  name: "tools-files/write",
  description: description.trim(),
  input,
  effect: "write",
  snippet: "Make a file, or replace all of its text",
  guidelines: ["Use write for new files and whole rewrites, edit for everything smaller"],
  execute: async (args, context) => (await import("./write-file.js")).writeFileForModel(args, context),
};
