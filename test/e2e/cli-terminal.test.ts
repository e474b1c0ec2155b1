import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startModelServer, type ModelServer } from "@quire/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentBin, anthropicEnv, createMachine, type Machine, baseEnv } from "../support/agent.js";

// A terminal is made by util-linux's `script`; other systems have another one, or none.
const hasScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;
const onTerminal = test.skipIf(!hasScript);

let machine: Machine;
let server: ModelServer | undefined;
let kill: () => void = () => {};
let screen = "";
beforeEach(() => {
  machine = createMachine({ "README.md": "# A project\n" });
  screen = "";
});
afterEach(async () => {
  kill();
  await server?.close();
  server = undefined;
  machine.remove();
});

const keys = { enter: "\r", escape: "\u001b", ctrlC: "\u0003", ctrlD: "\u0004" };

/** Starts the command on a terminal of its own. */
function open(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const command = ["exec", process.execPath, agentBin, ...args]
    .map((part) => `'${part}'`)
    .join(" ")
    .replace("'exec'", "exec");
  const running = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: machine.project,
    env: {
      ...baseEnv(machine),
      TERM: "xterm",
      NO_COLOR: "1",
      ...env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  kill = () => running.kill("SIGKILL");
  running.stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()));
  const closed = new Promise<number | null>((resolve) => running.once("close", (code) => resolve(code)));
  return { type: (text: string) => running.stdin.write(text), closed };
}

/** Waits until the screen shows something after what it showed before. */
async function shows(pattern: RegExp): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (pattern.test(screen)) return;
    await sleep(50);
  }
  throw new Error(`the terminal never showed ${pattern}:\n${screen}`);
}

onTerminal("answers line by line, shows calls, runs commands of the host, and leaves on Ctrl-D", async () => {
  server = await startModelServer({
    replies: [
      { text: "Let me look.", toolCalls: [{ name: "read", args: { path: "README.md" } }] },
      "It is a project.",
      "You said hello.",
    ],
  });
  const { type, closed } = open([], anthropicEnv(server));
  await shows(/\/help lists commands/);
  type(`hello${keys.enter}`);
  await shows(/Let me look\.\s+> read path=README\.md\s+1 \| # A project[^]*It is a project\./);
  type(`/sections${keys.enter}`);
  await shows(/base\/identity/);
  type(`/model nobody/x${keys.enter}`);
  await shows(/model-unknown.*nobody/);
  type(`/model${keys.enter}`);
  await shows(/model anthropic\/\S+\s+anthropic\s+anthropic-messages\s+ready/);
  type(`and?${keys.enter}`);
  await shows(/You said hello\./);
  expect(JSON.stringify(server.requests[2]?.body)).toContain("It is a project.");
  type(keys.ctrlD);
  expect(await closed).toBe(0);
});

onTerminal("asks before a change; yes makes it, and what was typed before the question is no answer", async () => {
  server = await startModelServer({
    replies: [{ toolCalls: [{ name: "write", args: { path: "new.txt", content: "made\n" } }], delayMs: 300 }, "Done."],
  });
  const { type, closed } = open(["make", "a", "file"], anthropicEnv(server));
  await shows(/\/help lists commands/);
  type("y");
  await shows(/new\.txt[^]*\?/);
  await sleep(200);
  expect(() => readFileSync(join(machine.project, "new.txt"))).toThrow("ENOENT");
  type(`y${keys.enter}`);
  await shows(/Done\./);
  expect(readFileSync(join(machine.project, "new.txt"), "utf8")).toBe("made\n");
  type(`/quit${keys.enter}`);
  expect(await closed).toBe(0);
});

onTerminal.for([
  { name: "Escape", key: keys.escape },
  { name: "Ctrl-C", key: keys.ctrlC },
])("stops a turn on $name and goes on with what was typed meanwhile", async ({ key }) => {
  server = await startModelServer({
    replies: [
      { text: "This never ends, it stalls.", chunk: 8, fault: { kind: "stall", afterEvents: 4 } },
      "Second answer.",
    ],
  });
  const { type, closed } = open([], anthropicEnv(server));
  await shows(/\/help lists commands/);
  type(`first${keys.enter}`);
  await shows(/This/);
  type(`second${keys.enter}`);
  await shows(/queued: second/);
  type(key);
  await shows(/stopped[^]*> second\s+Second answer\.[^]*out; [^]*> /);
  type(keys.ctrlC);
  await shows(/Ctrl-C once more/);
  type(keys.ctrlC);
  expect(await closed).toBe(0);
});

onTerminal("asks whether to trust what a project brings, and takes no for an answer", async () => {
  machine.write("project/.quire/plugins/greet.mjs", "export default { name: 'greet', apiVersion: 1, setup() {} };");
  const { type } = open([]);
  await shows(/greet[^]*Trust it/);
  type(`n${keys.enter}`);
  await shows(/\/help lists commands/);
  type(`/plugins${keys.enter}`);
  await shows(/provider-rehearsal/);
  expect(screen.slice(screen.indexOf("/help lists"))).not.toMatch(/^greet/m);
});

onTerminal("shows what a question is about, and says that Escape stopped it", async () => {
  const args = { path: "README.md", old_string: "A project", new_string: "Another one" };
  server = await startModelServer({ replies: [{ toolCalls: [{ name: "edit", args }] }, "Done."] });
  const { type, closed } = open(["change", "it"], anthropicEnv(server));
  await shows(/Allow edit\?\s+README\.md\s+- A project\s+\+ Another one[^]*y yes/);
  type(keys.escape);
  await shows(/y yes[^]*stopped/);
  type(keys.ctrlD);
  expect(await closed).toBe(0);
});

onTerminal("sends a paste of several lines as one message", async () => {
  server = await startModelServer({ replies: () => "Read." });
  const { type } = open([], anthropicEnv(server));
  await shows(/\/help lists commands/);
  type(`\u001b[200~line one\rline two\rline three\u001b[201~`);
  await sleep(300);
  expect(server.requests).toHaveLength(0);
  type(keys.enter);
  await shows(/Read\./);
  expect(server.requests).toHaveLength(1);
  expect(JSON.stringify(server.requests[0]?.body)).toContain("line one\\nline two\\nline three");
});
