import { expect, test } from "vitest";
import { definePlugin } from "./define-plugin.js";
import { createHost } from "./host.js";
import type { HostOptions, LoadedPlugin } from "./contracts/host.js";
import type { Config } from "./contracts/place.js";
import type { PluginDefinition } from "./contracts/plugin.js";
import type { ProviderSpec } from "./contracts/provider.js";
import type { TurnEvent } from "./contracts/turn.js";

const layout = definePlugin({
  name: "plain",
  apiVersion: 1,
  setup: (host) =>
    host.layouts.register({
      name: "quire",
      slots: [{ slot: "identity" }, { slot: "rules" }, { slot: "end" }],
      render: (section, p) => p.body(section),
    }),
});

/** A provider that first calls the tool `t` and then answers. */
const provider: ProviderSpec = {
  name: "fake",
  api: "fake",
  defaultModel: "one",
  available: () => true,
  caps: () => ({
    contextTokens: 1000,
    outputTokens: 100,
    images: false,
    contextRole: "user",
    cache: { ttlSeconds: 300, read: 0.1, write: 1.25 },
  }),
  project: (request) => ({ url: "", headers: {}, body: request }),
  async *stream(wire) {
    const { messages } = wire.body as { messages: readonly { role: string }[] };
    if (messages.at(-1)?.role === "tool") {
      yield { type: "text", delta: "do" };
      yield { type: "text", delta: "ne" };
      yield { type: "block", block: { type: "text", text: "done" } };
      yield { type: "end", stop: "end" };
      return;
    }
    yield { type: "block", block: { type: "tool-call", id: "c1", name: "look", args: { at: "x" } } };
    yield { type: "usage", usage: { input: 10, cacheRead: 0, cacheWrite: 0, output: 2 } };
    yield { type: "end", stop: "tools" };
  },
};

const main = definePlugin({
  name: "main",
  apiVersion: 1,
  setup(host) {
    host.providers.register(provider);
    host.sections.register({
      name: "main/who",
      slot: "identity",
      cache: "memoized",
      compute: () => "You are Q.",
    });
    host.sections.register({
      name: "main/mood",
      slot: "rules",
      cache: { volatile: "moods change every turn" },
      compute: () => "cheerful",
    });
    host.tools.register({
      name: "main/look",
      description: "Looks",
      effect: "read",
      input: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
      execute: (args) => `saw ${JSON.stringify(args)}`,
    });
  },
});

function options(
  plugins: readonly PluginDefinition[],
  more: Partial<HostOptions> = {},
): HostOptions & { records: Config[] } {
  const records: Config[] = [];
  return {
    records,
    plugins: plugins.map((plugin): LoadedPlugin => ({
      name: plugin.name,
      version: "1.0.0",
      hash: plugin.name,
      tier: "builtin",
      plugin,
    })),
    config: {},
    files: { read: async () => null, list: async () => null, stamp: async () => "absent" },
    log: {
      append: async (session, record) => void records.push({ session, ...record }),
      read: async function* (session) {
        yield* records.filter((record) => record["session"] === session);
      },
    },
    place: (cwd) => ({
      cwd,
      projectRoot: cwd,
      home: "/home/u",
      quireHome: "/home/u/.quire",
      trusted: false,
      env: () => undefined,
      platform: "linux (x64)",
      shell: "bash",
    }),
    frontMatter: (text) => ({ data: {}, body: text, bodyLine: 1 }),
    ...more,
  };
}

async function collect(turn: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

test("a turn runs tools until the model has none left to call, and everything is in the log first", async () => {
  const o = options([layout, main]);
  const host = await createHost(o);
  const session = await host.open({ cwd: "/repo" });
  const turn = session.send("hello", new AbortController().signal);
  const events = await collect(turn);
  const result = await turn.result;
  expect(result).toMatchObject({ text: "done", stop: "end", usage: { input: 10, output: 2 } });
  expect(session.messages.map((message) => message.role)).toEqual([
    "user",
    "context",
    "assistant",
    "tool",
    "assistant",
  ]);
  expect(events.flatMap((event) => (event.type === "text" ? [event.delta] : [])).join("")).toBe("done");
  expect(o.records[0]).toMatchObject({ type: "session", format: 1 });
  expect(o.records.map((record) => record["type"])).toContain("partial");
  const again = await createHost(o);
  const resumed = await again.open({ cwd: "/repo", resume: session.info.id });
  expect(resumed.messages).toEqual(session.messages);
});

test("a delta section is told once and again only when it changes", async () => {
  let mood = "calm";
  const moody = definePlugin({
    name: "moody",
    apiVersion: 1,
    setup: (host) =>
      host.sections.replace("main/mood", {
        cache: { volatile: "moods change every turn" },
        compute: () => mood,
      }),
  });
  const host = await createHost(options([layout, main, moody]));
  const session = await host.open({ cwd: "/repo" });
  const signal = new AbortController().signal;
  await session.send("1", signal).result;
  await session.send("2", signal).result;
  mood = "wild";
  await session.send("3", signal).result;
  const told = session.messages
    .filter((message) => message.role === "context")
    .flatMap((message) => message.context ?? []);
  expect(told.map((item) => [item.op, item.content])).toEqual([
    ["add", { kind: "text", text: "calm" }],
    ["replace", { kind: "text", text: "wild" }],
  ]);
});

test("a per-turn edit goes out with its turn and is taken back by the next", async () => {
  let isOn = true;
  const editor = definePlugin({
    name: "editor",
    apiVersion: 1,
    setup: (host) =>
      host.hooks.beforeAgentStart.tap((start) => {
        if (isOn) start.edits.append({ slot: "end" }, "Only today.");
        if (isOn) start.edits.replace("main/who", "You are R.", { bust: "a test of the price" });
      }),
  });
  const host = await createHost(options([layout, main, editor]));
  const session = await host.open({ cwd: "/repo" });
  const first = await session.prompt({ message: "x" });
  expect(first.text).toBe("You are R.");
  expect(first.context.map((item) => item.cause)).toEqual(["start", "turn"]);
  expect(first.edits.filter((edit) => edit.layer === "turn").map((edit) => edit.by.plugin)).toEqual([
    "editor",
    "editor",
  ]);
  await session.send("1", new AbortController().signal).result;
  isOn = false;
  const second = await session.prompt({ message: "y" });
  expect(second.text).toBe("You are Q.");
  expect(second.context.map((item) => item.cause)).toEqual(["turn-over"]);
});
