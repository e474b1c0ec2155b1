import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import {
  collectEvents,
  providerRequest,
  providerSuite,
  startModelServer,
  userMessage,
  validateWire,
} from "@quire/testkit";
import type { ModelServer, Reply } from "@quire/testkit";
import type { StreamEvent } from "@quire/core";
import { anthropicProvider } from "./provider.js";
import { createNetwork } from "./network/network.js";
import { anthropicSettings } from "./settings.js";
import { streamMessages } from "./stream.js";

const network = createNetwork({}, () => undefined);

function envOf(variables: Record<string, string>): (name: string) => string | undefined {
  return (name) => variables[name];
}

function make(server: ModelServer, key: string) {
  const env = envOf({ ANTHROPIC_BASE_URL: server.anthropicUrl, ANTHROPIC_API_KEY: key });
  const [settings] = anthropicSettings({}, env, network);
  if (settings === undefined) throw new Error("no settings");
  return anthropicProvider(settings, env);
}

providerSuite({ name: "anthropic", test, expect, make });

async function answered(reply: Reply, run: (server: ModelServer) => Promise<void>): Promise<void> {
  const server = await startModelServer({ replies: [reply], models: ["claude-a", "claude-b"] });
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

test("keeps the signature of thinking, and encrypted thinking, for the next request", async () => {
  await answered({ thinking: "hm", redactedThinking: "c2VjcmV0", text: "ok" }, async (server) => {
    const provider = make(server, "test-key");
    const events = await collectEvents(provider.stream(provider.project(providerRequest()), AbortSignal.timeout(9000)));
    const blocks = events.flatMap((event: StreamEvent) => (event.type === "block" ? [event.block] : []));
    const request = providerRequest({
      model: { provider: "anthropic", id: "claude-sonnet-5-5" },
      messages: [userMessage("go"), { id: "a", role: "assistant", content: blocks }, userMessage("on")],
    });
    expect(provider.project(request).body).toMatchObject({
      messages: [
        { role: "user" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "signature-of-1" },
            { type: "redacted_thinking", data: "c2VjcmV0" },
            { type: "text", text: "ok" },
          ],
        },
        { role: "user" },
      ],
    });
  });
});

test.for([
  { rawStop: "end_turn", stop: "end" },
  { rawStop: "stop_sequence", stop: "end" },
  { rawStop: "pause_turn", stop: "end" },
  { rawStop: "max_tokens", stop: "length" },
  { rawStop: "model_context_window_exceeded", stop: "length" },
  { rawStop: "refusal", stop: "refusal" },
  { rawStop: "a_word_of_tomorrow", stop: "end" },
])("says $stop for $rawStop", async ({ rawStop, stop }) => {
  await answered({ text: "So far.", rawStop }, async (server) => {
    const provider = make(server, "test-key");
    const events = await collectEvents(provider.stream(provider.project(providerRequest()), AbortSignal.timeout(9000)));
    expect(events.at(-1)).toEqual({ type: "end", stop });
  });
});

test("asks the vendor to drop thinking behind changed words, with the header that allows it", () => {
  const vendor = anthropicProvider(
    { name: "anthropic", baseUrl: "https://api.anthropic.com", models: [], network },
    envOf({}),
  );
  const thinking = { type: "thinking", text: "hm", signature: "s", provider: "anthropic" } as const;
  const messages = [
    userMessage("go"),
    { id: "a", role: "assistant", content: [thinking, { type: "text", text: "ok" }] } as const,
    userMessage("on"),
  ];
  const model = { provider: "anthropic", id: "claude-sonnet-5-5" };
  const wire = vendor.project(providerRequest({ model, messages }));
  expect(wire.headers).toEqual({ "anthropic-beta": "thinking-binding-controls-2026-08-01" });
  expect(validateWire("anthropic-messages", wire.body, wire.headers)).toEqual([]);
  expect(vendor.project(providerRequest({ model })).headers).toEqual({});
});

