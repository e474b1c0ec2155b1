import { QuireError } from "@quire/core";
import { expect, test } from "vitest";
import { parseFrontMatter } from "./front-matter.js";

test.for([
  { name: "no front matter", text: "# Title\n\nText\n", want: { data: {}, body: "# Title\n\nText\n", bodyLine: 1 } },
  { name: "an empty text", text: "", want: { data: {}, body: "", bodyLine: 1 } },
  {
    name: "front matter",
    text: "---\nname: x\nlist: [a, b]\n---\nBody\n",
    want: { data: { name: "x", list: ["a", "b"] }, body: "Body\n", bodyLine: 5 },
  },
  {
    name: "CRLF",
    text: "---\r\nname: x\r\n---\r\nBody\r\n",
    want: { data: { name: "x" }, body: "Body\r\n", bodyLine: 4 },
  },
  {
    name: "a byte order mark",
    text: "\uFEFF---\nname: x\n---\nBody",
    want: { data: { name: "x" }, body: "Body", bodyLine: 4 },
  },
  { name: "a byte order mark alone", text: "\uFEFFBody", want: { data: {}, body: "Body", bodyLine: 1 } },
  { name: "empty front matter", text: "---\n---\n\nBody", want: { data: {}, body: "\nBody", bodyLine: 3 } },
  { name: "a comment only", text: "---\n# nothing\n---\nBody", want: { data: {}, body: "Body", bodyLine: 4 } },
  {
    name: "spaces behind the lines",
    text: "---  \na: 1\n---\t\nBody",
    want: { data: { a: 1 }, body: "Body", bodyLine: 4 },
  },
  { name: "no body", text: "---\na: 1\n---", want: { data: { a: 1 }, body: "", bodyLine: 3 } },
  { name: "a rule that is never closed", text: "---\na: 1\n", want: { data: {}, body: "---\na: 1\n", bodyLine: 1 } },
  { name: "a longer rule", text: "----\na: 1\n---\n", want: { data: {}, body: "----\na: 1\n---\n", bodyLine: 1 } },
  {
    name: "a rule inside the body",
    text: "---\na: 1\n---\nOne\n---\nTwo\n",
    want: { data: { a: 1 }, body: "One\n---\nTwo\n", bodyLine: 4 },
  },
  {
    name: "a long dash line in a value",
    text: "---\na: |\n  ---x\n---\nB",
    want: { data: { a: "---x\n" }, body: "B", bodyLine: 5 },
  },
])("splits a text with $name", ({ text, want }) => expect(parseFrontMatter(text)).toEqual(want));

test.for([
  { name: "broken YAML", text: "---\nname: x\nlist: [a\n---\nBody", line: 3 },
  { name: "a colon in a value", text: "---\nname: x\ndescription: use: with care\n---\n", line: 3 },
  { name: "a list", text: "---\n- a\n---\n", line: 2 },
  { name: "a single word", text: "---\nword\n---\n", line: 2 },
  { name: "a key twice", text: "---\na: 1\na: 2\n---\n", line: 3 },
])("names the line of $name", ({ text, line }) => {
  let error: unknown;
  try {
    parseFrontMatter(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(QuireError.is(error) && error.diagnostic).toMatchObject({
    code: "front-matter-invalid",
    at: { kind: "file", line },
  });
});

test("aliases that multiply end in an error, not in a full memory", () => {
  const levels = Array.from({ length: 9 }, (_, index) => {
    const below = index === 0 ? "x" : `*l${index - 1}`;
    return `l${index}: &l${index} [${Array.from({ length: 10 }, () => below).join(", ")}]`;
  });
  expect(() => parseFrontMatter(`---\n${levels.join("\n")}\n---\n`)).toThrow(/alias/i);
});
