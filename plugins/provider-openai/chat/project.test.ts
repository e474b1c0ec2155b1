import { expect, test } from "vitest";
import { freezeDeep, providerRequest, toolResult, userMessage } from "@quire/testkit";
import type { Block, Message, ProviderRequest } from "@quire/core";
import { modes } from "../modes.js";
import { openaiTools } from "../tools.js";
import { projectChat } from "./project.js";

const own = { provider: "openai-chat", id: "gpt-5" };
const other = { provider: "local", id: "qwen3-coder" };

function project(parts: Partial<ProviderRequest>) {
  const request = freezeDeep(providerRequest({ model: own, system: { text: "", regions: [] }, ...parts }));
  return projectChat(request, openaiTools(request.tools, true), { isVendor: false, isUserOnly: false });
}

function message(role: Message["role"], ...content: Block[]): Message {
  return { id: role, role, content };
}

function text(words: string): Block {
  return { type: "text", text: words };
}

function call(id: string, args = {}): Block {
  return { type: "tool-call", id, name: "read", args };
}

test("MG-54 puts the system text first and keeps each later system message in its place", () => {
  const messages = [
    userMessage("one"),
    message("context", text("Mode is plan.")),
    message("assistant", text("Yes.")),
    message("context", text("Mode is full.")),
    userMessage("two"),
  ];
  const system = { text: "You are Quire.\n\nBe kind.\n", regions: [] };
  expect(project({ system, messages }).messages).toEqual([
    { role: "system", content: "You are Quire.\n\nBe kind.\n" },
    { role: "user", content: "one" },
    { role: "system", content: "Mode is plan." },
    { role: "assistant", content: "Yes." },
    { role: "system", content: "Mode is full." },
    { role: "user", content: "two" },
  ]);
});

test("MG-55 declares tools as functions", () => {
  const input = { type: "object", properties: { path: { type: "string" } } };
  expect(project({ tools: [{ name: "read", description: "Reads a file.", input }] }).tools).toEqual([
    { type: "function", function: { name: "read", description: "Reads a file.", parameters: input } },
  ]);
  expect(project({})).not.toHaveProperty("tools");
});

test("tells models of others in the user's role, in one message with its neighbours", () => {
  const messages = [userMessage("one"), message("context", text("Mode is plan.")), message("assistant", text("Yes."))];
  expect(project({ model: other, messages, tail: "Open: two." }).messages).toEqual([
    { role: "user", content: "one\n\nMode is plan." },
    { role: "assistant", content: "Yes." },
    { role: "user", content: "Open: two." },
  ]);
  expect(
    ["gpt-5", "openai/gpt-4.1", "o3", "gpt-oss:20b", "llama3"].map((id) => modes["openai-chat"].contextRole(id)),
  ).toEqual(["system", "system", "system", "user", "user"]);
});

test("puts the tail last", () => {
  expect(project({ tail: "Open: two." }).messages.at(-1)).toEqual({ role: "system", content: "Open: two." });
});

