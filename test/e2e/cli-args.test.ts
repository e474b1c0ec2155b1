import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startModelServer, type ModelServer } from "@quire/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentBin, anthropicEnv, createMachine, runAgent, startAgent, type Machine } from "../support/agent.js";

let machine: Machine;
let server: ModelServer | undefined;
beforeEach(() => {
  machine = createMachine({ "README.md": "# A project\n" });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  machine.remove();
});

/** The text of the user's message in the newest request. */
function lastUserText(): string {
  return JSON.stringify(server?.requests.at(-1)?.body["messages"]);
}

test("prints its help on request and, without words, pipe or terminal, on standard error with exit code 2", async () => {
  const asked = await runAgent(machine, ["--help"]);
  expect(asked).toMatchObject({ code: 0, stderr: "" });
  expect(asked.stdout).toContain("--output-format");
  expect(asked.stdout).toContain("doctor");
  const silent = await runAgent(machine, []);
  expect(silent).toMatchObject({ code: 2, stdout: "" });
  expect(silent.stderr).toContain("Usage: agent");
});

test("joins words, appends piped text as a labelled block, and takes piped text alone", async () => {
  server = await startModelServer({ replies: () => "ok" });
  const env = anthropicEnv(server);
  await runAgent(machine, ["-p", "sum", "this", "up"], { env, input: "first line\nsecond line\n" });
  expect(lastUserText()).toContain("sum this up\\n\\n<piped-text>\\nfirst line\\nsecond line\\n</piped-text>");
  const alone = await runAgent(machine, [], { env, input: "only this\n" });
  expect(alone).toMatchObject({ code: 0, stdout: "ok\n" });
  expect(lastUserText()).toContain("only this");
  expect(lastUserText()).not.toContain("piped-text");
});

test("takes words for a prompt with -p and for a subcommand without it", async () => {
  server = await startModelServer({ replies: () => "ok" });
  const env = anthropicEnv(server);
  expect((await runAgent(machine, ["list", "-p"], { env })).stdout).toBe("ok\n");
  expect(lastUserText()).toContain('"list"');
  const command = await runAgent(machine, ["list", "layouts"], { env });
  expect(command).toMatchObject({ code: 0, stdout: expect.stringContaining("quire") });
  expect(server.requests).toHaveLength(1);
});

test.for([
  { argv: ["--modle", "x"], names: "--model" },
  { argv: ["docter"], names: "doctor" },
  { argv: ["session", "lst"], names: "list" },
  { argv: ["--output-format", "xml", "hi"], names: "stream-json" },
  { argv: ["-p", "--model", "antropic/x", "hi"], names: "anthropic" },
  { argv: ["-p", "--layout", "qire", "hi"], names: "quire" },
  { argv: ["-p", "-C", "nowhere", "hi"], names: "nowhere" },
  { argv: ["-C", "README.md", "prompt"], names: "README.md" },
  { argv: ["-c", "nowhere.yaml", "prompt"], names: "nowhere.yaml" },
  { argv: ["-p", "--resume", "nowhere", "hi"], names: "nowhere" },
  { argv: ["prompt", "--wire", "openai-chatt"], names: "openai-chat" },
  { argv: ["sections", "why", "base/rulez"], names: "base/rules" },
  { argv: ["-p", "--section", "base/rulez=x", "hi"], names: "base/rules" },
  { argv: ["--no-section", "base/rulez", "prompt"], names: "base/rules" },
  { argv: ["-p", "--tools", "read,bsh", "hi"], names: "bash" },
  { argv: ["-p", "--plugin", "./my-plugn.ts", "hi"], names: "my-plugn.ts" },
  { argv: ["-p", "--no-plugin", "permision", "hi"], names: "permissions" },
])("refuses $argv in one line, with exit code 2 and no stack", async ({ argv, names }) => {
  const run = await runAgent(machine, argv);
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(run.stderr).toMatch(/^\[[a-z-]+\] /);
  expect(run.stderr).toContain(names);
});

test("works in the folder that -C names", async () => {
  machine.write("other/NOTES.md", "x");
  const run = await runAgent(machine, ["-C", "../other", "prompt"]);
  expect(run.stdout).toContain(join(machine.root, "other"));
});

test("warns of what config names and nobody has, and goes on", async () => {
  machine.write(
    "home/.quire/config.yaml",
    "sections: { base/identiti: x, memory/filez: false }\ntools: { off: [raed] }\npermissions: { deny: ['bsh(rm *)'] }\n",
  );
  const run = await runAgent(machine, ["-p", "hi"]);
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/section-dangling.*base\/identiti.*config\.yaml:1.*base\/identity/);
  expect(run.stderr).toMatch(/section-dangling.*memory\/filez/);
  expect(run.stderr).toMatch(/tool-unknown.*tools\.off.*raed.*config\.yaml:2.*read/);
  expect(run.stderr).toMatch(/tool-unknown.*permissions\.deny.*bsh.*config\.yaml:3.*bash/);
});

test("refuses an entry of providers whose api nobody speaks", async () => {
  machine.write(
    "home/.quire/config.yaml",
    "providers:\n  gateway:\n    api: openai-chatt\n    base_url: http://127.0.0.1:1/v1\n",
  );
  const run = await runAgent(machine, ["-p", "hi"]);
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(/provider-api-unknown.*openai-chatt.*config\.yaml:3.*Did you mean "openai-chat"/);
});

