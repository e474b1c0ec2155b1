import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { freezeDeep, providerRequest, toolResult, userMessage } from "@quire/testkit";
import type { Block, Message, ProviderRequest, Region } from "@quire/core";
import { projectMessages } from "./project.js";
import type { ProjectOptions } from "./project.js";
import { anthropicTools } from "./tools.js";

const model = { provider: "anthropic", id: "claude-sonnet-5-5" };
const mark = { cache_control: { type: "ephemeral" } };

/** A model that takes a late system text, and one before it that does not. */
const older = { ...model, id: "claude-sonnet-4-6" };

function project(parts: Partial<ProviderRequest>, options: Partial<ProjectOptions> = {}) {
  const request = freezeDeep(providerRequest({ model, ...parts }));
  return projectMessages(request, anthropicTools(request.tools), {
    isVendor: false,
    isJoined: false,
    isUserOnly: false,
    ...options,
  });
}

/** System text of regions with a separator between two. */
function system(parts: readonly (readonly [Region["kind"], string])[], separator = "\n\n"): ProviderRequest["system"] {
  let text = "";
  const regions = parts.map(([kind, body], index): Region => {
    if (index > 0) text += separator;
    const start = Buffer.byteLength(text);
    text += body;
    const hash = createHash("sha256").update(body).digest("hex");
    return { kind, start, end: Buffer.byteLength(text), hash };
  });
  return { text, regions };
}

function assistant(...content: Block[]): Message {
  return { id: "a", role: "assistant", content };
}

function tool(...content: Block[]): Message {
  return { id: "t", role: "tool", content };
}

function context(words: string): Message {
  return { id: "x", role: "context", content: [{ type: "text", text: words }] };
}

function call(id: string, args = {}): Block {
  return { type: "tool-call", id, name: "read", args };
}

test("MG-59 puts the system text, messages and tools where the vendor wants them", () => {
  const input = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  expect(
    project({
      system: { text: "Be kind.\n", regions: [] },
      tools: [{ name: "read", description: "Reads a file.", input }],
      messages: [userMessage("hi"), assistant({ type: "text", text: "Hello." }), userMessage("bye")],
      params: { maxTokens: 100, effort: "low" },
    }),
  ).toEqual({
    model: "claude-sonnet-5-5",
    max_tokens: 100,
    output_config: { effort: "low" },
    system: [{ type: "text", text: "Be kind.\n" }],
    tools: [{ name: "read", description: "Reads a file.", input_schema: input }],
    messages: [
      { role: "user", content: [{ type: "text", text: "hi", ...mark }] },
      { role: "assistant", content: [{ type: "text", text: "Hello." }] },
      { role: "user", content: [{ type: "text", text: "bye", ...mark }] },
    ],
    stream: true,
  });
});

test("MG-59 joins the system text byte for byte whatever the regions", () => {
  const long = "Ein Wörterbuch über alles. ".repeat(300);
  const { text, regions } = system([
    ["global", long],
    ["session", `${long}🙂`],
    ["turn", "now"],
  ]);
  const blocks = project({ system: { text, regions } }).system;
  expect(blocks).toEqual([
    { type: "text", text: `${long}\n\n`, ...mark },
    { type: "text", text: `${long}🙂\n\n`, ...mark },
    { type: "text", text: "now" },
  ]);
});

test("joins a region below the vendor's floor to the next", () => {
  const long = "word ".repeat(2000);
  const small = system([
    ["global", "Be kind."],
    ["session", long],
  ]);
  expect(project({ system: small }).system).toEqual([{ type: "text", text: small.text, ...mark }]);
  const tail = system([
    ["global", long],
    ["session", "small"],
    ["turn", "now"],
  ]);
  expect(project({ system: tail }).system).toHaveLength(3);
  const floor = project({ system: small, model: { ...model, id: "claude-opus-4-5" } });
  expect(floor.system).toEqual([{ type: "text", text: small.text }]);
});

