import { expect, onTestFinished, test } from "vitest";
import type { Diagnostic } from "@quire/core";
import { anthropicEnv, openaiEnv } from "../support/agent.js";
import { scoreLog } from "./support/cache-score.js";
import { playSession, type SessionOptions, type Vendor } from "./support/thirty-turns.js";

const anthropic: Vendor = { name: "anthropic", args: ["--model", "anthropic/claude-sonnet-4-5"], env: anthropicEnv };
const chat: Vendor = { name: "openai-chat", args: ["--model", "openai-chat/gpt-5"], env: openaiEnv };

/** Nine turns: score, and what was said of the cache. */
async function play(options: Omit<SessionOptions, "turns">) {
  const played = await playSession({ ...options, turns: 9 });
  onTestFinished(() => played.remove());
  const found = played.lines.flatMap(({ type, diagnostic }) =>
    type === "diagnostic" ? [diagnostic as Diagnostic] : [],
  );
  const { score, totals } = scoreLog(played.log);
  return { score, busts: totals.busts, found: found.filter(({ code }) => code.startsWith("cache-")) };
}

const rebuilt = "prompt: { prefix: rebuilt }\n";
const clockTap = `host.hooks.beforeProviderRequest.tap((request) => {
  return { ...request, system: { ...request.system, text: "It is " + process.hrtime.bigint() + ".\\n" + request.system.text } };
});`;
const shuffleTap = `let turned = 0;
host.hooks.beforeProviderRequest.tap((request) => {
  turned += 1;
  const at = turned % request.tools.length;
  return { ...request, tools: [...request.tools.slice(at), ...request.tools.slice(0, at)] };
});`;
const forgetTap = `host.hooks.beforeProviderRequest.tap((request) => {
  const shorten = (message) => message.role !== "tool" ? message : { ...message, content: message.content.map((result) =>
    ({ ...result, content: [{ type: "text", text: "(read a while ago)" }] })) };
  return { ...request, messages: request.messages.map((message, index) =>
    index < request.messages.length - 4 ? shorten(message) : message) };
});`;
const clockSection = (cache: string) => `host.sections.register({
  name: "weather/clock", slot: "identity", scope: "session", cache: ${cache},
  key: () => String(process.hrtime.bigint()), compute: () => "It is " + process.hrtime.bigint() + ".",
});`;

test.for([anthropic, chat])("the whole claim holds for these nine turns too, through $name", async (vendor) => {
  const { score, busts, found } = await play({ vendor });
  expect(score).toBeGreaterThanOrEqual(0.99);
  expect(busts).toBe(0);
  expect(found).toEqual([]);
});

/** What is taken away, how low the score falls at least, and what the host says of it. */
const removals = [
  {
    name: "a prefix that is rebuilt",
    options: { config: rebuilt },
    below: 0.95,
    says: { code: "cache-break", section: "agents-md/files", plugin: "agents-md" },
  },
  {
    name: "a clock in a rebuilt prefix",
    options: { config: rebuilt, more: clockSection('"memoized"') },
    below: 0.5,
    says: { code: "cache-break", section: "weather/clock", plugin: "weather" },
  },
  {
    name: "a clock in a volatile prefix",
    options: { more: clockSection('{ volatile: "the time goes on", deliver: "prefix" }') },
    below: 0.5,
    says: { code: "cache-break", section: "weather/clock", plugin: "weather" },
  },
  {
    name: "a clock from a tap",
    options: { more: clockTap },
    below: 0.5,
    says: { code: "cache-bust", plugin: "weather" },
  },
  {
    name: "tools in another order each time",
    options: { more: shuffleTap },
    below: 0.5,
    says: { code: "cache-bust", plugin: "weather" },
  },
  {
    name: "old results that a tap rewrites",
    options: { more: forgetTap },
    below: 0.95,
    says: { code: "cache-bust", plugin: "weather" },
  },
] as const;

for (const vendor of [anthropic, chat]) {
  test.for(removals)(
    `${vendor.name}: $name costs the score, and the culprit is named`,
    async ({ options, below, says }) => {
      const { score, busts, found } = await play({ vendor, ...options });
      expect(score).toBeLessThan(below);
      expect(busts).toBeGreaterThan(0);
      expect(found).toContainEqual(expect.objectContaining(says));
    },
  );
}

test("a clock in a memoized section costs nothing while the prefix is frozen: it is told, a line at a time", async () => {
  const { score, busts } = await play({ vendor: anthropic, more: clockSection('"memoized"') });
  expect(busts).toBe(0);
  expect(score).toBeGreaterThanOrEqual(0.99);
});
