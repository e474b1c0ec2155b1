import type { SectionContext } from "@quire/core";
import date from "../../prompts/preset-claude-code/date.md";
import guidance from "../../prompts/preset-claude-code/guidance.md";
import language from "../../prompts/preset-claude-code/language.md";
import proactive from "../../prompts/preset-claude-code/proactive.md";
import scratchpad from "../../prompts/preset-claude-code/scratchpad.md";
import simple from "../../prompts/preset-claude-code/simple.md";
import { conditionalLines } from "./conditional-lines.js";
import { environmentFacts, environmentKey, type Kernel } from "./environment.js";
import type { ClaudeCodeOptions } from "./options.js";
import type { OutputStyle } from "./output-style.js";
import type { PromptPart } from "./prompt-parts.js";

/** The sections of the main prompt behind the boundary, and the stub that stands for all of it in simple mode. */
export function sessionSections(
  options: ClaudeCodeOptions,
  kernel: Kernel,
  styleOf: (context: SectionContext) => Promise<OutputStyle | undefined>,
): readonly PromptPart[] {
  const shared = { group: "base", audience: ["main"], of: ["default", "proactive"] } as const;
  return [
    {
      ...shared,
      name: "simple",
      slot: "identity",
      of: ["simple"],
      key: ({ cwd, today }) => JSON.stringify([cwd, today]),
      compute: ({ cwd, today }) =>
        simple
          .trim()
          .replace("{cwd}", () => cwd)
          .replace("{today}", today),
    },
    {
      ...shared,
      name: "guidance",
      slot: "memory",
      before: ["memory/files"],
      of: ["default"],
      key: guidanceText,
      compute: guidanceText,
    },
    {
      ...shared,
      name: "environment",
      slot: "environment",
      key: environmentKey,
      compute: (context) => environmentFacts(context, kernel),
    },
    {
      ...shared,
      name: "language",
      slot: "environment",
      after: ["preset-claude-code/environment"],
      compute: () =>
        options.language === undefined ? null : language.trim().replace("{language}", () => options.language ?? ""),
    },
    {
      ...shared,
      name: "output-style",
      slot: "environment",
      after: ["preset-claude-code/language"],
      of: ["default"],
      async compute(context) {
        const style = await styleOf(context);
        if (style === undefined) return null;
        const { name, file, line, text } = style;
        return {
          kind: "items",
          items: [{ id: name, text, attrs: { name }, origin: { kind: "file", file, line } }],
        };
      },
    },
    {
      ...shared,
      name: "scratchpad",
      slot: "agents",
      compute: () =>
        options.scratchpad === undefined ? null : scratchpad.trim().replace("{folder}", () => options.scratchpad ?? ""),
    },
    {
      ...shared,
      name: "proactive",
      slot: "agents",
      after: ["preset-claude-code/scratchpad"],
      of: ["proactive"],
      compute: () => proactive.trim(),
    },
    {
      name: "date",
      slot: "session",
      audience: ["main"],
      of: ["agent", "default", "proactive"],
      key: ({ today }) => today,
      compute: ({ today }) => date.trim().replace("{today}", today),
    },
  ];
}

/** What matters for these tools, and for whether somebody is there to be asked. */
function guidanceText({ tools, session }: SectionContext): string {
  const names = new Set(tools.map(({ name }) => name));
  return conditionalLines(guidance, names.add(session.interactive ? "attended" : "alone"));
}
