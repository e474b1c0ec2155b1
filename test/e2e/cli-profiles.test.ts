import { join } from "node:path";
import { startModelServer, type ModelServer } from "@quire/testkit";
import type { PromptDocument } from "@quire/cli";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachine, openaiEnv, runAgent, type Machine } from "../support/agent.js";

const scout = `---
name: Scout
description: Looks before anybody leaps
tools: read, grep
model: openai-chat/tiny
---

Look around and report what you see.
`;

let machine: Machine;
let server: ModelServer | undefined;
beforeEach(() => {
  machine = createMachine({ "AGENTS.md": "Be kind.\n" });
  machine.write("home/.quire/agents/scout.md", scout);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  machine.remove();
});

async function documentOf(...args: readonly string[]): Promise<PromptDocument> {
  const run = await runAgent(machine, [...args, "prompt", "--json"]);
  expect(run.code).toBe(0);
  return JSON.parse(run.stdout) as PromptDocument;
}

test("agent list agents shows who there is; a project's need trust", async () => {
  machine.write("project/.quire/agents/mine.md", "Mine alone.\n");
  const list = await runAgent(machine, ["list", "agents"]);
  expect(list.code).toBe(0);
  expect(list.stdout).toMatch(/^scout\s+user\s+Looks before anybody leaps$/m);
  expect(list.stdout).not.toContain("mine");
  expect(list.stderr).toContain(".quire/agents holds profiles: mine");
  const { agents } = JSON.parse((await runAgent(machine, ["list", "agents", "--json", "--trust"])).stdout) as {
    agents: readonly Record<string, unknown>[];
  };
  expect(agents).toMatchObject([
    { id: "mine", name: "mine", scope: "project", kind: "any", tools: null },
    { id: "scout", name: "Scout", scope: "user", tools: ["read", "grep"], model: "openai-chat/tiny" },
  ]);
});

test("--agent opens the session with that profile: its text, its tools, its file as the source", async () => {
  const document = await documentOf("--agent", "scout");
  const section = document.sections.find(({ name }) => name === "user/profile");
  const file = join(machine.quireHome, "agents", "scout.md");
  expect(section).toMatchObject({ slot: "instructions", plugin: "user", cache: "memoized" });
  expect(section?.text).toContain("Look around and report what you see.");
  expect(section?.sources).toMatchObject([{ path: file, truncated: false }]);
  const bytes = Buffer.from(document.text);
  const [source] = section?.sources ?? [];
  expect(bytes.subarray(source?.start, source?.end).toString()).toBe("Look around and report what you see.");
  expect(document.tools.map(({ name }) => name)).toEqual(["grep", "read"]);
  const plain = await documentOf();
  expect(plain.sections.some(({ name }) => name === "user/profile")).toBe(false);
});

test("--child shows the prompt of a subagent of that profile, and not that of the main agent", async () => {
  const run = await runAgent(machine, ["prompt", "--child", "scout", "--json"]);
  expect(run.code).toBe(0);
  const document = JSON.parse(run.stdout) as PromptDocument;
  expect(document.text).toContain("Look around and report what you see.");
  const both = await runAgent(machine, ["prompt", "--child", "scout", "--agent", "scout"]);
  expect(both.code).toBe(2);
  expect(both.stderr).toContain("--agent and --child");
});

test("agent run answers once as that profile, with its model; piped text is added", async () => {
  server = await startModelServer({ replies: () => "All quiet." });
  const env = openaiEnv(server);
  const run = await runAgent(machine, ["run", "scout", "-m", "What is there?"], { env, input: "a listing" });
  expect(run.stdout).toContain("All quiet.");
  expect(run.code).toBe(0);
  const body = server.requests[0]?.body ?? {};
  expect(body["model"]).toBe("tiny");
  const messages = body["messages"] as readonly { role: string; content: unknown }[];
  expect(JSON.stringify(messages[0])).toContain("Look around and report");
  expect(JSON.stringify(messages.slice(1))).toContain("What is there?");
  expect(JSON.stringify(messages.slice(1))).toContain("a listing");
  const names = (body["tools"] as readonly { function: { name: string } }[]).map((tool) => tool.function.name);
  expect(names.sort()).toEqual(["grep", "read"]);
});

test("agent run prints JSON on request, once even when it fails", async () => {
  server = await startModelServer({ replies: () => "All quiet." });
  const good = await runAgent(machine, ["run", "scout", "-m", "hi", "--json"], { env: openaiEnv(server) });
  expect(JSON.parse(good.stdout)).toMatchObject({ text: "All quiet.", stop: "end" });
  const bad = await runAgent(machine, ["run", "scuot", "-m", "hi", "--json"]);
  expect(bad.code).toBe(2);
  expect(JSON.parse(bad.stdout)).toMatchObject({ error: { code: "profile-unknown" } });
  expect(bad.stderr).toContain('Did you mean "scout"?');
});

test("agent run without words says so in one line and fails as misused", async () => {
  const run = await runAgent(machine, ["run", "scout"]);
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(/^\[prompt-missing\] .*agent run PROFILE -m.*\n$/);
});

test("a profile's model is where agent config get says it is, and --model has the last word", async () => {
  const got = await runAgent(machine, ["config", "get", "model", "--agent", "scout", "--json"]);
  expect(JSON.parse(got.stdout)).toMatchObject({ value: "openai-chat/tiny" });
  expect(got.stdout).toContain(join(machine.quireHome, "agents", "scout.md"));
  const flagged = await runAgent(machine, ["config", "get", "model", "--agent", "scout", "--model", "a/b", "--json"]);
  expect(JSON.parse(flagged.stdout)).toMatchObject({ value: "a/b", from: "flag" });
});
