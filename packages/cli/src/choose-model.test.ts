import type { ProviderSpec } from "@quire/core";
import { expect, test } from "vitest";
import { chooseModel } from "./choose-model.js";

const provider = (name: string, key?: string): ProviderSpec => ({
  name,
  api: name,
  defaultModel: `${name}-1`,
  ...(key !== undefined && { secrets: [key] }),
  available: ({ env }) => key === undefined || (env(key) ?? "") !== "",
  caps: () => {
    throw new Error("not asked");
  },
  project: () => ({ url: "", headers: {}, body: null }),
  stream: async function* () {},
});
const providers = [provider("anthropic", "A_KEY"), provider("openai-chat", "O_KEY"), provider("rehearsal")];
const choose = (env: Readonly<Record<string, string>>) => chooseModel(providers, (name) => env[name]);

test("takes the first provider whose key is set, and says why", () => {
  expect(choose({ A_KEY: "x", O_KEY: "y" })?.model).toBe("anthropic/anthropic-1");
  expect(choose({ O_KEY: "y" })).toEqual({
    model: "openai-chat/openai-chat-1",
    announcement:
      "model openai-chat/openai-chat-1, because O_KEY is set; --model or `model:` in config chooses another",
  });
});

test("falls back in silence to the provider that needs no key", () => {
  expect(choose({ A_KEY: "" })).toEqual({ model: "rehearsal/rehearsal-1" });
});

test("chooses nothing when nothing is usable", () => {
  expect(chooseModel(providers.slice(0, 2), () => undefined)).toBeUndefined();
});
