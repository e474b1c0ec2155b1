import { expect, test } from "vitest";
import { anthropicOptions } from "./options.js";

test("takes its own endpoints and leaves those of another api alone", () => {
  const gateway = {
    api: "anthropic-messages",
    base_url: "https://llm.example",
    api_key_env: "KEY",
    models: ["big"],
  };
  const { providers } = anthropicOptions.parse({
    providers: { gateway, other: { api: "openai-chat", base_url: 3 }, odd: null },
  });
  expect(providers).toEqual({ gateway });
});

test.for([
  { entry: { base_url: "llm.example" }, path: ["providers", "gateway", "base_url"] },
  { entry: { base_url: "https://x", api_key_env: "sk-1" }, path: ["providers", "gateway", "api_key_env"] },
  { entry: { base_url: "https://x", models: "big" }, path: ["providers", "gateway", "models"] },
])("names the wrong key $path.2", ({ entry, path }) => {
  const raw = { providers: { gateway: { api: "anthropic-messages", ...entry } } };
  expect(anthropicOptions.safeParse(raw).error?.issues.map((issue) => issue.path)).toEqual([path]);
});
