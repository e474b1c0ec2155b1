import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadModels } from "./load-models.js";
import type { ModelPrice } from "./model-facts.js";
import { checkModels } from "./model-schema.js";
import shipped from "./models.json" with { type: "json" };

let home: string;
beforeEach(() => void (home = mkdtempSync(path.join(tmpdir(), "quire-models-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function table(yaml?: string) {
  if (yaml !== undefined) writeFileSync(path.join(home, "models.yaml"), yaml);
  return await loadModels(home);
}

test("the file that ships keeps its own rules: reads are cheaper than input, writes and long prompts are not", () => {
  const { value, problem } = checkModels(shipped);
  expect(problem).toBeUndefined();
  const { models = {}, sources = {} } = value ?? {};
  expect(Object.keys(models).length).toBeGreaterThan(30);
  for (const [name, { usd_per_million = [] }] of Object.entries(models)) {
    expect(sources).toHaveProperty(name.split("/")[0] ?? "");
    const prices = [usd_per_million].flat() as readonly ModelPrice[];
    expect(prices.length, name).toBeGreaterThan(0);
    for (const [index, { input, output, cache_read = 0, cache_write = input }] of prices.entries()) {
      expect(cache_read, name).toBeLessThan(input);
      expect(cache_write, name).toBeGreaterThanOrEqual(input);
      expect(output, name).toBeGreaterThan(input);
      expect(input, name).toBeGreaterThan(prices[index - 1]?.input ?? 0);
    }
  }
});

test.for([
  { id: "claude-sonnet-4-5", usd: { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 } },
  { id: "claude-sonnet-4-5-20250929", usd: { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 } },
  { id: "claude-3-5-haiku-latest", usd: { input: 0.8, cacheRead: 0.08, cacheWrite: 1, output: 4 } },
  { id: "claude-sonnet-4-5-thinking", usd: undefined },
  { id: "claude", usd: undefined },
])("anthropic/$id has the price $usd", async ({ id, usd }) => {
  const { models, diagnostics } = await table();
  expect(models.find("anthropic", id)?.usdPerMillion(1_000)).toEqual(usd);
  expect(diagnostics).toEqual([]);
});

test("a model has its price with its vendor alone, whichever API speaks to him", async () => {
  const { models } = await table();
  const price = models.find("openai", "gpt-5.4")?.usdPerMillion(10);
  expect(price).toMatchObject({ input: 2.5, cacheRead: 0.25, cacheWrite: 2.5 });
  expect(models.find("openai-chat", "gpt-5.4")?.usdPerMillion(10)).toEqual(price);
  // Paid by subscription.
  expect(models.find("openai-codex", "gpt-5.4")).toBeUndefined();
  expect(models.find("gateway", "gpt-5.4")).toBeUndefined();
});

test("a long prompt has the price of long prompts, and beyond what is known it has none", async () => {
  const { models } = await table();
  const haiku = models.find("anthropic", "claude-haiku-5-5");
  expect(haiku?.usdPerMillion(100_000)?.input).toBe(0.1);
  expect(haiku?.usdPerMillion(100_001)?.input).toBe(0.5);
  expect(models.find("openai", "gpt-5.5")?.usdPerMillion(300_000)).toBeUndefined();
});

test("the user's models.yaml adds models and overrides what ships", async () => {
  const { models, diagnostics } = await table(`
priced_as: { gateway: anthropic }
models:
  anthropic/claude-sonnet-4-5: { usd_per_million: { input: 1, output: 2 } }
  mine/big:
    context_tokens: 5000
    usd_per_million: { input: 0, output: 0 }
`);
  expect(diagnostics).toEqual([]);
  expect(models.find("anthropic", "claude-sonnet-4-5")?.usdPerMillion(1)).toEqual({
    input: 1,
    cacheRead: 1,
    cacheWrite: 1,
    output: 2,
  });
  expect(models.find("gateway", "claude-sonnet-4-5")?.usdPerMillion(1)?.input).toBe(1);
  expect(models.find("mine", "big")).toMatchObject({ contextTokens: 5000 });
  expect(models.find("anthropic", "claude-haiku-4-5")?.usdPerMillion(1)?.input).toBe(1);
});

test.for([
  {
    name: "a misspelt key",
    yaml: "models:\n  a/b:\n    usd_per_milion: { input: 1, output: 1 }\n",
    line: 2,
    says: "usd_per_milion",
  },
  { name: "a name without a provider", yaml: "models:\n  big: {}\n", line: 2, says: "models.big" },
  {
    name: "a price that is no number",
    yaml: "models:\n  a/b: { usd_per_million: { input: x, output: 1 } }\n",
    line: 2,
    says: "",
  },
  { name: "what is no YAML", yaml: "models: [\n", line: 1, says: "YAML" },
])("$name in models.yaml is told with its line, and what ships still counts", async ({ yaml, line, says }) => {
  const { models, diagnostics } = await table(yaml);
  const [found] = diagnostics;
  expect(found).toMatchObject({
    code: "models-invalid",
    level: "warn",
    at: { file: path.join(home, "models.yaml"), line },
  });
  expect(found?.message).toContain(says);
  expect(models.find("anthropic", "claude-haiku-4-5")).toBeDefined();
});

test("limits are the model's, whoever serves it, and a price of the user leaves them as they are", async () => {
  const { models } = await table(`
models:
  anthropic/claude-sonnet-5-5: { usd_per_million: { input: 1, output: 2 } }
  openrouter/anthropic/claude-sonnet-5-5: { context_tokens: 7000 }
  local/qwen3: { context_tokens: 8192, output_tokens: 2048, images: false, tools: false }
`);
  const known = { contextTokens: 1_000_000, outputTokens: 128_000 };
  expect(models.limits("anthropic", "claude-sonnet-5-5")).toEqual(known);
  expect(models.limits("gateway", "claude-sonnet-5-5-20260901")).toEqual(known);
  expect(models.limits("router", "anthropic/claude-haiku-4-5")).toEqual({
    contextTokens: 200_000,
    outputTokens: 64_000,
  });
  expect(models.limits("openrouter", "anthropic/claude-sonnet-5-5")).toEqual({ ...known, contextTokens: 7000 });
  const qwen = { contextTokens: 8192, outputTokens: 2048, images: false, tools: false };
  expect(models.limits("local", "qwen3")).toEqual(qwen);
  expect(models.limits("local", "qwen4")).toBeUndefined();
  expect(models.idsOf("local")).toEqual(["qwen3"]);
});

test("short names stand for models, and the user's go before those that ship", async () => {
  const { models } = await table("aliases: { haiku: local/qwen3, fast: openai/gpt-5 }\n");
  expect(models.aliases).toMatchObject({ haiku: "local/qwen3", fast: "openai/gpt-5" });
  expect(models.aliases["sonnet"]).toMatch(/^anthropic\/claude-sonnet-/);
  const { models: shippedOnly } = await table("models: {}\n");
  for (const name of Object.values(shippedOnly.aliases)) {
    const [provider = "", id = ""] = name.split("/");
    expect(shippedOnly.find(provider, id), name).toBeDefined();
  }
});
