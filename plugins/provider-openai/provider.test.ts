import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { collectEvents, providerRequest, providerSuite, startModelServer, userMessage } from "@quire/testkit";
import type { ModelServer } from "@quire/testkit";
import { openaiProvider } from "./provider.js";
import { createNetwork } from "./network/network.js";
import { openaiSettings } from "./settings.js";
import { streamAnswer } from "./stream.js";

const network = createNetwork({}, () => undefined);

function envOf(variables: Record<string, string>): (name: string) => string | undefined {
  return (name) => variables[name];
}

/** One of the vendor's three providers. */
function vendor(variables: Record<string, string>, name = "openai-chat") {
  const env = envOf(variables);
  const settings = openaiSettings({}, env, network).find((each) => each.name === name);
  if (settings === undefined) throw new Error("no settings");
  return openaiProvider(settings, env);
}

for (const name of ["openai", "openai-chat"]) {
  const make = (server: ModelServer, key: string) =>
    vendor({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: key }, name);
  providerSuite({ name, test, expect, make });
}

providerSuite({
  name: "openai-codex",
  test,
  expect,
  make: (server, key) => vendor({ OPENAI_BASE_URL: server.codexUrl, OPENAI_API_KEY: key }, "openai-codex"),
});

test("names the variable when the key is missing", async () => {
  const provider = vendor({});
  const run = collectEvents(provider.stream(provider.project(providerRequest()), AbortSignal.timeout(9000)));
  await expect(run).rejects.toMatchObject({
    diagnostic: { code: "provider-key-missing", fix: expect.stringContaining("OPENAI_API_KEY") },
    failure: { status: 401 },
  });
});

test.for(["127.0.0.1:1/v1", "localhost:1/v1", "ftp://x.example/v1"])(
  "refuses the base URL %s at once, as what no second attempt mends",
  async (url) => {
    const provider = vendor({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: url });
    const run = collectEvents(provider.stream(provider.project(providerRequest()), AbortSignal.timeout(9000)));
    await expect(run).rejects.toMatchObject({
      diagnostic: { code: "provider-url-invalid", message: expect.stringContaining(url) },
      failure: { status: 400 },
    });
  },
);

test("is available with a key", () => {
  const provider = vendor({});
  const places = [{ OPENAI_API_KEY: "k" }, { OPENAI_API_KEY: " " }, {}].map((set) => ({ env: envOf(set) }));
  expect(places.map((place) => provider.available?.(place))).toEqual([true, false, false]);
  expect(provider.secrets).toEqual(["OPENAI_API_KEY"]);
});

test("serves an endpoint of config, without a key if it wants none", async () => {
  const server = await startModelServer({ replies: ["hello"], models: ["small"] });
  try {
    const endpoint = { api: "openai-chat", base_url: `${server.openaiUrl}/chat/completions`, models: [], tools: true };
    const local = openaiSettings({ local: { ...endpoint, api: "openai-chat" } }, envOf({}), network).at(-1);
    if (local === undefined) throw new Error("no settings");
    const provider = openaiProvider(local, envOf({}));
    expect(await provider.models?.(AbortSignal.timeout(9000))).toEqual([{ id: "small" }]);
    const wire = provider.project(providerRequest({ cacheKey: "k" }));
    expect(wire.url).toBe(`${server.openaiUrl}/chat/completions`);
    const events = await collectEvents(provider.stream(wire, AbortSignal.timeout(9000)));
    expect(events.at(-1)).toEqual({ type: "end", stop: "end" });
    expect(provider.available?.({ env: envOf({}) })).toBe(false);
  } finally {
    await server.close();
  }
});

test("sends the cache key to the vendor alone", () => {
  const at = (url: string) => vendor({ OPENAI_BASE_URL: url }).project(providerRequest({ cacheKey: "k" })).body;
  expect(at("")).toMatchObject({ prompt_cache_key: "k" });
  expect(at("https://api.openai.com/v1/")).toMatchObject({ prompt_cache_key: "k" });
  expect(at("http://127.0.0.1:8080/v1")).not.toHaveProperty("prompt_cache_key");
});

test("speaks three APIs, the key chooses Responses", () => {
  const names = openaiSettings({}, envOf({}), network).map(({ name, api }) => [name, api]);
  expect(names).toEqual([
    ["openai", "openai-responses"],
    ["openai-chat", "openai-chat"],
    ["openai-codex", "openai-codex"],
  ]);
  expect(vendor({}, "openai").project(providerRequest()).url).toBe("https://api.openai.com/v1/responses");
  expect(names.map(([name]) => vendor({}, name).caps("gpt-5").contextRole)).toEqual([
    "developer",
    "system",
    "developer",
  ]);
});

