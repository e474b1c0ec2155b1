import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startModelServer, type ModelServer } from "@quire/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anthropicEnv, createMachine, openaiEnv, runAgent, startAgent, type Machine } from "../support/agent.js";

let machine: Machine;
let server: ModelServer;
beforeEach(() => {
  machine = createMachine({ "README.md": "# A project\n" });
});
afterEach(async () => {
  await server.close();
  machine.remove();
});

async function ask(
  args: readonly string[],
  env = anthropicEnv(server),
): Promise<{ session: string; text: string; stderr: string }> {
  const run = await runAgent(machine, ["-p", "--output-format", "json", ...args], { env });
  expect(run.code).toBe(0);
  return { ...(JSON.parse(run.stdout) as { session: string; text: string }), stderr: run.stderr };
}

const lastBody = () => JSON.stringify(server.requests.at(-1)?.body);

test("goes on with the newest session of the project, or begins one and says so", async () => {
  server = await startModelServer({ replies: ["one", "two", "three"] });
  const first = await ask(["--continue", "apples"]);
  expect(first.stderr).toContain("no session");
  const second = await ask(["--continue", "pears"]);
  expect(second.session).toBe(first.session);
  expect(second.stderr).not.toContain("no session");
  expect(lastBody()).toContain("apples");
  const other = createMachine();
  const elsewhere = await runAgent({ ...machine, project: other.project }, ["-p", "--continue", "plums"], {
    env: anthropicEnv(server),
  });
  other.remove();
  expect(elsewhere.stderr).toContain("no session");
  expect(lastBody()).not.toContain("apples");
});

test("resumes by the beginning of an id and forks into a copy", async () => {
  server = await startModelServer({ replies: ["one", "two", "three"] });
  const first = await ask(["apples"]);
  const resumed = await ask(["--resume", first.session.slice(0, -2), "pears"]);
  expect(resumed.session).toBe(first.session);
  const forked = await ask(["--fork", first.session, "plums"]);
  expect(forked.session).not.toBe(first.session);
  expect(lastBody()).toMatch(/apples.*pears.*plums/);
  const file = (id: string) => readFileSync(join(machine.quireHome, "sessions", `${id}.jsonl`), "utf8");
  expect(file(first.session)).not.toContain("plums");
  expect(file(forked.session)).toContain("apples");
});

test("goes on with the model of the session", async () => {
  server = await startModelServer({ replies: ["one", "two"] });
  const env = { ...anthropicEnv(server), ...openaiEnv(server) };
  await ask(["--model", "openai-chat/gpt-small", "apples"], env);
  await ask(["--continue", "pears"], env);
  expect(server.requests.map(({ path, body }) => [path, body["model"]])).toEqual([
    ["/v1/chat/completions", "gpt-small"],
    ["/v1/chat/completions", "gpt-small"],
  ]);
});

test("forks a session that another process has, and says so", async () => {
  server = await startModelServer({
    replies: ["one", { text: "stalled", fault: { kind: "stall", afterEvents: 2 } }, "three", "four"],
  });
  const first = await ask(["apples"]);
  const busy = startAgent(machine, ["-p", "--continue", "pears"], { env: anthropicEnv(server) });
  while (server.requests.length < 2) await sleep(20);
  const second = await ask(["--continue", "plums"]);
  expect(second.session).not.toBe(first.session);
  expect(second.stderr).toContain(`${first.session} is open in another process`);
  expect(lastBody()).toContain("apples");
  const forked = await ask(["--fork", first.session, "cherries"]);
  expect(forked.stderr).not.toContain("another process");
  busy.process.kill("SIGINT");
  expect(await busy.exit).toBe(130);
});

test("lists, shows, exports and forks what is stored", async () => {
  server = await startModelServer({
    replies: [
      { text: "Let me look.", toolCalls: [{ name: "read", args: { path: "README.md" } }] },
      "It says: a project.",
    ],
  });
  const { session } = await ask(["what is this?"]);
  const list = await runAgent(machine, ["session", "list"]);
  expect(list.stdout).toMatch(new RegExp(`^${session} .*1 turn .*what is this\\?$`, "m"));
  const json = JSON.parse((await runAgent(machine, ["session", "list", "--json"])).stdout) as object;
  expect(json).toMatchObject({ sessions: [{ id: session, turns: 1, title: "what is this?" }] });
  const show = await runAgent(machine, ["session", "show", session]);
  expect(show.stdout).toMatch(/user\nwhat is this\?\n[^]*> read path=README.md[^]*It says: a project\.\n/);
  const exported = await runAgent(machine, ["session", "export", session]);
  const records = exported.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(records[0]).toMatchObject({ type: "session", id: session, format: 1 });
  const fork = await runAgent(machine, ["session", "fork", session]);
  const copy = fork.stdout.trim();
  expect(copy).not.toBe(session);
  expect(readdirSync(join(machine.quireHome, "sessions"))).toContain(`${copy}.jsonl`);
  const parents = JSON.parse((await runAgent(machine, ["session", "list", "--json"])).stdout) as object;
  expect(parents).toMatchObject({
    sessions: expect.arrayContaining([expect.objectContaining({ id: copy, parent: session })]),
  });
});

test("looks at a session without storing or taking anything", async () => {
  server = await startModelServer({ replies: ["one"] });
  const { session } = await ask(["apples"]);
  const before = readdirSync(join(machine.quireHome, "sessions"));
  const run = await runAgent(
    machine,
    ["prompt", "--resume", session, "--wire", "anthropic-messages", "--message", "next"],
    {
      env: anthropicEnv(server),
    },
  );
  expect(run.stdout).toMatch(/apples[^]*one[^]*next/);
  expect(readdirSync(join(machine.quireHome, "sessions"))).toEqual(before);
});
