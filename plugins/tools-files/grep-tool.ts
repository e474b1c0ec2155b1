import type { ToolSpec } from "@quire/core";
import * as z from "zod";
import description from "../../prompts/tools-files/grep.md";
import type { GrepArguments } from "./grep-files.js";
import type { Overflow } from "./overflow.js";

const input = z.object({
  pattern: z.string().min(1).describe("A JavaScript regular expression, matched against single lines"),
  path: z.string().min(1).optional().describe("The file or folder to search in; the working folder without it"),
  glob: z.string().min(1).optional().describe("Search only in files that match, for example `*.ts`"),
});

/** `grep {pattern, path?, glob?}`. */
export function grepTool(overflow: Overflow): ToolSpec<GrepArguments> {
  return {
    name: "tools-files/grep",
    description: description.trim(),
    input,
    effect: "read",
    parallel: true,
    snippet: "Search the text of files by a regular expression",
    execute: async (args, context) => (await import("./grep-files.js")).grepForModel(args, context, overflow),
  };
}
