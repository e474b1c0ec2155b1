import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isWireApi, validateWire } from "@quire/testkit";
import { providersPage } from "../../scripts/provider-docs.mjs";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
beforeAll(() => {
  machine = createMachine();
  machine.write("talk.json", JSON.stringify(talk));
});
afterAll(() => machine.remove());

const talk = [
  { role: "user", content: [{ type: "text", text: "EARLIER WORDS" }] },
  { role: "assistant", content: [{ type: "tool-call", id: "c1", name: "read", args: { path: "a" } }] },
  { role: "user", content: [{ type: "text", text: "LATER WORDS" }] },
];

const wire = (mode: string, ...more: readonly string[]) =>
  runAgent(machine, ["prompt", "--wire", mode, "--conversation", "../talk.json", ...more]);

test.for(["anthropic-messages", "openai-chat", "openai-responses", "openai-codex"])(
  "maps a conversation to %s under the present prompt, as its vendor takes it",
  async (mode) => {
    machine.write("project/AGENTS.md", "Mind the gap.\n");
    const run = await wire(mode, "--message", "NEWEST WORDS");
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const order = ["EARLIER WORDS", "interrupted", "LATER WORDS", "NEWEST WORDS"].map((word) =>
      run.stdout.indexOf(word),
    );
    expect(order.every((at) => at > 0)).toBe(true);
    expect(order.toSorted((a, b) => a - b)).toEqual(order);
    expect(run.stdout).toContain("Mind the gap.");
    if (!isWireApi(mode)) throw new Error(`no rules for ${mode}`);
    expect(validateWire(mode, JSON.parse(run.stdout))).toEqual([]);
  },
);

test.for([
  { text: '[{ "role": "robot", "content": [] }]', names: "[0].role" },
  { text: '[{ "role": "user", "content": [{ "type": "text" }] }]', names: "[0].content[0].text" },
  { text: '[\n{ "role": "user" "content": [] }\n]', names: "bad.json:2" },
])("refuses what is no conversation and names the place: $names", async ({ text, names }) => {
  machine.write("project/bad.json", text);
  const run = await runAgent(machine, ["prompt", "--wire", "openai-chat", "--conversation", "bad.json"]);
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(run.stderr).toContain(names);
});

test.for([
  { argv: ["prompt", "--conversation", "../talk.json"], names: "--wire" },
  { argv: ["prompt", "--wire", "openai-chat", "--conversation", "nowhere.json"], names: "nowhere.json" },
  {
    argv: ["--continue", "prompt", "--wire", "openai-chat", "--conversation", "../talk.json"],
    names: "stored session",
  },
])("refuses $argv", async ({ argv, names }) => {
  const run = await runAgent(machine, argv);
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toContain(names);
});

test("docs/providers.md shows what the command makes of one conversation in every mode", async () => {
  const file = path.resolve(import.meta.dirname, "../../docs/providers.md");
  expect(readFileSync(file, "utf8")).toBe(await providersPage());
});