test.for(["SIGINT", "SIGTERM"] as const)("ends the turn on %s with exit code 130", async (signal) => {
  server = await startModelServer({ replies: [{ text: "never whole", fault: { kind: "stall", afterEvents: 3 } }] });
  const running = startAgent(machine, ["-p", "--output-format", "json", "hi"], { env: anthropicEnv(server) });
  while (server.requests.length === 0) await sleep(20);
  await sleep(100);
  running.process.kill(signal);
  expect(await running.exit).toBe(130);
  expect(JSON.parse(await running.stdout)).toMatchObject({ stop: "aborted" });
});

test("is quiet when the reader of its output goes away", async () => {
  const env = { PATH: process.env["PATH"] ?? "", HOME: machine.home, QUIRE_HOME: machine.quireHome };
  const child = spawn(
    "sh",
    ["-c", `"$0" "$1" prompt | true; "$0" "$1" -p hi | head -c 1`, process.execPath, agentBin],
    {
      cwd: machine.project,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout.resume();
  await new Promise((resolve) => child.once("close", resolve));
  expect(errors).not.toMatch(/EPIPE|Error|at .*:\d+:\d+/);
});

test("stores nothing with --no-session, and a session otherwise", async () => {
  const sessions = join(machine.quireHome, "sessions");
  await runAgent(machine, ["-p", "--no-session", "hi"]);
  expect(() => readdirSync(sessions)).toThrow("ENOENT");
  await runAgent(machine, ["-p", "hi"]);
  expect(readdirSync(sessions).filter((name) => name.endsWith(".jsonl"))).toHaveLength(1);
  expect(readdirSync(sessions).filter((name) => name.endsWith(".lock"))).toEqual([]);
});

test("announces a model that a key chose, and no other", async () => {
  server = await startModelServer({ replies: () => "ok" });
  const env = anthropicEnv(server);
  const chosen = await runAgent(machine, ["-p", "hi"], { env });
  expect(chosen.stderr).toMatch(/model anthropic\/\S+, because ANTHROPIC_API_KEY is set/);
  const named = await runAgent(machine, ["-p", "--model", "anthropic", "hi"], { env });
  expect(named.stderr).not.toContain("because");
});

test("says after a crash which plugin was at work", async () => {
  const plugin = machine.write(
    "loop.mjs",
    `export default { name: "looper", apiVersion: 1, setup(host) {
       host.hooks.beforeAgentStart.tap(() => { process.kill(process.pid, "SIGKILL"); for (;;); });
     } };`,
  );
  const crashed = startAgent(machine, ["-p", "--plugin", plugin, "hi"]);
  expect(await crashed.exit).toBeNull();
  const next = await runAgent(machine, ["-p", "hi"]);
  expect(next.code).toBe(0);
  expect(next.stderr).toMatch(/plugin-crash.*looper.*--no-plugin looper/);
  expect((await runAgent(machine, ["-p", "hi"])).stderr).not.toContain("plugin-crash");
});

test.for([
  { name: "a timer", code: `setTimeout(() => { throw new Error("late boom"); }, 0);` },
  { name: "a promise let go", code: `Promise.resolve().then(() => { throw new Error("late boom"); });` },
])("a plugin that throws in $name costs one line, and the turn goes on", async ({ code }) => {
  server = await startModelServer({ replies: [{ text: "All good.", delayMs: 30 }] });
  const plugin = machine.write(
    "stray.ts",
    `export default { name: "stray", apiVersion: 1, setup(host: any) { host.hooks.beforeAgentStart.tap(() => { ${code} }); } };`,
  );
  const run = await runAgent(machine, ["-p", "--plugin", plugin, "hi"], { env: anthropicEnv(server) });
  expect(run).toMatchObject({ code: 0, stdout: "All good.\n" });
  const lines = run.stderr.split("\n").filter((line) => line.includes("boom"));
  expect(lines).toEqual([expect.stringMatching(/plugin-stray-error.*stray.*late boom.*stray\.ts.*--no-plugin stray/)]);
  expect(run.stderr).not.toMatch(/\n\s+at /);
});

test("lists command files and skills in /help, and warns of a slash command that there is not", async () => {
  machine.write("home/.quire/commands/review.md", "---\ndescription: Reviews\n---\nReview $ARGUMENTS\n");
  machine.write("home/.quire/skills/release/SKILL.md", "---\nname: release\ndescription: Releases\n---\nDo it\n");
  const help = await runAgent(machine, ["-p", "/help"]);
  expect(help.stdout).toMatch(/^\/review\s+Reviews$/m);
  expect(help.stdout).toMatch(/^\/skill:release\s+Releases$/m);
  expect((await runAgent(machine, ["-p", "/reviw", "x"])).stderr).toMatch(/command-unknown.*"\/review"/);
  expect((await runAgent(machine, ["-p", "/quit"])).stderr).toMatch(/command-unknown.*of the terminal/);
  expect((await runAgent(machine, ["-p", "/etc/hosts", "and", "/review"])).stderr).not.toContain("command-unknown");
});

test("answers /help and /prompt without asking a model", async () => {
  const help = await runAgent(machine, ["-p", "/help"]);
  expect(help.stdout).toMatch(/^\/sections/m);
  expect(help.stdout).not.toContain("/quit");
  const map = await runAgent(machine, ["-p", "/prompt"]);
  expect(map.stdout).toContain("-- boundary --");
  const text = await runAgent(machine, ["-p", "/prompt", "text"]);
  expect(text.stdout).toContain("<tools>");
});
