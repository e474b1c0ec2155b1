import * as z from "zod";
import type { Rule } from "./rule.js";
import { parseRule } from "./rule.js";

export const modes = ["ask", "edit", "plan", "full"] as const;
/** How far calls go without a question. */
export type Mode = (typeof modes)[number];

export interface Policy {
  readonly mode: Mode;
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}

const rule = z
  .string()
  .transform((text, context): Rule => {
    const parsed = parseRule(text);
    if (parsed !== null) return parsed;
    context.addIssue({
      code: "custom",
      message: `${JSON.stringify(text)} is no rule; write a tool, as in "write", or "bash(npm test*)"`,
    });
    return z.NEVER;
  })
  .describe("tool or tool(pattern), for example bash(npm test*)");

/** The options: what stands under `permissions` in config. */
export const permissionOptions = z.object({
  permissions: z
    .strictObject({
      mode: z.enum(modes).default("ask").describe("What happens to calls that no rule speaks of"),
      allow: z.array(rule).default([]).describe("Calls that run without a question"),
      ask: z.array(rule).default([]).describe("Calls that are asked about in every mode but plan"),
      deny: z.array(rule).default([]).describe("Calls that never run"),
    })
    .prefault({}),
});
