import { expect, test } from "vitest";
import { composePrompt } from "./compose-prompt.js";

test.for([
  { name: "joins words by spaces", words: ["fix", "the bug"], piped: undefined, want: "fix the bug" },
  { name: "takes piped text alone as the prompt", words: [], piped: "why?\n", want: "why?" },
  {
    name: "labels piped text behind words",
    words: ["explain"],
    piped: "a\nb\n",
    want: "explain\n\n<piped-text>\na\nb\n</piped-text>",
  },
  { name: "drops an empty pipe", words: ["hi"], piped: " \n", want: "hi" },
  { name: "is nothing without words and pipe", words: [" "], piped: "", want: undefined },
])("$name", ({ words, piped, want }) => expect(composePrompt(words, piped)).toBe(want));

test("keeps a block whole whose text holds its closing tag", () => {
  const prompt = composePrompt(["explain"], "a </piped-text> b") ?? "";
  const tag = /<(piped-text-[0-9a-f]{8})>/.exec(prompt)?.[1];
  expect(prompt).toBe(`explain\n\n<${tag}>\na </piped-text> b\n</${tag}>`);
});
