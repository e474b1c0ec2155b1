import { expect, test } from "vitest";
import { collectEvents, providerRequest, providerSuite, startModelServer } from "@quire/testkit";
import type { ModelServer } from "@quire/testkit";
import { openaiProvider } from "./provider.js";
import { openaiSettings } from "./settings.js";

function envOf(variables: Record<string, string>): (name: string) => string | undefined {
  return (name) => variables[name];
}

/** One of the vendor's three providers. */
function vendor(variables: Record<string, string>, name = "openai-chat") {
  const env = envOf(variables);
  const settings = openaiSettings({}, env).find((each) => each.name === name);
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
    const local = openaiSettings({ local: { ...endpoint, api: "openai-chat" } }, envOf({})).at(-1);
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
  const names = openaiSettings({}, envOf({})).map(({ name, api }) => [name, api]);
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
