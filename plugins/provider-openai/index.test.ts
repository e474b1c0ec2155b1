import { expect, test } from "vitest";
import { createTestHost, providerRequest, startModelServer, userMessage } from "@quire/testkit";
import plugin from "./index.js";

test("registers the vendor and the endpoints of config, and hides their keys", async () => {
  const host = await createTestHost({
    plugins: [plugin],
    config: {
      model: "fake",
      providers: {
        gateway: { api: "openai-chat", base_url: "https://llm.example", api_key_env: "GATEWAY_KEY", models: ["big"] },
        another: { api: "anthropic-messages", base_url: "https://llm.example" },
      },
    },
    environment: { GATEWAY_KEY: "k", COLOR: "blue" },
  });
  expect(host.providers.map(({ name, api }) => [name, api])).toEqual([
    ["openai", "openai-responses"],
    ["openai-chat", "openai-chat"],
    ["openai-codex", "openai-codex"],
    ["gateway", "openai-chat"],
    ["local", "openai-chat"],
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
        providers: { gateway: { api: "openai-chat", base_url: server.openaiUrl, models: ["big"] } },
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
  const config = { model: "fake", providers: { gateway: { api: "openai-chat", base_url: "llm.example" } } };
  const host = await createTestHost({ plugins: [plugin], config, strict: false });
  expect(host.diagnostics).toMatchObject([
    { code: "options-invalid", message: expect.stringContaining("providers.gateway.base_url: must begin with http") },
  ]);
});

test("MG-67 joins late system texts to the instructions when its option says so", async () => {
  const options = { late_system: "joined" };
  const config = { model: "fake", plugins: { "provider-openai": { options } } };
  const host = await createTestHost({ plugins: [plugin], config });
  const context = { id: "c", role: "context", content: [{ type: "text", text: "Mode is plan." }] } as const;
  const request = providerRequest({ messages: [userMessage("hi"), context] });
  for (const name of ["openai", "openai-codex"]) {
    const body = host.providers.find((provider) => provider.name === name)?.project(request).body;
    expect(body).toMatchObject({ instructions: "You are a test.\n\nMode is plan.", input: [{ role: "user" }] });
  }
  const wrong = { ...config, plugins: { "provider-openai": { options: { late_system: "somewhere" } } } };
  const broken = await createTestHost({ plugins: [plugin], config: wrong, strict: false });
  expect(broken.diagnostics).toMatchObject([{ code: "options-invalid" }]);
});
