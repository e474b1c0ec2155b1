import { definePlugin } from "@quire/core";
import type { KeyValue, SessionInfo } from "@quire/core";
import { createTestHost, fakeProvider } from "@quire/testkit";
import { expect, test } from "vitest";
import permissions from "./index.js";
import { createSessionModes } from "./modes.js";

/** A shell that runs nothing, and a tool that lets a subagent use it. */
const shell = definePlugin({
  name: "tools-shell",
  apiVersion: 1,
  setup(host) {
    host.tools.register({
      name: "tools-shell/bash",
      description: "Runs a command.",
      effect: "run",
      input: { type: "object" },
      execute: () => "it ran",
    });
    host.tools.register({
      name: "tools-shell/delegate",
      description: "Starts a subagent.",
      effect: "read",
      input: { type: "object" },
      execute: async (_args, context) =>
        (await host.turns.start({ prompt: "do it", parent: context, persist: false }, context.signal).result).text,
    });
  },
});

const call = (name: string) => ({ toolCalls: [{ name, args: {} }] });

test("the user's command changes what runs at once, and the model is told once", async () => {
  const provider = fakeProvider({ replies: [call("bash"), "no", call("bash"), "yes", "still"] });
  const host = await createTestHost({ plugins: [shell, permissions], provider });
  const send = async (text: string) => await host.session.send(text, AbortSignal.timeout(20_000)).result;
  await send("go");
  await send("/permissions full");
  await send("go");
  await send("go on");
  const results = host.session.messages.flatMap(({ content }) => content.filter(({ type }) => type === "tool-result"));
  expect(results).toMatchObject([{ isError: true }, { isError: false, content: [{ text: "it ran" }] }]);
  const told = host.session.messages.flatMap(({ context = [] }) => context);
  expect(told.map(({ section, content }) => [section, JSON.stringify(content).slice(24, 45)])).toEqual([
    ["permissions/policy", expect.stringContaining("mode: ask")],
    ["permissions/policy", expect.stringContaining("mode: full")],
  ]);
  expect(new Set(provider.requests.map(({ system }) => system.text)).size).toBe(1);
  expect(host.diagnostics).toContainEqual(
    expect.objectContaining({ code: "permission-mode", message: expect.stringContaining('now "full"; it was "ask"') }),
  );
});

test("a mode nobody knows is refused with those there are, and costs no request", async () => {
  const provider = fakeProvider({ replies: [] });
  const host = await createTestHost({ plugins: [permissions], provider, strict: false });
  const { stop, error } = await host.session.send("/permissions all", AbortSignal.timeout(20_000)).result;
  expect(stop).toBe("error");
  expect(error).toMatchObject({ code: "permission-mode-unknown", fix: "Choose one of: ask, edit, plan, full" });
  expect(provider.requests).toEqual([]);
});

test("a subagent has no more permission than the session that started it", async () => {
  const replies = [call("delegate"), call("bash"), "refused?", "done"];
  const provider = fakeProvider({ replies });
  const config = { permissions: { mode: "full" } };
  const host = await createTestHost({ plugins: [shell, permissions], provider, config });
  const send = async (text: string) => await host.session.send(text, AbortSignal.timeout(20_000)).result;
  await send("/permissions plan");
  await send("go");
  const ofSubagent = provider.requests[2]?.messages.at(-1);
  expect(JSON.stringify(ofSubagent)).toContain('in mode \\"plan\\" nothing runs but reading');
});

test("a chosen mode is there again after a resume, unless config or a flag say something new", async () => {
  const values = new Map<string, unknown>();
  const cell: KeyValue = {
    get: (key) => Promise.resolve(values.get(key)),
    set: (key, value) => Promise.resolve(void values.set(key, value)),
  };
  const store = { user: cell, session: () => cell };
  const session: SessionInfo = { id: "s", interactive: false, depth: 0 };
  await createSessionModes(store, "ask").set(session, "edit");
  expect(await createSessionModes(store, "ask").of(session)).toBe("edit");
  expect(await createSessionModes(store, "plan").of(session)).toBe("plan");
  values.set("mode", { mode: "anything" });
  expect(await createSessionModes(store, "ask").of(session)).toBe("ask");
});

test("of several sessions the strictest counts for a subagent", async () => {
  const cell = (): KeyValue => ({ get: () => Promise.resolve(undefined), set: () => Promise.resolve() });
  const modes = createSessionModes({ user: cell(), session: cell }, "edit");
  const info = (id: string, depth = 0): SessionInfo => ({ id, interactive: false, depth });
  modes.open(info("a"));
  modes.open(info("b"));
  modes.open(info("c", 1));
  await modes.set(info("a"), "full");
  await modes.set(info("b"), "ask");
  expect(await modes.of(info("c", 1))).toBe("ask");
  modes.close(info("b"));
  expect(await modes.of(info("c", 1))).toBe("full");
});
