import { mkdirSync, readFileSync, readdirSync, existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answerLines } from "../../plugins/provider-claude-cli/stand-in.fixture.js";
import type { Given, Step } from "../../plugins/provider-claude-cli/stand-in.fixture.js";
import { createMachine, runAgent, startAgent } from "../support/agent.js";
import type { Machine } from "../support/agent.js";

const standIn = path.resolve(import.meta.dirname, "../../plugins/provider-claude-cli/fixtures/stand-in.mjs");
const model = ["--model", "claude-cli/claude-sonnet-4-5"];

let machine: Machine;
let env: Record<string, string>;
beforeEach(() => {
  machine = createMachine({ "README.md": "# Demo\n" });
  const tmp = path.join(machine.root, "tmp");
  mkdirSync(tmp);
  env = { TMPDIR: tmp };
});
afterEach(() => machine.remove());

/** Config that names a stand-in which plays the steps. */
function use(steps: readonly Step[], key: "claude_cli" | "providers" = "claude_cli"): void {
  const scenario = machine.write("scenario.json", JSON.stringify({ steps }));
  const program = { command: process.execPath, args: [standIn, scenario, path.join(machine.root, "given.json")] };
  const config =
    key === "claude_cli" ? { claude_cli: program } : { providers: { "claude-cli": { api: "claude-cli", ...program } } };
  machine.write("home/.quire/config.yaml", JSON.stringify(config));
}

const given = (): Given => JSON.parse(readFileSync(path.join(machine.root, "given.json"), "utf8")) as Given;
const leftovers = (): readonly string[] =>
  readdirSync(env["TMPDIR"] ?? "").filter((name) => name.startsWith("quire-claude-cli-"));

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !isTrue(); tries++) await sleep(25);
  expect(isTrue()).toBe(true);
}

test("MG-60 the built command hands the prompt's very text to the program, and no key", async () => {
  use(answerLines([{ type: "text", text: "Hello." }]), "providers");
  const keys = { ANTHROPIC_API_KEY: "sk-ant-key", OPENAI_API_KEY: "sk-openai-key" };
  const shown = await runAgent(machine, ["prompt", "--json", ...model], { env });
  const run = await runAgent(machine, ["-p", "hi", ...model], { env: { ...env, ...keys } });
  expect(run).toMatchObject({ code: 0, stdout: "Hello.\n" });
  expect(given().prompt).toBe((JSON.parse(shown.stdout) as { text: string }).text);
  expect(JSON.stringify(given().env)).not.toMatch(/sk-ant-key|sk-openai-key/);
  expect(leftovers()).toEqual([]);
});

test("MG-60 shows the body that the program would get", async () => {
  use([]);
  const { stdout } = await runAgent(machine, ["prompt", "--wire", "claude-cli", "--message", "hi"], { env });
  const body = JSON.parse(stdout) as { model: string; system: string; tools: readonly { name: string }[] };
  expect(body.model).toBe("sonnet");
  expect(body.system).toContain("You are");
  expect(body.tools.length).toBeGreaterThan(3);
  expect(body.tools.filter(({ name }) => !name.startsWith("mcp__quire__"))).toEqual([]);
});

test("MG-60 a file that kill -9 left behind is gone after the next start", async () => {
  use([...answerLines([{ type: "text", text: "Long ago" }]).slice(0, 4), { hang: true }]);
  const running = startAgent(machine, ["-p", "tell me", ...model], { env });
  const record = path.join(machine.root, "given.json");
  await until(() => existsSync(record) && readFileSync(record, "utf8").endsWith("}"));
  running.process.kill("SIGKILL");
  await running.exit;
  expect(leftovers()).toHaveLength(1);
  process.kill(-given().pid, "SIGKILL");
  expect((await runAgent(machine, ["-p", "hi", "--model", "rehearsal"], { env })).code).toBe(0);
  expect(leftovers()).toEqual([]);
});

test("without config claude-cli is there and not chosen; with it, it is, when no key is set", async () => {
  const chosen = async (): Promise<string> => {
    const { stdout } = await runAgent(machine, ["-p", "hi", "--output-format", "json"], { env });
    return stdout;
  };
  expect(await chosen()).toContain("rehearsal");
  use(answerLines([{ type: "text", text: "By the program." }]));
  expect(await chosen()).toContain("By the program.");
});

test("a program that is missing is said once, with the way to get it", async () => {
  machine.write("home/.quire/config.yaml", JSON.stringify({ claude_cli: { command: "quire-no-such-program" } }));
  const { code, stderr } = await runAgent(machine, ["-p", "hi", ...model], { env });
  expect(code).toBe(1);
  expect(stderr).toContain("npm install -g @anthropic-ai/claude-code");
  expect(stderr.match(/claude-cli-missing/g)).toHaveLength(1);
});
