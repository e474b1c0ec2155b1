import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import { createTestHost, fakeProvider, providerRequest, userMessage } from "@quire/testkit";
import { wireModes } from "./wire-modes.js";

test.for(wireModes)("MG-53 the prompt is one system item, which $name maps when the request is made", (mode) => {
  const text = "You are Quire.\n\nBe kind.";
  const model = { provider: mode.provider.name, id: mode.model };
  const system = { text, regions: [] };
  const request = providerRequest({ model, system, messages: [userMessage("hi")] });
  const body = mode.provider.project(request).body as Record<string, unknown>;
  expect(JSON.stringify(body).split("You are Quire.")).toHaveLength(2);
  const places = {
    "anthropic-messages": () => body["system"],
    "openai-chat": () => (body["messages"] as object[])[0],
    "openai-responses": () => body["instructions"],
    "openai-codex": () => body["instructions"],
  };
  const place = places[mode.provider.api as keyof typeof places]();
  const wanted = {
    "anthropic-messages": [{ type: "text", text }],
    "openai-chat": { role: "system", content: text },
    "openai-responses": text,
    "openai-codex": text,
  };
  expect(place).toEqual(wanted[mode.provider.api as keyof typeof wanted]);
});

test("MG-53 stores no mapped prompt: the session file speaks of messages alone", async () => {
  const host = await createTestHost({ plugins: [rules("Be kind.")], provider: fakeProvider({ replies: () => "ok" }) });
  await host.session.send("hi", AbortSignal.timeout(9000)).result;
  const messages = host.records.filter(({ type }) => type === "message");
  expect(messages.length).toBeGreaterThan(1);
  expect(JSON.stringify(messages)).not.toMatch(/"role":"(system|developer)"|instructions/);
});

function rules(text: string) {
  return definePlugin({
    name: "rules",
    apiVersion: 1,
    setup: (host) =>
      host.sections.register({ name: "rules/text", slot: "rules", cache: "memoized", compute: () => text }),
  });
}

test("MG-66 four things make the cache identity: provider, model, system prompt, conversation", async () => {
  const keyOf = async (text: string, model: string, provider = "fake") => {
    const replies = fakeProvider({ replies: () => "ok", name: provider });
    const host = await createTestHost({ plugins: [rules(text)], provider: replies, config: { model } });
    await host.session.send("hi", AbortSignal.timeout(9000)).result;
    await host.session.send("more", AbortSignal.timeout(9000)).result;
    const [first, second] = replies.requests.map(({ cacheKey }) => cacheKey);
    // It holds for the conversation, which grows.
    expect(second).toBe(first);
    return { key: first, id: host.session.info.id };
  };
  const keys = [
    await keyOf("Be kind.", "fake/one"),
    await keyOf("Be brief.", "fake/one"),
    await keyOf("Be kind.", "fake/two"),
    await keyOf("Be kind.", "other/one", "other"),
    // Another conversation under the same prompt.
    await keyOf("Be kind.", "fake/one"),
  ].map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test("MG-66 gives that identity to the vendor that takes one", () => {
  for (const mode of wireModes) {
    const request = { cacheKey: "the-identity", model: { provider: mode.provider.name, id: mode.model } };
    const body = mode.provider.project(providerRequest(request)).body as Record<string, unknown>;
    const isTaken =
      mode.provider.api.startsWith("openai") && mode.provider.project(providerRequest()).url.includes("openai.com");
    expect(body["prompt_cache_key"]).toBe(isTaken ? "the-identity" : undefined);
  }
});
