import type { LayoutView, ResolvedSection } from "@quire/core";

/** What may stand beside the stub of simple mode, apart from the user's own sections. */
const beside: ReadonlySet<string> = new Set(["preset-claude-code/simple", "user/instructions", "user/append"]);

/** Where a text lands that replaces the base, and the notes: lower sources than an agent's own prompt. */
const belowAgent: ReadonlySet<string> = new Set(["preset-claude-code/intro", "base/identity", "memory/files"]);

/**
 * Whether a section of another author gives way to the prompt that was chosen. The preset's own sections know by
 * themselves which prompts they are a part of.
 */
export function isSkipped({ name, owner }: Pick<ResolvedSection, "name" | "owner">, view: LayoutView): boolean {
  if (view.has("preset-claude-code/simple")) return !beside.has(name) && owner !== "user";
  return view.has("preset-claude-code/agent") && belowAgent.has(name);
}
