import { expect, test } from "vitest";
import { validateWire, wireRules } from "./validate-wire.js";
import type { WireApi } from "./wire-rule.js";

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const png = "iVBORw0KGgo=";

/** Bodies that their vendors take, with a bit of everything. */
const good: Readonly<Record<WireApi, Record<string, unknown>>> = {
  "anthropic-messages": {
    model: "claude-haiku-4-5",
    max_tokens: 4000,
    system: [{ type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } }],
    thinking: { type: "enabled", budget_tokens: 1024 },
    tools: [{ name: "read", description: "Reads.", input_schema: schema }],
    messages: [
      { role: "user", content: "hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "text", text: "Look:" },
          { type: "tool_use", id: "t1", name: "read", input: { path: "a" } },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: png } }],
          },
          { type: "text", text: "more", cache_control: { type: "ephemeral" } },
        ],
      },
    ],
    stream: true,
  },
  "openai-chat": {
    model: "gpt-5",
    max_completion_tokens: 900,
    reasoning_effort: "low",
    tools: [{ type: "function", function: { name: "read", description: "Reads.", parameters: schema } }],
    parallel_tool_calls: true,
    messages: [
      { role: "system", content: "Be kind." },
      { role: "user", content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }] },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "t1", type: "function", function: { name: "read", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "t1", content: "one" },
    ],
    prompt_cache_key: "k",
    stream: true,
    stream_options: { include_usage: true },
  },
  "openai-responses": {
    model: "gpt-5",
    instructions: "Be kind.",
    max_output_tokens: 900,
    reasoning: { effort: "low" },
    include: ["reasoning.encrypted_content"],
    tools: [{ type: "function", name: "read", description: "Reads.", parameters: schema, strict: false }],
    input: [
      { role: "user", content: [{ type: "input_image", image_url: `data:image/png;base64,${png}` }] },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" },
      { type: "function_call", id: "fc_1", call_id: "t1", name: "read", arguments: "{}" },
      { type: "function_call_output", call_id: "t1", output: [{ type: "input_text", text: "one" }] },
      { type: "message", role: "assistant", content: "Done." },
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Mode is plan." }] },
    ],
    store: false,
    stream: true,
  },
  "openai-codex": {
    model: "gpt-5",
    instructions: "",
    text: { verbosity: "low" },
    input: [{ type: "message", role: "user", content: "hi" }],
    store: false,
    stream: true,
  },
};

type Change = (body: Record<string, unknown>) => void;

/** A body of the mode with one thing changed. */
function changed(api: WireApi, change: Change): Record<string, unknown> {
  const body = structuredClone(good[api]);
  change(body);
  return body;
}

function messagesOf(body: Record<string, unknown>): Record<string, unknown>[] {
  return (body["messages"] ?? body["input"]) as Record<string, unknown>[];
}

function set(values: Record<string, unknown>): Change {
  return (body) => void Object.assign(body, values);
}

/** Sets fields of one message. */
function inMessage(index: number, values: Record<string, unknown>): Change {
  return (body) => void Object.assign(messagesOf(body)[index] ?? {}, values);
}

/** Sets fields of one block in one message. */
function inBlock(index: number, place: number, values: Record<string, unknown>): Change {
  return (body) => {
    const content = messagesOf(body)[index]?.["content"] as Record<string, unknown>[];
    Object.assign(content[place] ?? {}, values);
  };
}

function push(...more: Record<string, unknown>[]): Change {
  return (body) => void messagesOf(body).push(...more);
}

function schemaOf(input_schema: Record<string, unknown>): Change {
  return (body) => {
    const tools = body["tools"] as Record<string, unknown>[];
    const tool = tools[0] ?? {};
    const called = (tool["function"] ?? tool) as Record<string, unknown>;
    called["input_schema" in called ? "input_schema" : "parameters"] = input_schema;
  };
}

const call = { type: "tool_use", id: "t2", name: "read", input: {} };
const many = Array.from({ length: 129 }, (_, index) => ({
  type: "function",
  name: `t${index}`,
  parameters: schema,
  strict: false,
}));

