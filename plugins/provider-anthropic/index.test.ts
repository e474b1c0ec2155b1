import { expect, test } from "vitest";
import { createTestHost, providerRequest, startModelServer, userMessage } from "@quire/testkit";
import plugin from "./index.js";

test("registers the vendor and the endpoints of config, and hides their keys", async () => {
  const host = await createTestHost({
    plugins: [plugin],
    config: {
      model: "fake",
      providers: {
        gateway: {
          api: "anthropic-messages",
          base_url: "https://llm.example",
          api_key_env: "GATEWAY_KEY",
          models: ["big"],
        },
        another: { api: "openai-chat", base_url: "https://llm.example" },
      },
    },
    environment: { GATEWAY_KEY: "k", COLOR: "blue" },
  });
  expect(host.providers.map(({ name, api }) => [name, api])).toEqual([
    ["anthropic", "anthropic-messages"],
    ["gateway", "anthropic-messages"],
    ["fake", "fake"],
  ]);
  expect(host.providers.flatMap(({ secrets = [] }) => secrets)).toContain("GATEWAY_KEY");
});

test("runs a turn at an endpoint of config", async () => {
  const server = await startModelServer({ replies: ["Hello from the gateway."] });
  try {
    const host = await createTestHost({
      plugins: [plugin],
      config: {
        model: "gateway",
        providers: { gateway: { api: "anthropic-messages", base_url: server.anthropicUrl, models: ["big"] } },
      },
    });
    const { text, usage } = await host.session.send("hi", AbortSignal.timeout(9000)).result;
    expect(text).toBe("Hello from the gateway.");
    expect(usage.output).toBeGreaterThan(0);
    expect(server.requests[0]?.body).toMatchObject({ model: "big", stream: true });
  } finally {
    await server.close();
  }
});

test("names the broken entry of config", async () => {
  const config = { model: "fake", providers: { gateway: { api: "anthropic-messages", base_url: "llm.example" } } };
  const host = await createTestHost({ plugins: [plugin], config, strict: false });
  expect(host.diagnostics).toMatchObject([
    { code: "options-invalid", message: expect.stringContaining("providers.gateway.base_url: must begin with http") },
  ]);
});

test("MG-65 joins late system texts to the head when its option says so", async () => {
  const options = { late_system: "joined" };
  const config = { model: "fake", plugins: { "provider-anthropic": { options } } };
  const host = await createTestHost({ plugins: [plugin], config });
  const context = { id: "c", role: "context", content: [{ type: "text", text: "Mode is plan." }] } as const;
  const request = providerRequest({ messages: [userMessage("hi"), context] });
  expect(host.providers.find(({ name }) => name === "anthropic")?.project(request).body).toMatchObject({
    system: [{ text: "You are a test.\n" }, { text: "\nMode is plan." }],
    messages: [{ role: "user", content: [{ text: "hi" }] }],
  });
});
