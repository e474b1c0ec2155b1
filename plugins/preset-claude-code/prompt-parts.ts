import type { SectionSpec } from "@quire/core";
import { choosePrompt, type PromptKind } from "./choose-prompt.js";

/** A section's spec, and the prompts it is a part of. */
export type PromptPart = Omit<SectionSpec, "name" | "when" | "cache"> & {
  /** Without the plugin's own name. */
  readonly name: string;
  readonly of: readonly PromptKind[];
};

/** All sections of the preset are memoized: they last until the session is cleared, or their key changes. */
export function promptSection(part: PromptPart, isProactive: boolean): SectionSpec {
  const { of, name, ...spec } = part;
  return {
    ...spec,
    name: `preset-claude-code/${name}`,
    cache: "memoized",
    when: (context) => of.includes(choosePrompt(context, isProactive)),
  };
}
