import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { startModelServer } from "./start-model-server.js";
import type { ModelServer, ModelServerOptions } from "./start-model-server.js";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(options: ModelServerOptions): Promise<ModelServer> {
  server = await startModelServer(options);
  return server;
}

const chat = { model: "m", messages: [{ role: "user", content: "hi" }] };
const messages = { ...chat, max_tokens: 100 };

function post(url: string, body: unknown, signal: AbortSignal | null = null): Promise<Response> {
  const headers = { "content-type": "application/json", "x-api-key": "k" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
}

async function events(response: Response): Promise<Record<string, unknown>[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  return lines.filter((line) => line !== "data: [DONE]").map((line) => JSON.parse(line.slice(6)));
}

test("streams an Anthropic message with thinking, text and parallel calls", async () => {
  const { anthropicUrl } = await start({
    replies: [
      {
        thinking: "hm",
        text: "Let me look.",
        toolCalls: [
          { name: "read", args: { path: "a" } },
          { name: "ls", args: {} },
        ],
        usage: { input: 3, cacheRead: 2, output: 9 },
        chunk: 5,
      },
    ],
  });
  const seen = await events(await post(`${anthropicUrl}/v1/messages`, { ...messages, stream: true }));
  expect(seen.map(({ type }) => type).filter((type) => type !== "content_block_delta")).toEqual([
    "message_start",
    "content_block_start",
    "ping",
    "content_block_stop",
    ...["text", "call", "call"].flatMap(() => ["content_block_start", "content_block_stop"]),
    "message_delta",
    "message_stop",
  ]);
  expect(seen).toContainEqual({
    type: "content_block_delta",
    index: 1,
    delta: { type: "text_delta", text: "Let m" },
  });
  expect(seen.at(-2)).toMatchObject({
    delta: { stop_reason: "tool_use" },
    usage: { input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 9 },
  });
});

test("streams chat chunks whose usage counts cached tokens as prompt", async () => {
  const reply = {
    text: "hello",
    toolCalls: [{ name: "ls", args: {}, id: "c1" }],
    usage: { input: 3, cacheRead: 2 },
  };
  const { openaiUrl } = await start({ replies: [reply] });
  const body = { ...chat, stream: true, stream_options: { include_usage: true } };
  const seen = await events(await post(`${openaiUrl}/chat/completions`, body));
  expect(seen.at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 5, prompt_tokens_details: { cached_tokens: 2 } },
  });
  expect(seen.at(-2)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
  expect(JSON.stringify(seen)).toContain('"id":"c1","type":"function","function":{"name":"ls"');
});

const responses = { model: "gpt-5", input: [{ role: "user", content: "hi" }] };

test("streams a response whose items bring their places, numbers and whole contents", async () => {
  const { openaiUrl } = await start({
    replies: [
      {
        thinking: "hm",
        text: "Hello.",
        toolCalls: [{ name: "ls", args: { path: "a" }, id: "c1" }],
        usage: { input: 3, cacheRead: 2, cacheWrite: 1, output: 9 },
        chunk: 4,
      },
    ],
  });
  const body = { ...responses, stream: true, include: ["reasoning.encrypted_content"] };
  const seen = await events(await post(`${openaiUrl}/responses`, body));
  expect(seen.map(({ sequence_number }) => sequence_number)).toEqual(seen.map((_, index) => index));
  expect(
    seen.filter(({ type }) => String(type).startsWith("response.output_item")).map((each) => each["type"]),
  ).toEqual(
    ["reasoning", "message", "function_call"].flatMap(() => [
      "response.output_item.added",
      "response.output_item.done",
    ]),
  );
  const kinds = new Set(seen.map(({ type }) => type));
  for (const kind of ["reasoning_summary_text.delta", "output_text.done", "function_call_arguments.done"]) {
    expect(kinds.has(`response.${kind}`)).toBe(true);
  }
  expect(seen.at(-1)).toMatchObject({
    type: "response.completed",
    response: {
      status: "completed",
      output: [
        { type: "reasoning", id: "rs_1", encrypted_content: "encrypted-of-rs_1" },
        { type: "message", content: [{ type: "output_text", text: "Hello." }] },
        { type: "function_call", call_id: "c1", arguments: '{"path":"a"}' },
      ],
      usage: { input_tokens: 6, input_tokens_details: { cached_tokens: 2 }, output_tokens: 9 },
    },
  });
});

test("sends increments by turns, with comments and unknown events between, when told to", async () => {
  const toolCalls = [
    { name: "a", args: { x: "one" } },
    { name: "b", args: { x: "two" } },
  ];
  const reply = { toolCalls, chunk: 4, interleaved: true, noise: true };
  const { url } = await start({ replies: [reply, reply] });
  const seen = await events(await post(`${url}/v1/messages`, { ...messages, stream: true }));
  const indexes = seen.filter(({ type }) => type === "content_block_delta").map(({ index }) => index);
  expect(indexes.slice(0, 4)).not.toEqual([0, 0, 0, 0]);
  expect(seen.some(({ type }) => type === "future_event")).toBe(true);
  const text = await (await post(`${url}/v1/responses`, { ...responses, stream: true })).text();
  expect(text).toContain(": keep-alive");
});

