import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startModelServer, type ModelServer, type Reply } from "@quire/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anthropicEnv, createMachine, openaiEnv, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
let server: ModelServer;
beforeEach(async () => {
  machine = createMachine({ "AGENTS.md": "Be kind.\nBe brief.\n", "hello.txt": "Hello.\n" });
  server = await startModelServer({ replies });
});
afterEach(async () => {
  await server.close();
  machine.remove();
});

/** Turn 1 reads a file; thinking, with its signature where the vendor signs it, is part of what goes back. */
const replies: readonly Reply[] = [
  { thinking: "I look.", text: "Let me look.", toolCalls: [{ name: "read", args: { path: "hello.txt" } }] },
  { text: "It says Hello." },
  { text: "Two." },
  { text: "Three." },
  { text: "Four." },
];

const pluginText = (words: string) => `export default { name: "own", apiVersion: 1, setup(host) {
  host.sections.register({ name: "own/part", slot: "session", cache: "memoized", compute: () => "${words}" });
  host.sections.register({ name: "own/tail", slot: "end",
    cache: { volatile: "time goes by at each turn", deliver: "tail" }, compute: () => "It is noon." });
} };\n`;

type Env = Readonly<Record<string, string>>;
const modes = [
  { mode: "anthropic-messages", model: "anthropic/claude-sonnet-4-5", envOf: anthropicEnv },
  { mode: "openai-chat", model: "openai-chat/gpt-5", envOf: openaiEnv },
  { mode: "openai-responses", model: "openai/gpt-5", envOf: openaiEnv },
] as const;

async function ask(env: Env, ...args: readonly string[]): Promise<string> {
  const run = await runAgent(machine, ["-p", "--output-format", "json", "--permission-mode", "full", ...args], { env });
  expect(run).toMatchObject({ code: 0 });
  return (JSON.parse(run.stdout) as { readonly session: string }).session;
}

/** Four requests in three turns; between the second and the third turn plugin and file change. */
async function talk(env: Env, model: string): Promise<string> {
  const plugin = machine.write("home/.quire/plugins/own.mjs", pluginText("OLD WORDS"));
  const session = await ask(env, "--model", model, "--no-section", "own/tail", "one");
  await ask(env, "--continue", "--no-section", "own/tail", "two");
  writeFileSync(plugin, pluginText("NEW WORDS"));
  machine.write("project/AGENTS.md", "Be kind.\nBe thorough.\n");
  await ask(env, "--continue", "three");
  return session;
}

test.for(modes)(
  "the body of each recorded request is rebuilt byte for byte in $mode, also after an upgrade",
  async ({ mode, model, envOf }) => {
    const env = envOf(server);
    await talk(env, model);
    const sent = server.requests.map(({ body }) => JSON.stringify(body));
    expect(sent).toHaveLength(4);
    const places = [
      ["1", "1"],
      ["1", "2"],
      ["2", "1"],
    ] as const;
    for (const [index, [turn, request]] of places.entries()) {
      const args = ["prompt", "--continue", "--turn", turn, "--request", request, "--wire", mode];
      const run = await runAgent(machine, args, { env });
      expect(run).toMatchObject({ code: 0, stderr: "" });
      expect(JSON.stringify(JSON.parse(run.stdout))).toBe(sent[index]);
    }
    expect(sent[2]).toContain("OLD WORDS");
    // A tail is never stored: what is left is the body without it.
    const last = await runAgent(machine, ["prompt", "--continue", "--turn", "3", "--wire", mode], { env });
    expect(last.stderr).toContain("a tail of 11 bytes");
    expect(sent[3]).toContain("It is noon.");
    expect(last.stdout).not.toContain("It is noon.");
    expect(last.stdout).toContain("NEW WORDS");
  },
);

test("prompt --turn prints text, map and account of what was sent then", async () => {
  const env = anthropicEnv(server);
  const session = await talk(env, "anthropic/claude-sonnet-4-5");
  const show = async (...args: readonly string[]) =>
    (await runAgent(machine, ["prompt", "--session", session.slice(0, -2), "--turn", "2", ...args], { env })).stdout;
  const text = await show();
  const system = server.requests[2]?.body["system"] as readonly { readonly text: string }[];
  expect(text.trimEnd()).toBe(
    system
      .map((block) => block.text)
      .join("")
      .trimEnd(),
  );
  expect(text).toContain("OLD WORDS");
  expect(await show("--map")).toMatch(/own\/part +\d+ +\d+ +memoized +own/);
  const document = JSON.parse(await show("--json")) as Record<string, unknown>;
  expect(document).toMatchObject({
    text: text.slice(0, -1),
    recorded: { session, turn: 2, request: 1, requests: 1, baseline: { cause: "start" }, tail: null },
    counts: { instruction_files: 1 },
  });
  const sections = document["sections"] as readonly { readonly name: string; readonly plugin: string }[];
  expect(sections.find(({ name }) => name === "own/part")).toMatchObject({ plugin: "own", cache: "memoized" });
  const third = JSON.parse(
    (await runAgent(machine, ["prompt", "--continue", "--turn", "3", "--json"], { env })).stdout,
  );
  expect(third).toMatchObject({
    context: expect.arrayContaining([
      expect.objectContaining({ section: "own/part", op: "replace", text: "NEW WORDS" }),
      expect.objectContaining({ section: "agents-md/files", op: "edit" }),
    ]) as unknown,
    recorded: { tail: { bytes: 11 } },
  });
});

