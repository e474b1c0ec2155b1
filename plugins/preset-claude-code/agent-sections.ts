import defaultAgent from "../../prompts/preset-claude-code/agent.md";
import agentNotes from "../../prompts/preset-claude-code/agent-notes.md";
import { agentText } from "./choose-prompt.js";
import { agentEnvironmentFacts, environmentKey, type Kernel } from "./environment.js";
import type { PromptPart } from "./prompt-parts.js";

/** An agent's own prompt: alone in front of the user, with notes and environment as a subagent. */
export function agentSections(kernel: Kernel): readonly PromptPart[] {
  return [
    {
      name: "agent",
      slot: "identity",
      of: ["agent", "subagent"],
      key: ({ audience, profile }) => JSON.stringify([audience, profile?.instructions ?? ""]),
      compute: (context) => agentText(context) ?? defaultAgent.trim(),
    },
    {
      name: "agent-notes",
      slot: "rules",
      audience: ["subagent"],
      of: ["subagent"],
      compute: () => agentNotes.trim(),
    },
    {
      name: "agent-environment",
      slot: "environment",
      audience: ["subagent"],
      of: ["subagent"],
      key: (context) => JSON.stringify([environmentKey(context), context.today]),
      compute: (context) => agentEnvironmentFacts(context, kernel),
    },
    {
      name: "custom-agent",
      slot: "end",
      before: ["user/append"],
      audience: ["main"],
      of: ["proactive"],
      key: ({ profile }) => profile?.instructions ?? "",
      compute: (context) => agentText(context) ?? null,
    },
  ];
}
