import type { SectionContext } from "@quire/core";

/** Which prompt runs. Each section says of which ones it is a part. */
export type PromptKind = "subagent" | "agent" | "simple" | "proactive" | "default";

export type ChoiceContext = Pick<SectionContext, "audience" | "profile" | "env">;

/**
 * A strict waterfall: the first source that is there wins and the lower ones are not asked. A text that replaces the
 * base stands between `agent` and `simple`: it takes the place of every section of the group `base`.
 */
export function choosePrompt(context: ChoiceContext, isProactive: boolean): PromptKind {
  if (context.audience === "subagent") return "subagent";
  if (agentText(context) !== undefined && !isProactive) return "agent";
  if (isSet(context.env("CLAUDE_CODE_SIMPLE"))) return "simple";
  return isProactive ? "proactive" : "default";
}

/** The prompt that the chosen profile brings. */
export function agentText(context: Pick<SectionContext, "profile">): string | undefined {
  const text = context.profile?.instructions?.trim();
  return text === "" ? undefined : text;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && ["1", "true", "yes", "on"].includes(value.trim().toLowerCase());
}
