import type { SectionContext } from "@quire/core";
import actions from "../../prompts/preset-claude-code/actions.md";
import doingTasks from "../../prompts/preset-claude-code/doing-tasks.md";
import intro from "../../prompts/preset-claude-code/intro.md";
import introStyled from "../../prompts/preset-claude-code/intro-styled.md";
import outputEfficiency from "../../prompts/preset-claude-code/output-efficiency.md";
import proactiveIntro from "../../prompts/preset-claude-code/proactive-intro.md";
import reminders from "../../prompts/preset-claude-code/reminders.md";
import system from "../../prompts/preset-claude-code/system.md";
import toneAndStyle from "../../prompts/preset-claude-code/tone-and-style.md";
import usingTools from "../../prompts/preset-claude-code/using-tools.md";
import { conditionalLines } from "./conditional-lines.js";
import type { ClaudeCodeOptions } from "./options.js";
import type { OutputStyle } from "./output-style.js";
import type { PromptPart } from "./prompt-parts.js";

/**
 * The sections before the boundary, in their order: equal bytes for everyone with the same tools and options.
 * @param styleOf The output style in force. Only with one are the rules for coding a matter of the session, since the
 * style's own file says whether they stay.
 */
export function staticSections(
  options: ClaudeCodeOptions,
  styleOf: (context: SectionContext) => Promise<OutputStyle | undefined>,
): readonly PromptPart[] {
  const isStyled = options.output_style !== undefined;
  const shared = { group: "base", scope: "global", audience: ["main"] } as const;
  const rules = ["system", "doing-tasks", "actions", "using-tools", "tone-and-style", "output-efficiency"] as const;
  const texts = { system, actions, "tone-and-style": toneAndStyle, "output-efficiency": outputEfficiency };
  const after = (index: number) => rules.slice(0, index).map((name) => `preset-claude-code/${name}`);
  const ruleParts = rules.map((name, index): PromptPart => {
    const place = { ...shared, name, slot: "rules", of: ["default"], after: after(index) } as const;
    if (name === "using-tools") {
      return { ...place, key: ({ tools }) => usingToolsText(tools), compute: ({ tools }) => usingToolsText(tools) };
    }
    if (name !== "doing-tasks") return { ...place, compute: () => texts[name].trim() };
    return {
      ...place,
      scope: isStyled ? "session" : "global",
      async compute(context) {
        const style = isStyled ? await styleOf(context) : undefined;
        return style === undefined || style.keepsCodingRules ? doingTasks.trim() : null;
      },
    };
  });
  return [
    {
      ...shared,
      name: "intro",
      slot: "identity",
      of: ["default"],
      compute: () => (isStyled ? introStyled : intro).trim(),
    },
    { ...shared, name: "proactive-intro", slot: "identity", of: ["proactive"], compute: () => proactiveIntro.trim() },
    { ...shared, name: "reminders", slot: "rules", of: ["proactive"], compute: () => reminders.trim() },
    ...ruleParts,
  ];
}

/** Which tool is for what, as far as it is there, then the guidelines that tools bring, once per exact text. */
function usingToolsText(tools: SectionContext["tools"]): string {
  const lines = conditionalLines(usingTools, new Set(tools.map(({ name }) => name)));
  const guidelines = new Set(tools.flatMap((tool) => tool.guidelines ?? []).filter((text) => text !== ""));
  return [lines, ...[...guidelines].map((text) => `- ${text}`)].join("\n");
}
