import { expect, test } from "vitest";
import { cutText } from "./cut-text.js";

const limits = { maxBytes: 10, maxLines: 3 };

test.for([
  { name: "keeps a text that meets neither limit", text: "a\nb\nc", want: { text: "a\nb\nc" } },
  { name: "keeps the line end of the last line", text: "a\nb\nc\n", want: { text: "a\nb\nc\n" } },
  { name: "cuts at the lines when they end first", text: "a\nb\nc\nd", want: { text: "a\nb\nc", limit: "3 lines" } },
  {
    name: "takes a line end of two signs as one",
    text: "a\r\nb\r\nc\r\nd",
    want: { text: "a\r\nb\r\nc", limit: "3 lines" },
  },
  {
    name: "cuts at the bytes when they end first",
    text: "0123456789x",
    want: { text: "0123456789", limit: "10 bytes" },
  },
  {
    name: "cuts at the bytes inside the last line shown",
    text: "012345\n6789\nx\ny",
    want: { text: "012345\n678", limit: "10 bytes" },
  },
  { name: "keeps a text of exactly the bytes", text: "0123456789", want: { text: "0123456789" } },
  { name: "keeps a character of two bytes whole", text: "012345678ä", want: { text: "012345678", limit: "10 bytes" } },
  { name: "keeps a character of four bytes whole", text: "0123456😀", want: { text: "0123456", limit: "10 bytes" } },
])("$name", ({ text, want }) => {
  const { limit, ...wanted } = want;
  expect(cutText(text, limits)).toEqual(limit === undefined ? wanted : { ...wanted, limit: `the first ${limit}` });
});