const anthropicCases: Readonly<Record<string, Change>> = {
  "model-required": set({ model: undefined }),
  "max-tokens-required": set({ max_tokens: undefined }),
  "sampling-removed": set({ temperature: 1 }),
  "message-count": set({ messages: [] }),
  "cache-mark-count": set({
    system: Array.from({ length: 4 }, () => ({ type: "text", text: "x", cache_control: { type: "ephemeral" } })),
  }),
  "cache-mark-on-thinking": inBlock(1, 0, { cache_control: { type: "ephemeral" } }),
  "system-text-blank": set({ system: [{ type: "text", text: " \n" }] }),
  "stop-sequence-blank": set({ stop_sequences: ["\n"] }),
  "thinking-type": set({ model: "claude-opus-4-7" }),
  "thinking-budget": set({ max_tokens: 1024 }),
  "thinking-block-binding": set({
    model: "claude-sonnet-5-5",
    thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } },
  }),
  "user-citations": inMessage(0, { content: [{ type: "text", text: "x", citations: [{}] }] }),
  "message-role": inMessage(0, { role: "tool" }),
  "first-message-role": (body) => void messagesOf(body).shift(),
  "content-empty": inMessage(0, { content: [] }),
  "text-blank": inBlock(1, 1, { text: " " }),
  "block-of-role": inBlock(1, 1, { type: "image" }),
  "image-source": inBlock(2, 0, { content: [{ type: "image", source: { type: "base64", media_type: "image/tiff" } }] }),
  "final-thinking": push({ role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "s" }] }),
  "thinking-signature": inBlock(1, 0, { signature: "" }),
  prefill: push({ role: "assistant", content: "The answer " }),
  "late-system-model": push({ role: "system", content: "Mode is plan." }),
  "late-system-place": (body) => {
    set({ model: "claude-opus-4-8", thinking: undefined })(body);
    push({ role: "system", content: "a" }, { role: "user", content: "b" })(body);
  },
  "thinking-first": (body) => {
    const content = messagesOf(body)[1]?.["content"] as unknown[];
    content.shift();
  },
  "tool-name": set({ tools: [{ name: "a.b", input_schema: schema }] }),
  "tool-name-unique": set({
    tools: [
      { name: "read", input_schema: schema },
      { name: "read", input_schema: schema },
    ],
  }),
  "schema-type": schemaOf({ properties: {} }),
  "schema-union": schemaOf({ type: "object", anyOf: [{}] }),
  "schema-keys": schemaOf({ type: "object", properties: { "a[b]": {} } }),
  "schema-dialect": schemaOf({ type: "object", properties: { a: { type: "array", items: [{}] } } }),
  "tools-missing": set({ tools: undefined }),
  "call-id": inBlock(1, 2, { id: "t:1" }),
  "call-id-unique": push(
    { role: "assistant", content: [{ ...call, id: "t1" }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1" }] },
  ),
  "call-name": inBlock(1, 2, { name: "" }),
  "call-input": inBlock(1, 2, { input: "text" }),
  "result-missing": push({ role: "assistant", content: [call] }, { role: "user", content: "and?" }),
  "result-orphan": inBlock(2, 0, { tool_use_id: "t9" }),
  "result-twice": (body) => {
    const content = messagesOf(body)[2]?.["content"] as unknown[];
    content.unshift(content[0]);
  },
  "result-first": (body) => {
    const content = messagesOf(body)[2]?.["content"] as unknown[];
    content.reverse();
  },
  "result-content": inBlock(2, 0, { content: [{ type: "tool_use" }] }),
  "result-error-empty": inBlock(2, 0, { is_error: true, content: [] }),
};

const settingCases: Readonly<Record<string, Change>> = {
  "model-required": set({ model: undefined }),
  "sampling-of-reasoning": set({ temperature: 0 }),
  "cache-key-length": set({ prompt_cache_key: "k".repeat(65) }),
  "stream-options": set({ stream: false, stream_options: {} }),
};

const toolCases: Readonly<Record<string, Change>> = {
  "model-without-tools": set({ model: "chatgpt-4o-latest" }),
  "tool-options-without-tools": set({ tools: undefined, tool_choice: "auto" }),
  "schema-head": schemaOf({ type: "object", properties: {}, not: {} }),
  "schema-properties": schemaOf({ type: "object" }),
  "schema-items": schemaOf({ type: "object", properties: { a: { type: ["array", "null"] } } }),
  "schema-dialect": schemaOf({ type: "object", properties: { a: { type: "float" } } }),
  "schema-pattern": schemaOf({ type: "object", properties: { a: { type: "string", pattern: "^(?!x)" } } }),
};

const chatCases: Readonly<Record<string, Change>> = {
  ...settingCases,
  ...toolCases,
  "tool-count": set({ tools: [] }),
  "tool-name": set({ tools: [{ type: "function", function: { name: "a.b", parameters: schema } }] }),
  "schema-strict": set({ tools: [{ type: "function", function: { name: "a", parameters: schema, strict: true } }] }),
  "message-count": set({ messages: [] }),
  "message-role": inMessage(0, { role: "context" }),
  "content-missing": inMessage(0, { content: null }),
  "part-of-role": inMessage(3, {
    content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }],
  }),
  "image-url": inBlock(1, 0, { image_url: { url: "data:image/svg+xml;base64,eA==" } }),
  "call-count": inMessage(0, { tool_calls: [] }),
  "call-id": inMessage(2, { tool_calls: [{ id: "x".repeat(41), type: "function", function: {} }] }),
  "call-function": inMessage(2, { tool_calls: [{ id: "t1", type: "function", function: { name: "read" } }] }),
  "calls-and-results": (body) => void messagesOf(body).splice(3, 0, { role: "user", content: "and?" }),
  "max-tokens-of-reasoning": set({ max_tokens: 9 }),
  "effort-without-reasoning": set({ model: "gpt-4o" }),
  "stop-count": set({ model: "qwen3", stop: ["a", "b", "c", "d", "e"] }),
};

