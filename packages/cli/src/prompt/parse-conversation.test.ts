import { expect, test } from "vitest";
import { parseConversation } from "./parse-conversation.js";

const parse = (value: unknown) => parseConversation(JSON.stringify(value), "talk.json");

test("takes every block of the neutral model, and makes up what may be left out", () => {
  const messages = [
    {
      role: "user",
      content: [
        { type: "text", text: "hi" },
        { type: "image", mime: "image/png", base64: "aGk=" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", text: "hm", signature: "s", provider: "anthropic" },
        { type: "tool-call", id: "c1", name: "read", args: { path: "a" } },
      ],
      stop: "tools",
    },
    {
      role: "tool",
      content: [{ type: "tool-result", id: "c1", name: "read", content: [{ type: "text", text: "x" }] }],
    },
    { id: "mine", role: "context", content: [{ type: "text", text: "note" }] },
  ];
  const parsed = parse(messages);
  expect(parsed.map(({ id }) => id)).toEqual(["m1", "m2", "m3", "mine"]);
  expect(parsed[2]?.content).toMatchObject([{ isError: false }]);
  expect(parsed[1]).toMatchObject(messages[1] ?? {});
});

const said = (block: object) => [{ role: "user", content: [{ type: "text", text: "hi" }, block] }];

test.for([
  { value: { role: "user" }, wanted: "must be a list of messages" },
  { value: [{ role: "system", content: [] }], wanted: '[0].role: Invalid option: expected one of "user"' },
  { value: [{ role: "user", content: "hi" }], wanted: "[0].content: Invalid input: expected array, received string" },
  { value: said({ type: "video" }), wanted: "[0].content[1].type: Invalid" },
  { value: said({ type: "tool-call", id: "a", name: "b", args: 3 }), wanted: "[0].content[1].args: Invalid input" },
  { value: said({ type: "text", text: "x", tone: "dry" }), wanted: '[0].content[1]: Unrecognized key: "tone"' },
  { value: said({ type: "image", mime: "image/png", base64: "?" }), wanted: "[0].content[1].base64: Invalid base64" },
])("names the place of what is wrong: $wanted", ({ value, wanted }) => {
  expect(() => parse(value)).toThrow(wanted);
});

test("names the line of a syntax error", () => {
  expect(() => parseConversation('[\n  { "role": "user" "content": [] }\n]', "talk.json")).toThrow(
    /talk\.json is no JSON.*talk\.json:2/,
  );
});
