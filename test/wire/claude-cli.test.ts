import { expect, test } from "vitest";
import {
  collectEvents,
  createTestHost,
  oddToolNames,
  providerRequest,
  randomConversation,
  validateWire,
} from "@quire/testkit";
import { definePlugin } from "@quire/core";
import type { ProviderRequest } from "@quire/core";
import anthropic from "@quire/plugin-provider-anthropic";
import claudeCli from "@quire/plugin-provider-claude-cli";
import { projectForProgram } from "../../plugins/provider-claude-cli/project.js";
import { answerLines, standIn } from "../../plugins/provider-claude-cli/stand-in.fixture.js";
import { missingIn } from "./missing-marks.js";
import { anthropicMode } from "./wire-modes.js";

const models = ["claude-sonnet-5-5", "claude-opus-4-8", "claude-haiku-4-5", "sonnet"];
const base = anthropicMode("any").provider;
const bodyOf = (request: ProviderRequest) => projectForProgram(request, base, "exec:claude").body;

test("MG-60 every body that the program gets is one that Anthropic takes, with all that was said", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const id = models[seed % models.length] ?? "sonnet";
    const { request, marks } = randomConversation(seed, { model: { provider: "claude-cli", id }, maxMessages: 30 });
    const body = bodyOf(request);
    expect({ seed, wrong: validateWire("anthropic-messages", body) }).toEqual({ seed, wrong: [] });
    const said = marks.filter(({ kind }) => kind !== "thinking");
    const mode = { name: "claude-cli", provider: { ...base, name: "claude-cli" }, model: id, isJoined: false };
    expect({ seed, missing: missingIn(body, said, mode) }).toEqual({ seed, missing: [] });
  }
});

test("MG-64 no body holds thinking, whoever made it", () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const { request } = randomConversation(seed, { model: { provider: "claude-cli", id: "claude-sonnet-5-5" } });
    expect(JSON.stringify(bodyOf(request).messages)).not.toMatch(/"type":"(redacted_)?thinking"/);
  }
});

test("MG-60 leaves room for the program's own two cache marks", () => {
  const system = { text: "word ".repeat(20_000), regions: [] };
  const { messages, tools } = bodyOf(providerRequest({ model: { provider: "claude-cli", id: "sonnet" }, system }));
  expect(JSON.stringify([messages, tools]).match(/"cache_control"/g)?.length ?? 0).toBeLessThanOrEqual(2);
});

test("MG-61 odd names and arguments come back under their own, within the vendor's 64 characters", async () => {
  const tools = oddToolNames.map((name) => ({
    name,
    description: `Does ${name}.`,
    input: { type: "object", properties: { "filter[name]": {}, path: {} } },
  }));
  const request = providerRequest({ model: { provider: "claude-cli", id: "claude-sonnet-5-5" }, tools });
  const declared = bodyOf(request).tools.map(({ name }) => name);
  expect(declared.filter((name) => !/^mcp__quire__[A-Za-z0-9_-]{1,52}$/.test(name))).toEqual([]);
  const calls = declared.map((name, index) => ({
    type: "tool_use",
    id: `t${index}`,
    name,
    input: { filter_name_: index, path: "x" },
  }));
  const { provider } = await standIn(answerLines(calls, "tool_use"), { base });
  const events = await collectEvents(provider.stream(provider.project(request), AbortSignal.timeout(20_000)));
  expect(events.flatMap((event) => (event.type === "block" ? [event.block] : []))).toEqual(
    tools.map(({ name }, index) => ({
      type: "tool-call",
      id: `t${index}`,
      name,
      args: { "filter[name]": index, path: "x" },
    })),
  );
});

test("MG-62 the host runs the calls and asks again with the whole conversation", async () => {
  const calls = ["a", "b"].map((path) => ({
    type: "tool_use",
    id: `t-${path}`,
    name: "mcp__quire__look",
    input: { path },
  }));
  const program = await standIn(answerLines([{ type: "text", text: "Both." }, ...calls], "tool_use"));
  const last = await standIn(answerLines([{ type: "text", text: "Done." }]));
  const looked: unknown[] = [];
  const look = definePlugin({
    name: "look",
    apiVersion: 1,
    setup: (host) =>
      host.tools.register({
        name: "look/look",
        description: "Looks.",
        effect: "read",
        input: { type: "object", properties: { path: { type: "string" } } },
        execute: (args) => {
          looked.push(args);
          return `saw ${JSON.stringify(args)}`;
        },
      }),
  });
  const relay = definePlugin({
    name: "relay",
    apiVersion: 1,
    after: ["provider-claude-cli"],
    setup: (host) => {
      let requests = 0;
      host.providers.wrap("claude-cli", (own) => ({
        ...own,
        stream: (wire, signal) => {
          requests += 1;
          return (requests === 1 ? program : last).provider.stream(wire, signal);
        },
      }));
    },
  });
  const host = await createTestHost({
    plugins: [anthropic, claudeCli, relay, look],
    config: { model: "claude-cli/claude-sonnet-4-5", providers: {} },
    allowAll: true,
  });
  const { text } = await host.session.send("Look at both.", AbortSignal.timeout(20_000)).result;
  await host.dispose();
  expect(text).toBe("Done.");
  expect(looked).toEqual([{ path: "a" }, { path: "b" }]);
  const { env } = await last.given();
  expect(JSON.parse(env["CLAUDE_CODE_EXTRA_BODY"] ?? "null")).toMatchObject({
    messages: [
      { role: "user", content: [{ text: "Look at both." }] },
      { role: "assistant", content: [{ text: "Both." }, { name: "mcp__quire__look" }, { name: "mcp__quire__look" }] },
      {
        role: "user",
        content: [
          { tool_use_id: "t-a", content: [{ text: 'saw {"path":"a"}' }] },
          { tool_use_id: "t-b", content: [{ text: 'saw {"path":"b"}' }] },
        ],
      },
    ],
  });
});