const responsesCases: Readonly<Record<string, Change>> = {
  ...settingCases,
  ...toolCases,
  "tool-count": set({ tools: many }),
  "tool-name": set({ tools: [{ ...many[0], name: "a.b" }] }),
  "schema-strict": set({ tools: [{ ...many[0], strict: true }] }),
  "input-missing": set({ input: [] }),
  "instructions-type": set({ instructions: ["x"] }),
  "item-type": push({ type: "tool_use" }),
  "message-role": inMessage(0, { role: "tool" }),
  "content-missing": inMessage(0, { content: [] }),
  "part-of-role": inMessage(4, { content: [{ type: "input_text", text: "x" }] }),
  "image-url": inBlock(0, 0, { image_url: "data:image/svg+xml;base64,eA==" }),
  "item-id": inMessage(2, { id: "call_1" }),
  "call-id": inMessage(2, { call_id: "x".repeat(65) }),
  "call-function": inMessage(2, { arguments: {} }),
  "calls-and-results": (body) => void messagesOf(body).splice(3, 1),
  "result-content": inMessage(3, { output: [] }),
  "reasoning-followed": push({ type: "reasoning", id: "rs_2", summary: [], encrypted_content: "x" }),
  "reasoning-summary": inMessage(1, { summary: undefined }),
  "reasoning-not-stored": inMessage(1, { encrypted_content: undefined }),
  "encrypted-content": set({ model: "gpt-4o" }),
  "reasoning-without-reasoning": set({ model: "gpt-4o" }),
  verbosity: set({ model: "gpt-5.2-codex", text: { verbosity: "low" } }),
  "max-output-tokens": set({ max_output_tokens: 15 }),
  "tool-shape": set({ tools: [{ type: "function", function: { name: "read", parameters: schema } }] }),
  "chat-parameter": set({ max_tokens: 9 }),
};

const codexCases: Readonly<Record<string, Change>> = {
  store: set({ store: undefined }),
  stream: set({ stream: false }),
  "instructions-required": set({ instructions: undefined }),
  "input-list": set({ input: "hi" }),
  "system-message": push({ role: "system", content: "x" }),
  "unsupported-parameter": set({ max_output_tokens: 900 }),
};

const casesByApi: Readonly<Record<WireApi, Readonly<Record<string, Change>>>> = {
  "anthropic-messages": anthropicCases,
  "openai-chat": chatCases,
  "openai-responses": responsesCases,
  "openai-codex": codexCases,
};

const apis = Object.keys(good) as WireApi[];

test.for(apis)("%s: takes what the vendor takes", (api) => {
  expect(validateWire(api, good[api])).toEqual([]);
});

test.for(apis.flatMap((api) => Object.keys(casesByApi[api]).map((rule) => ({ api, rule }))))(
  "$api refuses: $rule",
  ({ api, rule }) => {
    const change = casesByApi[api][rule];
    if (change === undefined) throw new Error("no example");
    expect(validateWire(api, changed(api, change)).map((found) => found.rule)).toContain(rule);
  },
);

test("has an example of each rule", () => {
  const shown = (api: WireApi) => new Set(Object.keys(casesByApi[api]));
  for (const api of ["anthropic-messages", "openai-chat", "openai-responses"] as const) {
    expect(wireRules(api).filter((rule) => !shown(api).has(rule))).toEqual([]);
  }
  const more = wireRules("openai-codex").filter((rule) => !wireRules("openai-responses").includes(rule));
  expect(more.filter((rule) => !shown("openai-codex").has(rule))).toEqual([]);
  expect(wireRules("openai-codex")).toEqual(expect.arrayContaining([...wireRules("openai-responses")]));
});

test("counts the version and the betas that are sent beside a body", () => {
  const cold = changed("anthropic-messages", set({ temperature: 0 }));
  expect(validateWire("anthropic-messages", cold, { "anthropic-version": "2023-06-01" })).toEqual([]);
  const bound = changed("anthropic-messages", anthropicCases["thinking-block-binding"] ?? set({}));
  const headers = { "anthropic-beta": "other,thinking-binding-controls-2026-08-01" };
  expect(validateWire("anthropic-messages", bound, headers)).toEqual([]);
});

test("says where a body is wrong, and takes nothing that is no object", () => {
  const body = changed("openai-chat", inMessage(0, { content: null }));
  expect(validateWire("openai-chat", body)).toEqual([
    { rule: "content-missing", message: "messages.0: Invalid value for 'content': expected a string, got null." },
  ]);
  for (const api of apis) expect(validateWire(api, null).length).toBeGreaterThan(1);
});