test("names Chat Completions to whom a server has no Responses", async () => {
  const server = await startModelServer({ replies: [{ fault: { kind: "status", status: 404 } }] });
  try {
    const provider = vendor({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: "k" }, "openai");
    const run = collectEvents(provider.stream(provider.project(providerRequest()), AbortSignal.timeout(9000)));
    await expect(run).rejects.toMatchObject({
      diagnostic: { fix: expect.stringContaining("--model openai-chat/test-model") },
    });
  } finally {
    await server.close();
  }
});

test.for([
  { name: "openai-chat", rawStop: "content_filter", stop: "refusal" },
  { name: "openai-chat", rawStop: "length", stop: "length" },
  { name: "openai-chat", rawStop: "a_word_of_tomorrow", stop: "end" },
  { name: "openai", rawStop: "content_filter", stop: "refusal" },
  { name: "openai", rawStop: "max_output_tokens", stop: "length" },
])("$name says $stop for $rawStop", async ({ name, rawStop, stop }) => {
  const server = await startModelServer({ replies: [{ text: "So far.", rawStop }] });
  try {
    const provider = vendor({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: "k" }, name);
    const events = await collectEvents(provider.stream(provider.project(providerRequest()), AbortSignal.timeout(9000)));
    expect(events.at(-1)).toEqual({ type: "end", stop });
  } finally {
    await server.close();
  }
});

test("gives the vendor's encrypted reasoning back, over the wire", async () => {
  const reply = { thinking: "hm", text: "ok", toolCalls: [{ name: "read", args: {}, id: "c1" }] };
  const server = await startModelServer({ replies: [reply, "done"] });
  try {
    const provider = vendor({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: "k" }, "openai");
    const model = { provider: "openai", id: "gpt-5" };
    const first = provider.project(providerRequest({ model }));
    const events = await collectEvents(provider.stream(first, AbortSignal.timeout(9000)));
    const content = events.flatMap((event) => (event.type === "block" ? [event.block] : []));
    const messages = [userMessage("hi"), { id: "a", role: "assistant", content } as const];
    const second = provider.project(providerRequest({ model, messages }));
    await collectEvents(provider.stream(second, AbortSignal.timeout(9000)));
    expect(server.requests[1]?.body["input"]).toMatchObject([
      { role: "user" },
      { type: "reasoning", id: "rs_1", encrypted_content: "encrypted-of-rs_1", summary: [{ text: "hm" }] },
      { role: "assistant", content: "ok" },
      { type: "function_call", call_id: "c1" },
      { type: "function_call_output", call_id: "c1", output: "Error: interrupted" },
    ]);
  } finally {
    await server.close();
  }
});

test("gives up on a stream that is silent too long, and closes it", async () => {
  const server = await startModelServer({ replies: [{ text: "hello", fault: { kind: "stall", afterEvents: 3 } }] });
  try {
    const env = envOf({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: "k" });
    const [settings] = openaiSettings({}, env, createNetwork({ silence_ms: 80 }, env));
    if (settings === undefined) throw new Error("no settings");
    const wire = openaiProvider(settings, env).project(providerRequest());
    const run = collectEvents(streamAnswer(wire, settings, env, new AbortController().signal));
    await expect(run).rejects.toThrow("sent nothing for 0.08 s");
    await expect(server.requests[0]?.ended).resolves.toBe("cut");
  } finally {
    await server.close();
  }
});

test("declares no tools to a model or an endpoint without any", () => {
  const tools = [{ name: "read", description: "Reads.", input: { type: "object" } }];
  const body = (id: string) =>
    vendor({}, "openai-chat").project(providerRequest({ tools, model: { provider: "openai-chat", id } })).body;
  expect(body("gpt-5")).toHaveProperty("tools");
  expect(body("chatgpt-4o-latest")).not.toHaveProperty("tools");
});

test("gives up on an answer that does not begin, and says so", async () => {
  const dead = createServer(() => {});
  await new Promise<void>((resolve) => void dead.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(dead.address() as AddressInfo).port}`;
    const env = envOf({ OPENAI_BASE_URL: url, OPENAI_API_KEY: "test-key" });
    const [settings] = openaiSettings({}, env, createNetwork({ first_byte_ms: 60 }, env));
    if (settings === undefined) throw new Error("no settings");
    const provider = openaiProvider(settings, env);
    const run = collectEvents(provider.stream(provider.project(providerRequest()), AbortSignal.timeout(9000)));
    await expect(run).rejects.toMatchObject({
      diagnostic: { code: "provider-silent", message: "openai sent nothing for 0.06 s" },
    });
  } finally {
    dead.closeAllConnections();
    dead.close();
  }
});
