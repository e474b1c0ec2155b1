import { expect, test } from "vitest";
import { collectEvents, providerRequest, providerSuite, startModelServer } from "@quire/testkit";
import type { ModelServer } from "@quire/testkit";
import { openaiChatProvider } from "./provider.js";
import { openaiSettings } from "./settings.js";

function envOf(variables: Record<string, string>): (name: string) => string | undefined {
  return (name) => variables[name];
}

function vendor(variables: Record<string, string>) {
  const env = envOf(variables);
  const [settings] = openaiSettings({}, env);
  if (settings === undefined) throw new Error("no settings");
  return openaiChatProvider(settings, env);
}

function make(server: ModelServer, key: string) {
  return vendor({ OPENAI_BASE_URL: server.openaiUrl, OPENAI_API_KEY: key });
}

providerSuite({ name: "openai-chat", test, expect, make });

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
    const [, local] = openaiSettings(
      { local: { api: "openai-chat", base_url: `${server.openaiUrl}/chat/completions`, models: [] } },
      envOf({}),
    );
    if (local === undefined) throw new Error("no settings");
    const provider = openaiChatProvider(local, envOf({}));
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
