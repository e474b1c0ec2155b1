import { expect, test } from "vitest";
import { choosePrompt, type ChoiceContext, type PromptKind } from "./choose-prompt.js";

const profile = { name: "reviewer", instructions: "Review." };

function context(part: Partial<ChoiceContext>, simple?: string): ChoiceContext {
  return { audience: "main", env: (name) => (name === "CLAUDE_CODE_SIMPLE" ? simple : undefined), ...part };
}

test.for<{ name: string; given: ChoiceContext; proactive?: boolean; want: PromptKind }>([
  { name: "nothing said", given: context({}), want: "default" },
  { name: "a profile", given: context({ profile }), want: "agent" },
  { name: "a profile without words", given: context({ profile: { name: "empty" } }), want: "default" },
  { name: "simple mode", given: context({}, "1"), want: "simple" },
  { name: "simple mode in another word", given: context({}, "True"), want: "simple" },
  { name: "simple mode turned off", given: context({}, "0"), want: "default" },
  { name: "a profile in simple mode", given: context({ profile }, "1"), want: "agent" },
  { name: "proactive mode", given: context({}), proactive: true, want: "proactive" },
  { name: "proactive mode with a profile", given: context({ profile }), proactive: true, want: "proactive" },
  { name: "proactive mode in simple mode", given: context({}, "1"), proactive: true, want: "simple" },
  { name: "a subagent", given: context({ audience: "subagent", profile }, "1"), proactive: true, want: "subagent" },
])("CC-02 chooses $want for $name", ({ given, proactive = false, want }) => {
  expect(choosePrompt(given, proactive)).toBe(want);
});
