import { expect, test } from "vitest";
import { randomConversation } from "./random-conversation.js";

const model = { provider: "openai", id: "gpt-5" };
const all = Array.from({ length: 300 }, (_, seed) => randomConversation(seed, { model }));
const messages = all.flatMap(({ request }) => request.messages);
const blocks = messages.flatMap(({ content }) => content);

test("gives the same conversation for the same seed, and others for others", () => {
  expect(randomConversation(7, { model })).toEqual(all[7]);
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(all.length);
});

test("holds each mark once", () => {
  for (const { request, marks } of all) {
    const text = JSON.stringify(request);
    for (const { kind, word } of marks.filter((mark) => mark.kind !== "image" && mark.kind !== "thinking")) {
      const isFound = text.includes(word);
      expect(isFound, `${kind} ${word}`).toBe(true);
    }
  }
});

test.for(["text", "image", "file", "thinking", "tool-call", "tool-result"])("makes blocks of type %s", (type) => {
  expect(blocks.filter((block) => block.type === type).length).toBeGreaterThan(50);
});

test("makes what sessions come to hold: parallel calls, open ones, late results, empty texts, odd ids, aborts", () => {
  const calls = messages.map(({ content }) => content.filter(({ type }) => type === "tool-call").length);
  expect(calls.filter((count) => count > 1).length).toBeGreaterThan(50);
  const ids = (type: string) => blocks.flatMap((block) => (block.type === type && "id" in block ? [block.id] : []));
  expect(ids("tool-call").length).toBeGreaterThan(ids("tool-result").length + 50);
  expect(ids("tool-result")).toContain("gone");
  expect(new Set(ids("tool-call"))).toContain("");
  expect(blocks.some((block) => block.type === "text" && block.text.trim() === "")).toBe(true);
  expect(messages.some(({ stop }) => stop === "aborted")).toBe(true);
  expect(new Set(messages.map(({ role }) => role))).toEqual(new Set(["user", "assistant", "tool", "context"]));
  const providers = blocks.flatMap((block) => (block.type === "thinking" ? [block.provider] : []));
  expect(new Set(providers).size).toBe(3);
  expect(all.some(({ request }) => request.tools.length === 0)).toBe(true);
});