test("counts the tools, which stand before the system text, towards the floor", () => {
  const tools = [{ name: "read", description: "word ".repeat(2000), input: { type: "object" } }];
  const small = system([
    ["global", "Be kind."],
    ["session", "In /repo."],
  ]);
  expect(project({ system: small, tools }).system).toEqual([
    { type: "text", text: "Be kind.\n\n", ...mark },
    { type: "text", text: "In /repo.", ...mark },
  ]);
});

test("makes no block of white space", () => {
  const long = "word ".repeat(2000);
  const blank = system([
    ["global", long],
    ["session", "\n"],
  ]);
  expect(project({ system: blank }).system).toEqual([{ type: "text", text: blank.text, ...mark }]);
  expect(project({ system: { text: "", regions: [] } })).not.toHaveProperty("system");
});

test("never places more than four marks, the older one where the request before it stored", () => {
  const long = "word ".repeat(2000);
  const calls = Array.from({ length: 15 }, (_, index) => call(`c${index}`));
  const messages = [
    userMessage("one"),
    assistant({ type: "text", text: "1" }),
    userMessage("two"),
    assistant(...calls),
    tool(...calls.map((_, index) => toolResult(`c${index}`, "x"))),
  ];
  const both = system([
    ["global", long],
    ["session", long],
  ]);
  const body = project({ system: both, messages });
  expect(JSON.stringify(body).split("cache_control")).toHaveLength(5);
  const before = project({ system: both, messages: messages.slice(0, 3) });
  expect(body.messages[2]).toEqual(before.messages[2]);
  expect(body.messages[0]).toEqual({ role: "user", content: [{ type: "text", text: "one" }] });
});

test("puts the tail behind the last mark", () => {
  expect(project({ tail: "Two to-dos." }).messages).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "hi", ...mark },
        { type: "text", text: "Two to-dos." },
      ],
    },
  ]);
});

const tools = [{ name: "read", description: "Reads.", input: { type: "object", properties: {} } }];

test("puts each result right behind its call, and invents an error for one that never came", () => {
  const messages = [
    userMessage("go"),
    assistant(call("a"), call("b"), call("c")),
    context("Mode is plan."),
    tool(toolResult("b", "two")),
    tool(toolResult("a", "no", true)),
    userMessage("more"),
  ];
  const results = [
    { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "no" }], is_error: true },
    { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "two" }] },
    { type: "tool_result", tool_use_id: "c", content: "interrupted", is_error: true },
  ];
  expect(project({ tools, messages, model: older }).messages.at(-1)).toEqual({
    role: "user",
    content: [...results, { type: "text", text: "Mode is plan." }, { type: "text", text: "more", ...mark }],
  });
  expect(project({ tools, messages }).messages.slice(2)).toEqual([
    { role: "user", content: [...results, { type: "text", text: "more", ...mark }] },
    { role: "system", content: [{ type: "text", text: "Mode is plan." }] },
  ]);
});