test("gives up on a stream that is silent too long, and closes it", async () => {
  await answered({ text: "hello", fault: { kind: "stall", afterEvents: 3 } }, async (server) => {
    const env = envOf({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "test-key" });
    const [settings] = anthropicSettings({}, env, createNetwork({ silence_ms: 80 }, env));
    if (settings === undefined) throw new Error("no settings");
    const wire = anthropicProvider(settings, env).project(providerRequest());
    const run = collectEvents(streamMessages(wire, settings, env, new AbortController().signal));
    await expect(run).rejects.toThrow("sent nothing for 0.08 s");
    await expect(server.requests[0]?.ended).resolves.toBe("cut");
  });
});

test("takes the time a slow stream needs", async () => {
  await answered({ text: "a slow answer", chunk: 1, delayMs: 30 }, async (server) => {
    const env = envOf({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "test-key" });
    const [settings] = anthropicSettings({}, env, createNetwork({ silence_ms: 200 }, env));
    if (settings === undefined) throw new Error("no settings");
    const wire = anthropicProvider(settings, env).project(providerRequest());
    const events = await collectEvents(streamMessages(wire, settings, env, new AbortController().signal));
    expect(events.at(-1)).toEqual({ type: "end", stop: "end" });
  });
});

test("names the variable when the key is missing", async () => {
  const env = envOf({});
  const [settings] = anthropicSettings({}, env, network);
  if (settings === undefined) throw new Error("no settings");
  const provider = anthropicProvider(settings, env);
  const run = collectEvents(provider.stream(provider.project(providerRequest()), AbortSignal.timeout(9000)));
  await expect(run).rejects.toMatchObject({
    diagnostic: { code: "provider-key-missing", fix: expect.stringContaining("ANTHROPIC_API_KEY") },
    failure: { status: 401 },
  });
});

test("is available with a key or a token, and with neither it is not", () => {
  const provider = anthropicProvider(
    { name: "anthropic", baseUrl: "x", apiKeyEnv: "A", authTokenEnv: "B", models: [], network },
    () => undefined,
  );
  expect([{ A: "k" }, { B: "t" }, { A: " " }, {}].map((set) => provider.available?.({ env: envOf(set) }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(provider.secrets).toEqual(["A", "B"]);
});

test("lists the endpoint's models, or those of config", async () => {
  await answered({}, async (server) => {
    const signal = AbortSignal.timeout(9000);
    expect(await make(server, "test-key").models?.(signal)).toEqual([{ id: "claude-a" }, { id: "claude-b" }]);
    const [, gateway] = anthropicSettings(
      { gateway: { api: "anthropic-messages", base_url: `${server.url}/v1/`, models: ["big"] } },
      envOf({}),
      network,
    );
    if (gateway === undefined) throw new Error("no settings");
    const provider = anthropicProvider(gateway, envOf({}));
    expect(await provider.models?.(signal)).toEqual([{ id: "big" }]);
    expect(provider).toMatchObject({ name: "gateway", defaultModel: "big" });
    expect(provider.project(providerRequest()).url).toBe(`${server.url}/v1/messages`);
  });
});

test("prints nothing of its own, not even for a model that is about to go", async () => {
  const warn = vi.spyOn(console, "warn");
  try {
    await answered({ text: "ok" }, async (server) => {
      const provider = make(server, "test-key");
      const request = providerRequest({ model: { provider: "anthropic", id: "claude-sonnet-5-5" } });
      await collectEvents(provider.stream(provider.project(request), AbortSignal.timeout(9000)));
      expect(server.requests[0]?.headers).toMatchObject({
        "anthropic-version": expect.stringMatching(/^20/),
        "x-api-key": "test-key",
      });
    });
    expect(warn).not.toHaveBeenCalled();
  } finally {
    warn.mockRestore();
  }
});

test("gives up on an answer that does not begin, and says so", async () => {
  const dead = createServer(() => {});
  await new Promise<void>((resolve) => void dead.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(dead.address() as AddressInfo).port}`;
    const env = envOf({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "test-key" });
    const [settings] = anthropicSettings({}, env, createNetwork({ first_byte_ms: 60 }, env));
    if (settings === undefined) throw new Error("no settings");
    const provider = anthropicProvider(settings, env);
    const run = collectEvents(provider.stream(provider.project(providerRequest()), AbortSignal.timeout(9000)));
    await expect(run).rejects.toMatchObject({
      diagnostic: { code: "provider-silent", message: "anthropic sent nothing for 0.06 s" },
    });
  } finally {
    dead.closeAllConnections();
    dead.close();
  }
});
