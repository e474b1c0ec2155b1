import type { ToolSpec } from "@quire/core";
import * as z from "zod";
import description from "../../prompts/tools-shell/bash.md";
import type { BashArguments, Shell } from "./run-command.js";

const input = z.object({
  command: z.string().min(1).describe("What bash shall run; it may have several lines"),
  timeout_ms: z
    .int()
    .min(1)
    .max(600_000)
    .optional()
    .describe("Milliseconds until it is stopped; 120000 without it, none in the background"),
  background: z.boolean().optional().describe("Start it and answer at once; false without it"),
});

/**
 * `bash {command, timeout_ms?, background?}`.
 * @param openShell Called for each command; gives the same shell each time.
 */
export function bashTool(openShell: () => Promise<Shell>): ToolSpec<BashArguments> {
  return {
    name: "tools-shell/bash",
    description: description.trim(),
    input,
    effect: "run",
    snippet: "Run a command in the shell",
    guidelines: ["Start servers and other commands that do not end with background set in bash"],
    execute: async (args, context) => {
      const { runCommand } = await import("./run-command.js");
      return runCommand(args, context, await openShell());
    },
  };
}
