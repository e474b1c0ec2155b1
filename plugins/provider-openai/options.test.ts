import { expect, test } from "vitest";
import { openaiOptions } from "./options.js";

test("takes its own endpoints and leaves those of another api alone", () => {
  const gateway = {
    api: "openai-chat",
    base_url: "https://llm.example",
    api_key_env: "KEY",
    models: ["big"],
  };
  const { providers } = openaiOptions.parse({
    providers: { gateway, other: { api: "anthropic-messages", base_url: 3 } },
  });
  expect(providers).toEqual({ gateway: { ...gateway, tools: true } });
});

test.for([
  { entry: { base_url: "llm.example" }, path: ["providers", "gateway", "base_url"] },
  { entry: { base_url: "https://llm.example", api_key_env: "sk-1" }, path: ["providers", "gateway", "api_key_env"] },
  { entry: { base_url: "https://llm.example", models: "big" }, path: ["providers", "gateway", "models"] },
])("names the wrong key $path.2", ({ entry, path }) => {
  const raw = { providers: { gateway: { api: "openai-chat", ...entry } } };
  expect(openaiOptions.safeParse(raw).error?.issues.map((issue) => issue.path)).toEqual([path]);
});

test.for([null, {}, { api: 3 }])("asks for the api that an entry lacks: %j", (entry) => {
  const result = openaiOptions.safeParse({ providers: { gateway: entry } });
  expect(result.error?.issues[0]).toMatchObject({ path: ["providers", "gateway", "api"] });
});
