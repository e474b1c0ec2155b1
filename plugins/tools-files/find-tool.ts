import type { ToolSpec } from "@quire/core";
import * as z from "zod";
import description from "../../prompts/tools-files/find.md";
import type { FindArguments } from "./find-files.js";
import type { Overflow } from "./overflow.js";

const input = z.object({
  pattern: z.string().min(1).describe("A glob, for example `*.ts` or `src/**/*.test.ts`"),
  path: z.string().min(1).optional().describe("The folder to search in; the working folder without it"),
});

/** `find {pattern, path?}`. */
export function findTool(overflow: Overflow): ToolSpec<FindArguments> {
  return {
    name: "tools-files/find",
    description: description.trim(),
    input,
    effect: "read",
    parallel: true,
    snippet: "Find files and folders by a glob",
    execute: async (args, context) => (await import("./find-files.js")).findFilesForModel(args, context, overflow),
  };
}