test("puts each result right behind its call, and invents an error for one that never came", () => {
  const messages = [
    userMessage("go"),
    message("assistant", text("Look:"), call("a", { path: "x" }), call("b"), call("c")),
    message("context", text("Mode is plan.")),
    message("tool", toolResult("b", "two")),
    message("tool", toolResult("a", "no such file", true)),
  ];
  expect(project({ messages }).messages.slice(1)).toEqual([
    {
      role: "assistant",
      content: "Look:",
      tool_calls: [
        { id: "a", type: "function", function: { name: "read", arguments: '{"path":"x"}' } },
        { id: "b", type: "function", function: { name: "read", arguments: "{}" } },
        { id: "c", type: "function", function: { name: "read", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "Error: no such file" },
    { role: "tool", tool_call_id: "b", content: "two" },
    { role: "tool", tool_call_id: "c", content: "Error: interrupted" },
    { role: "system", content: "Mode is plan." },
  ]);
});

test("shortens ids the vendor refuses, and keeps calls of one id in other messages apart", () => {
  const long = `toolu_${"x".repeat(60)}`;
  const messages = [
    message("assistant", call(long)),
    message("tool", toolResult(long, "one")),
    message("assistant", call("call_0")),
    message("tool", toolResult("call_0", "two")),
    message("assistant", call("call_0")),
    message("tool", toolResult("call_0", "three")),
  ];
  const results = project({ messages }).messages.filter(({ role }) => role === "tool");
  expect(results).toEqual([
    { role: "tool", tool_call_id: expect.stringMatching(/^toolu_x{25}_[0-9a-f]{8}$/), content: "one" },
    { role: "tool", tool_call_id: "call_0", content: "two" },
    { role: "tool", tool_call_id: "call_0_2", content: "three" },
  ]);
});

test("moves images of results into a message of the user behind all results", () => {
  const image = { type: "image", mime: "image/png", base64: "aGk=" } as const;
  const messages = [
    message("assistant", call("a"), call("b")),
    message("tool", { ...toolResult("a", "a picture"), content: [text("a picture"), image] }, toolResult("b", "two")),
  ];
  expect(project({ messages }).messages.slice(1)).toEqual([
    { role: "tool", tool_call_id: "a", content: "a picture" },
    { role: "tool", tool_call_id: "b", content: "two" },
    {
      role: "user",
      content: [
        { type: "text", text: "read:" },
        { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
      ],
    },
  ]);
});

test("sends images and files, and says what it left out", () => {
  const content: Block[] = [
    text("See:"),
    { type: "image", mime: "image/tiff", base64: "aGk=" },
    { type: "file", mime: "application/pdf", base64: "aGk=", name: "a.pdf" },
    { type: "file", mime: "text/csv", base64: "w6QsMQ==", name: "a.csv" },
  ];
  const messages = [message("user", ...content)];
  expect(project({ messages }).messages[0]?.content).toEqual([
    { type: "text", text: "See:" },
    { type: "text", text: "[left out: image of type image/tiff]" },
    { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,aGk=" } },
    { type: "text", text: "a.csv:\nä,1" },
  ]);
  expect(project({ messages, model: other }).messages[0]?.content).toContain("[left out: file a.pdf");
});

test("drops thinking and messages without content", () => {
  const thinking = { type: "thinking", text: "hm", provider: "openai-chat" } as const;
  const messages = [userMessage("hi"), message("assistant", thinking, text(" ")), userMessage("there")];
  expect(project({ messages }).messages).toEqual([
    { role: "user", content: "hi" },
    { role: "user", content: "there" },
  ]);
});

test("sends params under the names the model's servers know", () => {
  const params = { maxTokens: 50, temperature: 0, effort: "low" };
  expect(project({ params })).toMatchObject({ max_completion_tokens: 50, reasoning_effort: "low" });
  expect(project({ params, model: { ...own, id: "gpt-4o" } })).toMatchObject({ temperature: 0 });
  expect(project({ params, model: other })).toMatchObject({ max_tokens: 50, temperature: 0, reasoning_effort: "low" });
  expect(project({ params })).not.toHaveProperty("temperature");
  expect(project({ params, model: { ...own, id: "gpt-4o" } })).not.toHaveProperty("reasoning_effort");
  expect(project({})).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  expect(project({})).not.toHaveProperty("max_completion_tokens");
});

test("ends with the user and tells calls in words where no tools are declared, for models of others", () => {
  const messages = [
    userMessage("go"),
    message("assistant", text("Look:"), call("a", { path: "x" })),
    message("tool", toolResult("a", "one")),
    message("assistant", text("Done.")),
  ];
  expect(project({ model: other, messages }).messages).toEqual([
    { role: "user", content: "go" },
    { role: "assistant", content: 'Look:\n\n[called read with {"path":"x"}]' },
    { role: "user", content: "read:\n\none" },
    { role: "assistant", content: "Done." },
    { role: "user", content: "[continue]" },
  ]);
  expect(project({ messages }).messages.at(-1)).toEqual({ role: "assistant", content: "Done." });
});

test("says what was left out for a model that cannot look", () => {
  const image = { type: "image", mime: "image/png", base64: "aGk=" } as const;
  const messages = [message("user", image), message("assistant", text("I drew:"), image)];
  const model = { ...own, id: "gpt-3.5-turbo" };
  expect(project({ model, messages }).messages).toEqual([
    { role: "user", content: "[left out: image of type image/png]" },
    { role: "assistant", content: "I drew:\n\n[left out: image of type image/png]" },
  ]);
});