test("ends an answer with an error event", async () => {
  const reply = { text: "hello", fault: { kind: "error", afterEvents: 2, status: 529 } } as const;
  const { url } = await start({ replies: [reply, reply, reply] });
  const last = async (path: string, body: object) =>
    (await events(await post(url + path, { ...body, stream: true }))).at(-1);
  expect(await last("/v1/messages", messages)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
  expect(await last("/v1/chat/completions", chat)).toMatchObject({ error: { type: "server_error" } });
  expect(await last("/v1/responses", responses)).toMatchObject({
    type: "response.failed",
    response: { status: "failed", error: { code: "server_error" } },
  });
});

test("answers whole when no stream is asked for", async () => {
  const { url } = await start({ replies: ["one", "two", "three"] });
  expect(await (await post(`${url}/v1/messages`, messages)).json()).toMatchObject({
    content: [{ type: "text", text: "one" }],
    stop_reason: "end_turn",
  });
  expect(await (await post(`${url}/v1/chat/completions`, chat)).json()).toMatchObject({
    choices: [{ message: { content: "two" }, finish_reason: "stop" }],
  });
  expect(await (await post(`${url}/v1/responses`, responses)).json()).toMatchObject({
    object: "response",
    output: [{ type: "message", content: [{ type: "output_text", text: "three" }] }],
  });
});

test("serves many clients at once and logs only whole answers", async () => {
  const log = join(await mkdtemp(join(tmpdir(), "quire-server-")), "requests.jsonl");
  const { url, requests } = await start({
    log,
    conversation: ({ body }) => String(body["model"]),
    replies: ({ body }) =>
      body["model"] === "m7" ? { fault: { kind: "status", status: 529 } } : { text: `for ${String(body["model"])}` },
  });
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const response = await post(`${url}/v1/messages`, { ...messages, model: `m${index}` });
      return `${response.status} ${await response.text()}`;
    }),
  );
  for (const [index, answer] of answers.entries()) {
    expect(answer).toContain(index === 7 ? "529" : `for m${index}"`);
  }
  const lines = (await readFile(log, "utf8")).trim().split("\n");
  expect(lines).toHaveLength(19);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    path: "/v1/messages",
    conversation: expect.stringMatching(/^m/),
  });
  expect(requests.filter(({ fault }) => fault === "status")).toHaveLength(1);
});

test.for([
  { path: "/v1/messages", body: chat, says: "max_tokens" },
  {
    path: "/v1/messages",
    body: {
      ...messages,
      tools: [{ name: "ls", input_schema: { type: "object" } }],
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "ls", input: {} }] },
        { role: "user", content: "and?" },
      ],
    },
    says: "without `tool_result`",
  },
  {
    path: "/v1/chat/completions",
    body: {
      ...chat,
      messages: [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "a", type: "function", function: { name: "ls", arguments: "{}" } }],
        },
        { role: "user", content: "and?" },
      ],
    },
    says: "must be followed by tool messages",
  },
  {
    path: "/v1/responses",
    body: { model: "m", input: [{ type: "function_call", call_id: "a", name: "ls", arguments: "{}" }] },
    says: "No tool output found",
  },
  {
    path: "/backend-api/codex/responses",
    body: { model: "m", instructions: "", input: [{ role: "user", content: "hi" }], stream: true },
    says: "Store must be set to false",
  },
])("refuses at $path what the vendor refuses: $says", async ({ path, body, says }) => {
  const { url, requests } = await start({ replies: ["never"] });
  const response = await post(url + path, body);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(says);
  expect(requests[0]?.fault).toBe("refused");
});

test("breaks the connection after the given events", async () => {
  const { url, requests } = await start({
    replies: [{ text: "hello", fault: { kind: "reset", afterEvents: 3 } }],
  });
  const response = await post(`${url}/v1/messages`, { ...messages, stream: true });
  await expect(response.text()).rejects.toThrow();
  await expect(requests[0]?.ended).resolves.toBe("cut");
});

test("cuts one event inside its JSON", async () => {
  const reply = { text: "hello", fault: { kind: "malformed", afterEvents: 2 } } as const;
  const { url } = await start({ replies: [reply] });
  const response = await post(`${url}/v1/messages`, { ...messages, stream: true });
  await expect(events(response)).rejects.toThrow(SyntaxError);
});

test("stalls until the client hangs up", async () => {
  const { url, requests } = await start({
    replies: [{ text: "hello", fault: { kind: "stall", afterEvents: 2 } }],
  });
  const controller = new AbortController();
  const response = await post(`${url}/v1/messages`, { ...messages, stream: true }, controller.signal);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("message_start");
  controller.abort();
  await expect(requests[0]?.ended).resolves.toBe("cut");
});

test("answers status faults with retry-after, and an empty body when told to", async () => {
  const { url } = await start({
    replies: [{ fault: { kind: "status", status: 429, retryAfter: 2 } }, { fault: { kind: "empty" } }],
  });
  const limited = await post(`${url}/v1/messages`, messages);
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "2"]);
  expect(await (await post(`${url}/v1/messages`, { ...messages, stream: true })).text()).toBe("");
});

test("asks for a key and lists models", async () => {
  const { url } = await start({ replies: [], models: ["a", "b"] });
  const keyless = await fetch(`${url}/v1/messages`, { method: "POST", body: JSON.stringify(messages) });
  expect(keyless.status).toBe(401);
  expect(await (await fetch(`${url}/v1/models`)).json()).toMatchObject({ data: [{ id: "a" }, { id: "b" }] });
});
