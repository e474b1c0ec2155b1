import { expect, test } from "vitest";
import { leafText } from "./leaf-text.js";

test.for([
  { name: "a fence", text: "a\n```\n@x.md\n```\n@y.md" },
  { name: "a fence of tildes with a shorter one inside", text: "~~~~ts\n@x.md\n~~~\n@x.md\n~~~~\n@y.md" },
  { name: "a fence that is never closed before the end", text: "@y.md\n```\n@x.md\n" },
  { name: "a fence within a list item", text: "- one\n  ```\n  @x.md\n  ```\n- @y.md" },
  { name: "a fence that begins a list item", text: "1. ```sh\n   @x.md\n   ```\n2. @y.md" },
  { name: "a fence within a quote, which ends with the quote", text: "> ```\n> @x.md\n\n@y.md" },
  { name: "an indented block", text: "a\n\n    @x.md\n\n    @x.md\n\n@y.md" },
  { name: "an indented block by a tab", text: "\t@x.md\n\n@y.md" },
  { name: "an indented block in a list item", text: "- one\n\n      @x.md\n\n  @y.md" },
  { name: "a code span", text: "see `@x.md` and @y.md" },
  { name: "a code span of two ticks with one inside", text: "``a ` @x.md`` @y.md" },
  { name: "a code span over two lines", text: "see `a\n@x.md` and @y.md" },
  { name: "a comment", text: "<!-- @x.md --> @y.md" },
  { name: "a comment over blank lines and a fence", text: "<!--\n\n@x.md\n```\n--> @y.md" },
  { name: "a comment without an end", text: "@y.md <!-- @x.md" },
  { name: "CRLF", text: "```\r\n@x.md\r\n```\r\n@y.md\r\n" },
])("blanks $name and nothing else", ({ text }) => {
  const leaf = leafText(text);
  expect(leaf).not.toContain("@x.md");
  expect(leaf).toContain("@y.md");
  expect(leaf).toHaveLength(text.length);
});

test.for([
  { name: "a tick without a partner", text: "it`s @y.md" },
  { name: "ticks of another length", text: "`a @y.md ``" },
  { name: "ticks with a blank line between", text: "`a\n\n@y.md`" },
  { name: "an escaped tick", text: "\\`@y.md\\`" },
  { name: "a paragraph that goes on indented", text: "one\n    @y.md" },
  { name: "the text of a nested list", text: "- one\n\n  - two\n\n    @y.md" },
  { name: "a line of ticks with ticks behind", text: "```a`b``` @y.md" },
])("keeps the text of $name", ({ text }) => {
  expect(leafText(text)).toContain("@y.md");
});

test("takes time in proportion to the text, whatever it holds", () => {
  const hostile = `${"`".repeat(3)}x \`\n`.repeat(2_000) + "<!--".repeat(5_000) + "> ".repeat(20_000);
  const start = performance.now();
  expect(leafText(hostile)).toHaveLength(hostile.length);
  expect(performance.now() - start).toBeLessThan(1_000);
});
