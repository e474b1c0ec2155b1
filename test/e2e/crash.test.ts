import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "@quire/testkit";
import { anthropicEnv, createMachine, runAgent, startAgent, type Machine } from "../support/agent.js";

let machine: Machine;
let server: ModelServer;
beforeEach(() => {
  machine = createMachine({ "README.md": "# Demo\n" });
});
afterEach(async () => {
  await server.close();
  machine.remove();
});

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !isTrue(); tries++) await sleep(25);
  expect(isTrue()).toBe(true);
}

test("kill -9 in a tool call: nothing shown is lost and --resume goes on", async () => {
  const replies = [
    { text: "I start something slow.", toolCalls: [{ name: "bash", args: { command: "touch started; sleep 60" } }] },
    { text: "I see that it was interrupted." },
  ];
  server = await startModelServer({ replies });
  const env = anthropicEnv(server);
  const args = ["-p", "--output-format", "stream-json", "--permission-mode", "full", "do it slowly"];
  const running = startAgent(machine, args, { env });
  await until(() => existsSync(path.join(machine.project, "started")));
  running.process.kill("SIGKILL");
  await running.exit;
  expect(await running.stdout).toContain("I start something slow.");

  const listed = await runAgent(machine, ["session", "list", "--json"]);
  const [session] = (JSON.parse(listed.stdout) as { sessions: readonly { id: string }[] }).sessions;
  const resumed = await runAgent(machine, ["--resume", session?.id ?? "", "-p", "what happened?"], { env });
  expect(resumed.code).toBe(0);
  expect(resumed.stdout).toContain("I see that it was interrupted.");
  const sent = JSON.stringify(server.requests[1]?.body);
  for (const kept of ["do it slowly", "I start something slow.", "touch started", "nterrupted", "what happened?"])
    expect(sent).toContain(kept);
});

test("kill -9 in mid-stream: the text that was shown is in the history", async () => {
  const text = "word ".repeat(400);
  server = await startModelServer({ replies: [{ text, chunk: 10, delayMs: 20 }, "Going on."] });
  const env = anthropicEnv(server);
  const running = startAgent(machine, ["-p", "--output-format", "stream-json", "tell me"], { env });
  let shown = "";
  running.process.stdout?.on("data", (chunk: Buffer) => {
    shown += chunk.toString("utf8");
    if (shown.split('"delta"').length > 12) running.process.kill("SIGKILL");
  });
  await running.exit;
  const deltas = shown
    .split("\n")
    .flatMap((line) =>
      line.endsWith("}") && line.includes('"type":"text"') ? [(JSON.parse(line) as { delta: string }).delta] : [],
    );
  expect(deltas.length).toBeGreaterThan(5);
  const resumed = await runAgent(machine, ["--continue", "-p", "go on"], { env });
  expect(resumed.code).toBe(0);
  expect(JSON.stringify(server.requests[1]?.body)).toContain(deltas.join("").trimEnd());
});