test("keeps a late system text in its place, behind what the user said beside it", () => {
  const messages = [
    userMessage("one"),
    context("Mode is plan."),
    assistant({ type: "text", text: "Yes." }),
    context("Mode is full."),
    context("It is noon."),
    userMessage("two"),
  ];
  expect(project({ messages }).messages).toMatchObject([
    { role: "user", content: [{ text: "one" }] },
    { role: "system", content: [{ text: "Mode is plan." }] },
    { role: "assistant", content: [{ text: "Yes." }] },
    { role: "user", content: [{ text: "two" }] },
    { role: "system", content: [{ text: "Mode is full." }, { text: "It is noon." }] },
  ]);
  const alone = project({ messages: messages.slice(1, 4) }).messages;
  expect(alone.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
});

test("MG-65 joins a late system text to the head, where it has no place of its own", () => {
  const messages = [userMessage("one"), context("Mode is plan."), userMessage("two")];
  const system = { text: "Be kind.\n", regions: [] };
  const { system: head, messages: turns } = project({ system, messages, tail: "Open: two." }, { isJoined: true });
  expect(Array.isArray(head) ? head.map(({ text }) => text).join("") : head).toBe(
    "Be kind.\n\nMode is plan.\n\nOpen: two.",
  );
  expect(JSON.stringify(turns)).not.toContain("Mode");
  const other = [context("Mode is plan."), userMessage("one"), userMessage("two")];
  expect(project({ system, messages: other, tail: "Open: two." }, { isJoined: true }).system).toEqual(head);
});

test("renames ids the vendor refuses or has seen, and keeps calls and results together", () => {
  const messages = [
    userMessage("go"),
    assistant(call("functions.read:0")),
    tool(toolResult("functions.read:0", "one")),
    assistant(call("functions.read:0")),
    tool(toolResult("functions.read:0", "two")),
  ];
  expect(project({ tools, messages }).messages.slice(1)).toMatchObject([
    { content: [{ id: "functions_read_0" }] },
    { content: [{ tool_use_id: "functions_read_0", content: [{ text: "one" }] }] },
    { content: [{ id: "functions_read_0_2" }] },
    { content: [{ tool_use_id: "functions_read_0_2", content: [{ text: "two" }] }] },
  ]);
});

test("keeps a result whose call is gone as text", () => {
  const messages = [userMessage("go"), tool(toolResult("gone", "the content"))];
  expect(project({ messages }).messages).toMatchObject([
    { role: "user", content: [{ text: "go" }, { text: "read:" }, { text: "the content" }] },
  ]);
});

test("replays thinking only to its provider, and drops a message of nothing else", () => {
  const mine = { type: "thinking", text: "hm", signature: "s", provider: "anthropic" } as const;
  const text = { type: "text", text: "ok" } as const;
  const messages = [
    userMessage("go"),
    assistant(mine, { ...mine, provider: "openai-chat" }, { type: "thinking", text: "x", provider: "anthropic" }, text),
    userMessage("on"),
    assistant(mine),
    userMessage("and on"),
  ];
  expect(project({ messages }).messages).toMatchObject([
    { role: "user" },
    { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: "s" }, { text: "ok" }] },
    { role: "user", content: [{ text: "on" }, { text: "and on" }] },
  ]);
});

