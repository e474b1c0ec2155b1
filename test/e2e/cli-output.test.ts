import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { startModelServer, type ModelServer } from "@quire/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentBin, anthropicEnv, createMachine, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
let server: ModelServer;
beforeEach(() => {
  machine = createMachine({ "README.md": "# A project\n" });
});
afterEach(async () => {
  await server.close();
  machine.remove();
});

const jsonLines = (text: string): readonly Record<string, unknown>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const reading = [
  { text: "Let me look.", toolCalls: [{ name: "read", args: { path: "README.md" } }] },
  { text: "Seen." },
];

test("text: the answer on standard output, calls and findings on standard error", async () => {
  server = await startModelServer({ replies: reading });
  const run = await runAgent(machine, ["-p", "--model", "anthropic", "look"], { env: anthropicEnv(server) });
  expect(run).toMatchObject({ code: 0, stdout: "Seen.\n" });
  expect(run.stderr).toMatch(/Let me look\.\n> read path=README\.md/);
});

test("text: an answer that breaks off and is begun anew stands whole on standard output", async () => {
  server = await startModelServer({
    replies: [
      { text: "The first half of an answer.", chunk: 6, fault: { kind: "reset", afterEvents: 5 } },
      { text: "The whole answer." },
    ],
  });
  const run = await runAgent(machine, ["-p", "hi"], { env: anthropicEnv(server) });
  expect(run).toMatchObject({ code: 0, stdout: "The whole answer.\n" });
  expect(run.stderr).toContain("provider-retry");
});

test.for(["json", "text"])("%s: a tool that never settles is an error, not the end of the program", async (format) => {
  server = await startModelServer({ replies: [{ text: "Wait.", toolCalls: [{ name: "hang", args: {} }] }, "Done."] });
  const plugin = machine.write(
    "hang.mjs",
    `export default { name: "hang", apiVersion: 1, setup(host) {
       host.tools.register({ name: "hang/hang", description: "Hangs", effect: "read", input: { type: "object" },
         execute: () => new Promise(() => {}) });
     } };`,
  );
  const args = ["-p", "--plugin", plugin, "--output-format", format, "go"];
  const run = await runAgent(machine, args, { env: anthropicEnv(server) });
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(/run-stuck.*never/);
  if (format === "json") expect(jsonLines(run.stdout)).toMatchObject([{ stop: "error", error: { code: "run-stuck" } }]);
});

test.skipIf(!existsSync("/dev/full"))("a full disk is one line and exit code 1", async () => {
  server = await startModelServer({ replies: () => "ok" });
  for (const words of ["-p hi", "prompt"]) {
    const env = { PATH: process.env["PATH"] ?? "", HOME: machine.home, QUIRE_HOME: machine.quireHome };
    const line = `"$0" "$1" ${words} > /dev/full`;
    const run = spawnSync("sh", ["-c", line, process.execPath, agentBin], {
      cwd: machine.project,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/output-failed.*no space left/);
    expect(run.stderr).not.toContain("stopped");
  }
});

test("text: -p without anything to send says so in one line", async () => {
  server = await startModelServer({ replies: [] });
  const run = await runAgent(machine, ["-p", ""]);
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toMatch(/^\[prompt-missing\] .*\n$/);
});

test("each turn of a stream tells its own findings, and those of the start once", async () => {
  server = await startModelServer({ replies: () => "ok" });
  machine.write("project/.quire/plugins/greet.mjs", "export default { name: 'greet', apiVersion: 1, setup() {} };");
  const input = `nonsense\n{"type":"user","text":"a"}\n{"type":"user","text":"b"}\n`;
  const run = await runAgent(machine, ["-p", "--input-format", "stream-json", "--output-format", "json"], {
    env: anthropicEnv(server),
    input,
  });
  const codes = jsonLines(run.stdout).map(({ diagnostics }) => (diagnostics as { code: string }[]).map((d) => d.code));
  expect(codes).toEqual([["project-untrusted", "input-invalid"], [], []]);
});

test("json: one object at the end, with usage, session and the findings of every level", async () => {
  server = await startModelServer({ replies: [{ text: "hello", usage: { input: 12, output: 3 } }] });
  const plugin = machine.write(
    "broken.mjs",
    "export default { name: 'broken', apiVersion: 1, setup() { throw new Error('no'); } };",
  );
  const run = await runAgent(machine, ["-p", "--output-format", "json", "--plugin", plugin, "hi"], {
    env: anthropicEnv(server),
  });
  expect(run.code).toBe(0);
  const [object, ...more] = jsonLines(run.stdout);
  expect(more).toEqual([]);
  expect(object).toMatchObject({
    text: "hello",
    stop: "end",
    usage: { input: 12, output: 3 },
    session: expect.stringMatching(/^\d{8}-\d{6}-/),
    diagnostics: expect.arrayContaining([expect.objectContaining({ plugin: "broken", level: "error" })]),
  });
  expect(object).not.toHaveProperty("error");
  expect(run.stderr).toContain("broken");
});

test("json: a start that fails is an object too", async () => {
  server = await startModelServer({ replies: [] });
  machine.write("home/.quire/config.yaml", "modle: x\n");
  const run = await runAgent(machine, ["-p", "--output-format", "json", "hi"]);
  expect(run.code).toBe(2);
  expect(jsonLines(run.stdout)).toMatchObject([
    { stop: "error", error: { code: "config-key-unknown" }, session: null },
  ]);
});

test("json: a model that refuses makes exit code 1 and an error", async () => {
  server = await startModelServer({ replies: [{ fault: { kind: "status", status: 401 } }] });
  const run = await runAgent(machine, ["-p", "--output-format", "json", "hi"], { env: anthropicEnv(server) });
  expect(run.code).toBe(1);
  expect(jsonLines(run.stdout)).toMatchObject([{ stop: "error", error: { level: "error" } }]);
  expect(run.stderr).not.toMatch(/\n\s+at /);
});

test("stream-json: every event of a turn between its start and its end", async () => {
  server = await startModelServer({ replies: reading });
  const run = await runAgent(machine, ["-p", "--output-format", "stream-json", "look"], { env: anthropicEnv(server) });
  const lines = jsonLines(run.stdout);
  expect(lines[0]).toMatchObject({ type: "turn-start", prompt: "look" });
  expect(lines.at(-1)).toMatchObject({ type: "turn-end", stop: "end", text: "Seen.", session: lines[0]?.["session"] });
  const types = lines.map((line) => line["type"]);
  for (const type of ["request", "text", "tool-start", "message", "usage"]) expect(types).toContain(type);
  expect(types.filter((type) => type === "turn-end")).toHaveLength(1);
});

test("stream-json as input: many turns of one session, a bad line is told and passed over", async () => {
  server = await startModelServer({ replies: ["one", "two"] });
  const input = ['{"type":"user","text":"first"}', "nonsense", '{"type":"user","text":"second"}'].join("\n");
  const run = await runAgent(machine, ["-p", "--input-format", "stream-json", "--output-format", "stream-json"], {
    env: anthropicEnv(server),
    input,
  });
  expect(run.code).toBe(1);
  const lines = jsonLines(run.stdout);
  const ends = lines.filter((line) => line["type"] === "turn-end");
  expect(ends).toMatchObject([{ text: "one" }, { text: "two" }]);
  expect(ends[0]?.["session"]).toBe(ends[1]?.["session"]);
  expect(lines.find((line) => line["type"] === "error")).toMatchObject({ error: { code: "input-invalid" } });
  expect(JSON.stringify(server.requests[1]?.body)).toContain("first");
});

test("stream-json as input takes text as output too, and words as the first turn", async () => {
  server = await startModelServer({ replies: ["zero", "one"] });
  const run = await runAgent(machine, ["-p", "--input-format", "stream-json", "start"], {
    env: anthropicEnv(server),
    input: '{"type":"user","text":"go on"}\n',
  });
  expect(run).toMatchObject({ code: 0, stdout: "zero\none\n" });
});

test("answers a command of the host without a turn", async () => {
  server = await startModelServer({ replies: [] });
  const run = await runAgent(machine, ["-p", "/plugins"], { env: anthropicEnv(server) });
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^base\s+\S+\s+builtin$/m);
  expect(server.requests).toHaveLength(0);
});

