import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startModelServer } from "@quire/testkit";
import { expect, onTestFinished, test } from "vitest";
import { anthropicEnv, createMachine, openaiEnv } from "../support/agent.js";
import { scoreLog } from "./support/cache-score.js";
import { startTalk } from "./support/talk.js";
import { rules } from "./support/thirty-turns.js";

const summary = "The user asked for ten things, and nine of them are done.";
const answer = (turn: number) => `Of turn ${turn}: ${"it went as it should, and the next step follows. ".repeat(12)}`;

test.for([
  { name: "anthropic", model: "anthropic/claude-sonnet-4-5", env: anthropicEnv },
  { name: "openai-chat", model: "openai-chat/gpt-5", env: openaiEnv },
])("a compaction reads the cached prefix, and the ten turns behind it pay nothing twice: $name", async (vendor) => {
  const machine = createMachine({ "AGENTS.md": `${rules.join("\n")}\n` });
  onTestFinished(() => machine.remove());
  const log = path.join(machine.root, "requests.jsonl");
  let next = "";
  const server = await startModelServer({ log, replies: () => next });
  onTestFinished(() => server.close());
  const talk = startTalk(machine, ["--model", vendor.model], vendor.env(server));
  onTestFinished(() => talk.kill());
  const say = async (text: string, reply: string) => {
    next = reply;
    await talk.say(text);
  };
  for (let turn = 1; turn <= 10; turn++) await say(`Turn ${turn}, please.`, answer(turn));
  writeFileSync(path.join(machine.project, "AGENTS.md"), `${rules.slice(1).join("\n")}\n`);
  await say("Turn 11, please.", answer(11));
  await say("/compact", summary);
  for (let turn = 12; turn <= 21; turn++) await say(`Turn ${turn}, please.`, answer(turn));
  expect(await talk.end()).toBe(0);

  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(22);
  const before = path.join(machine.root, "before.jsonl");
  writeFileSync(before, `${lines.slice(0, 12).join("\n")}\n`);
  expect(scoreLog(before).score).toBeGreaterThanOrEqual(0.99);
  const after = path.join(machine.root, "after.jsonl");
  writeFileSync(after, `${lines.slice(12).join("\n")}\n`);
  expect(scoreLog(after).score).toBeGreaterThanOrEqual(0.99);
  // The deltas are folded in, the summary stands for the history.
  expect(lines[11]).toContain('context_update about=\\"agents-md/files');
  expect(lines[12]).toContain(summary);
  expect(lines[12]).not.toContain("Of turn 3");
  expect(lines[12]).not.toContain('context_update about=\\"agents-md/files');
});