test("sends images and files, and says what it left out", () => {
  const content: Block[] = [
    { type: "image", mime: "image/png", base64: "aGk=" },
    { type: "image", mime: "image/svg+xml", base64: "aGk=" },
    { type: "file", mime: "application/pdf", base64: "aGk=", name: "a.pdf" },
    { type: "file", mime: "text/csv", base64: "w6QsMQ==", name: "a.csv" },
    { type: "file", mime: "application/zip", base64: "aGk=", name: "a.zip" },
  ];
  expect(project({ messages: [{ id: "u", role: "user", content }] }).messages[0]?.content).toEqual([
    { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
    { type: "text", text: "[left out: image of type image/svg+xml]" },
    {
      type: "document",
      title: "a.pdf",
      source: { type: "base64", media_type: "application/pdf", data: "aGk=" },
    },
    { type: "document", title: "a.csv", source: { type: "text", media_type: "text/plain", data: "ä,1" } },
    { type: "text", text: "[left out: file a.zip of type application/zip]", ...mark },
  ]);
});

test("asks for as many tokens as the model gives unless told otherwise", () => {
  const ids = ["claude-sonnet-5-5", "claude-opus-4-1", "claude-3-5-haiku-latest", "another"];
  expect(ids.map((id) => project({ model: { ...model, id } }).max_tokens)).toEqual([64_000, 32_000, 8192, 8192]);
});

test("asks each model to think in the way it knows", () => {
  const thinking = (id: string, wanted: unknown, messages = [userMessage("hi")]) =>
    project({ model: { ...model, id }, params: { thinking: wanted, maxTokens: 3000 }, messages }).thinking;
  expect(thinking("claude-haiku-4-5", 2048)).toEqual({ type: "enabled", budget_tokens: 2048 });
  expect(thinking("claude-haiku-4-5", 1)).toEqual({ type: "enabled", budget_tokens: 1024 });
  expect(thinking("claude-haiku-4-5", "adaptive")).toEqual({ type: "enabled", budget_tokens: 8192 });
  expect(thinking("claude-sonnet-5-5", 2048)).toEqual({ type: "adaptive" });
  expect(thinking("claude-3-5-haiku-latest", 2048)).toBe(undefined);
  expect(thinking("claude-sonnet-5-5", undefined)).toBe(undefined);
  const foreign = [userMessage("go"), assistant(call("a")), tool(toolResult("a", "one"))];
  const declared = { tools, model: { ...model, id: "claude-haiku-4-5" }, params: { thinking: 2048 } };
  expect(project({ ...declared, messages: foreign }).thinking).toBe(undefined);
  expect(project({ ...declared, params: { thinking: 4000, maxTokens: 500 } }).max_tokens).toBe(4500);
});

test("lets the vendor drop thinking behind changed words instead of refusing the request", () => {
  const own = { type: "thinking", text: "hm", signature: "s", provider: "anthropic" } as const;
  const messages = [userMessage("go"), assistant(own, { type: "text", text: "ok" }), userMessage("on")];
  const drop = { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
  expect(project({ messages }, { isVendor: true }).thinking).toEqual(drop);
  expect(project({ messages }, { isVendor: false }).thinking).toBe(undefined);
  expect(project({ messages, model: older }, { isVendor: true }).thinking).toBe(undefined);
  expect(project({}, { isVendor: true }).thinking).toBe(undefined);
});

test("sends sampling to models of others alone", () => {
  const params = { temperature: 0.2, topP: 0.9, stop: ["END", " "] };
  expect(project({ params })).not.toHaveProperty("temperature");
  expect(project({ params }).stop_sequences).toEqual(["END"]);
  expect(project({ params, model: { ...model, id: "glm-5" } })).toMatchObject({ temperature: 0.2, top_p: 0.9 });
});

test("tells calls and results in words when no tools are declared", () => {
  const messages = [
    userMessage("go"),
    assistant(call("a", { path: "x" })),
    tool(toolResult("a", "no such file", true)),
  ];
  expect(project({ messages }).messages).toMatchObject([
    { role: "user", content: [{ text: "go" }] },
    { role: "assistant", content: [{ text: '[called read with {"path":"x"}]' }] },
    { role: "user", content: [{ text: "read failed:" }, { text: "no such file" }] },
  ]);
});

test("begins and ends with the user", () => {
  const said = assistant({ type: "text", text: "Hello." });
  const roles = (messages: readonly Message[]) => project({ messages }).messages.map(({ role }) => role);
  expect(roles([said])).toEqual(["user", "assistant", "user"]);
  expect(roles([])).toEqual(["user"]);
  expect(project({ messages: [userMessage("hi"), said] }).messages.at(-1)).toEqual({
    role: "user",
    content: [{ type: "text", text: "[continue]" }],
  });
});

test("leaves out blank texts, and joins what the user said twice", () => {
  const blank = { type: "text", text: " \n" } as const;
  const messages = [
    userMessage("one"),
    userMessage(""),
    userMessage("two"),
    assistant(blank),
    assistant(blank, { type: "text", text: "Yes." }),
    userMessage("three"),
  ];
  expect(project({ messages }).messages).toMatchObject([
    { role: "user", content: [{ text: "one" }, { text: "two" }] },
    { role: "assistant", content: [{ text: "Yes." }] },
    { role: "user", content: [{ text: "three" }] },
  ]);
});

test("shows images of results, and notes for what the model cannot look at", () => {
  const image = { type: "image", mime: "image/png", base64: "aGk=" } as const;
  const result: Block = { type: "tool-result", id: "a", name: "read", isError: false, content: [image] };
  const messages = [userMessage("go"), assistant(call("a"), image), tool(result)];
  const source = { type: "base64", media_type: "image/png", data: "aGk=" };
  expect(project({ tools, messages }).messages.slice(1)).toMatchObject([
    { role: "assistant", content: [{ type: "tool_use" }, { text: "[left out: image of type image/png]" }] },
    { role: "user", content: [{ type: "tool_result", content: [{ type: "image", source }] }] },
  ]);
  const blind = project({ tools, messages, model: { ...model, id: "claude-2.1" } });
  expect(JSON.stringify(blind.messages)).not.toContain("aGk=");
});