test("--strict makes a broken plugin end the start with exit code 1", async () => {
  server = await startModelServer({ replies: [] });
  const plugin = machine.write(
    "broken.mjs",
    "export default { name: 'broken', apiVersion: 1, setup() { throw new Error('no'); } };",
  );
  const run = await runAgent(machine, ["-p", "--strict", "--plugin", plugin, "hi"], { env: anthropicEnv(server) });
  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(server.requests).toHaveLength(0);
});

test("a required plugin that does not load stops the turn", async () => {
  server = await startModelServer({ replies: [] });
  machine.write("home/.quire/guard.mjs", "export default { name: 'guard' ");
  machine.write("home/.quire/config.yaml", "plugins:\n  ./guard.mjs: { required: true }\n");
  const run = await runAgent(machine, ["-p", "hi"], { env: anthropicEnv(server) });
  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(run.stderr).toContain("guard");
  expect(server.requests).toHaveLength(0);
});

test("json: what a plugin logs stays out of standard output", async () => {
  server = await startModelServer({ replies: () => "ok" });
  const code = `export default { name: "noise", apiVersion: 1, setup() { console.log("noise"); console.info("more"); } };`;
  const plugin = machine.write("noise.mjs", code);
  const args = ["-p", "--output-format", "json", "--plugin", plugin, "hi"];
  const run = await runAgent(machine, args, { env: anthropicEnv(server) });
  expect(jsonLines(run.stdout)).toMatchObject([{ text: "ok" }]);
  expect(run.stderr).toMatch(/^noise$/m);
});

test("text: a plugin that ends the program is told of", async () => {
  server = await startModelServer({ replies: () => "ok" });
  const code = `export default { name: "quitter", apiVersion: 1, setup(host) {
    host.hooks.beforeAgentStart.tap(() => process.exit(3)); } };`;
  const plugin = machine.write("quitter.mjs", code);
  const run = await runAgent(machine, ["-p", "--plugin", plugin, "hi"], { env: anthropicEnv(server) });
  expect(run.code).toBe(3);
  expect(run.stderr).toMatch(/exit-foreign.*exit code 3/);
});

test("text: bytes on standard input are refused, and no model is asked", async () => {
  server = await startModelServer({ replies: () => "ok" });
  const run = await runAgent(machine, ["-p", "what is this"], { env: anthropicEnv(server), input: "\u0000\u0001PNG" });
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toContain("input-binary");
  expect(server.requests).toHaveLength(0);
});

test("a flag's text may be named as @file, and a file that is not there is told of", async () => {
  server = await startModelServer({ replies: [] });
  const named = await runAgent(machine, ["--system-prompt", "@README.md", "prompt"]);
  expect(named.stdout).toContain("# A project");
  const missing = await runAgent(machine, ["--system-prompt", "nope.md", "prompt"]);
  expect(missing.stdout).toContain("nope.md");
  expect(missing.stderr).toMatch(/flag-file-unreadable.*nope\.md, which does not exist/);
});
