import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
beforeEach(() => {
  machine = createMachine({
    "README.md": "# Wonder Wheel\n\nTurns sunlight into toast.\n",
    "package.json": JSON.stringify({ name: "wonder-wheel", scripts: { test: "node toast.test.js" } }),
  });
});
afterEach(() => machine.remove());

test("without any key the rehearsal answers, uses real tools on the folder, and says that no model was asked", async () => {
  const run = await runAgent(machine, ["What", "does", "this", "project", "do?"]);
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/no model/i);
  expect(run.stdout).toContain("Wonder Wheel");
  expect(run.stderr + run.stdout).toMatch(/\bls\b/);
  expect(run.stderr + run.stdout).toMatch(/\bread\b/);
});

test("stream-json shows the turn from its start to its end", async () => {
  const run = await runAgent(machine, ["-p", "--output-format", "stream-json", "What is this?"]);
  expect(run.code).toBe(0);
  const events = run.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(events[0]?.type).toBe("turn-start");
  expect(events.at(-1)?.type).toBe("turn-end");
  expect(events.map((event) => event.type)).toContain("tool-start");
});
