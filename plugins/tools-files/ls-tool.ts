import type { ToolSpec } from "@quire/core";
import * as z from "zod";
import description from "../../prompts/tools-files/ls.md";
import type { LsArguments } from "./list-folder.js";
import type { Overflow } from "./overflow.js";

const input = z.object({
  path: z.string().min(1).optional().describe("The folder; the working folder without it"),
});

/** `ls {path?}`. */
export function lsTool(overflow: Overflow): ToolSpec<LsArguments> {
  return {
    name: "tools-files/ls",
    description: description.trim(),
    input,
    effect: "read",
    parallel: true,
    snippet: "List what a folder holds, with sizes",
    execute: async (args, context) => (await import("./list-folder.js")).listFolderForModel(args, context, overflow),
  };
}
