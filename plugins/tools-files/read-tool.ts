import type { ToolSpec } from "@quire/core";
import * as z from "zod";
import description from "../../prompts/tools-files/read.md";
import type { ReadArguments } from "./read-file.js";

const input = z.object({
  path: z.string().min(1).describe("The file; relative to the working folder, absolute, or starting with ~/"),
  offset: z.int().min(1).optional().describe("Number of the first line, from 1"),
  limit: z.int().min(1).optional().describe("How many lines; 2000 without it"),
});

/** `read {path, offset?, limit?}`. */
export const readTool: ToolSpec<ReadArguments> = {
  name: "tools-files/read",
  description: description.trim(),
  input,
  effect: "read",
  parallel: true,
  snippet: "Show a text file with line numbers, or an image",
  guidelines: ["Read a file before you change it"],
  execute: async (args, context) => (await import("./read-file.js")).readFileForModel(args, context),
};