test("prompt --diff shows what two turns' prompts do not share", async () => {
  const env = anthropicEnv(server);
  await talk(env, "anthropic/claude-sonnet-4-5");
  const warm = await runAgent(machine, ["prompt", "--continue", "--diff", "1,3"], { env });
  expect(warm).toMatchObject({ code: 0, stderr: "" });
  expect(warm.stdout).toContain("the prefix is the same");
  expect(warm.stdout).toMatch(/told in turn 3: own\/part, replace \(changed\)\n {2}NEW WORDS/);
  expect(warm.stdout).toContain("Be thorough.");
  await runAgent(machine, ["prompt", "rebase", "--continue"], { env });
  await ask(env, "--continue", "--tools", "read", "four");
  const anew = await runAgent(machine, ["prompt", "--continue", "--diff", "3,4"], { env });
  expect(anew.stdout).toContain("new baseline: rebase");
  expect(anew.stdout).toMatch(/section own\/part changed \(own\)\n- OLD WORDS\n\+ NEW WORDS\n/);
  expect(anew.stdout).toMatch(/tool bash removed/);
  const json = await runAgent(machine, ["prompt", "--continue", "--diff", "3,4", "--json"], { env });
  expect(JSON.parse(json.stdout)).toMatchObject({
    from: { turn: 3, baseline: { cause: "start" } },
    to: { turn: 4, baseline: { cause: "rebase" } },
    same_prefix: false,
  });
});

test("prompt rebase makes the next turn begin a prefix of its own, and tells nothing twice", async () => {
  const env = anthropicEnv(server);
  const session = await talk(env, "anthropic/claude-sonnet-4-5");
  const run = await runAgent(machine, ["prompt", "rebase", "--session", session, "--json"], { env });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ session });
  await ask(env, "--continue", "four");
  const system = JSON.stringify(server.requests.at(-1)?.body["system"]);
  expect(system).toContain("NEW WORDS");
  expect(system).toContain("Be thorough.");
  const log = readFileSync(join(machine.quireHome, "sessions", `${session}.jsonl`), "utf8");
  expect(log.match(/"type":"baseline"/g)).toHaveLength(2);
});

test("prompt --turn refuses a turn or request that is not there, and says what there is", async () => {
  const env = anthropicEnv(server);
  await ask(env, "--model", "anthropic/claude-sonnet-4-5", "one");
  const turn = await runAgent(machine, ["prompt", "--continue", "--turn", "9"], { env });
  expect(turn).toMatchObject({ code: 1, stdout: "" });
  expect(turn.stderr).toMatch(/\[turn-unknown\].*turn 9.*from 1 to 1/);
  const request = await runAgent(machine, ["prompt", "--continue", "--turn", "1", "--request", "5"], { env });
  expect(request).toMatchObject({ code: 1, stdout: "" });
  expect(request.stderr).toMatch(/\[request-unknown\].*request 5.*sent 2/);
});

test.for([
  { args: ["--turn", "one"], says: '--turn got "one"' },
  { args: ["--turn", "0"], says: '--turn got "0"' },
  { args: ["--request", "-1", "--turn", "1"], says: "--request" },
  { args: ["--diff", "3"], says: '--diff got "3"' },
  { args: ["--request", "2"], says: "Add --turn N" },
  { args: ["--turn", "1", "--diff", "1,2"], says: "Keep one of them" },
])("prompt $args is misuse", async ({ args, says }) => {
  const run = await runAgent(machine, ["prompt", "--continue", ...args]);
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toContain(says);
});

test("prompt --session alone shows the prompt of that session's next turn", async () => {
  const env = anthropicEnv(server);
  const session = await ask(env, "--model", "anthropic/claude-sonnet-4-5", "one");
  await ask(env, "--model", "anthropic/claude-sonnet-4-5", "another");
  const run = await runAgent(machine, ["prompt", "--session", session, "--wire", "anthropic-messages"], { env });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(run.stdout).toContain("It says Hello.");
});

test("a command about a stored session says how to name one", async () => {
  for (const args of [
    ["prompt", "--turn", "1"],
    ["prompt", "rebase"],
  ]) {
    const run = await runAgent(machine, args);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/\[session-missing\].*--session ID/);
  }
});
