import { createTestHost, fakeProvider } from "@quire/testkit";
import { expect, test } from "vitest";
import toolsShell from "./index.js";
import { groupLives } from "./process-group.js";
import { newFolder } from "./tool-context.fixture.js";

const bash = (args: Readonly<Record<string, unknown>>) => ({ toolCalls: [{ name: "bash", args }] });
const environment = { PATH: process.env["PATH"] ?? "" };

async function placeOf(): Promise<{ cwd: string }> {
  return { cwd: await newFolder() };
}

test("a turn runs a command, shows its progress, and the host's end ends what runs in the background", async () => {
  const replies = [bash({ command: "echo one; exit 3" }), bash({ command: "sleep 1000", background: true }), "done"];
  const host = await createTestHost({
    plugins: [toolsShell],
    provider: fakeProvider({ replies }),
    allowAll: true,
    environment,
    place: await placeOf(),
  });
  const turn = host.session.send("go", AbortSignal.timeout(20_000));
  const updates: string[] = [];
  for await (const event of turn) if (event.type === "tool-update") updates.push(event.text);
  expect(updates).toEqual(["one\n"]);
  const history = JSON.stringify(host.session.messages);
  expect(history).toContain("Exit code 3\\none");
  const id = Number(/background as background-\d+, process (\d+)/.exec(history)?.[1]);
  expect(groupLives(id)).toBe(true);
  await host.dispose();
  expect(groupLives(id)).toBe(false);
});

test("stopping the turn ends the command with its grandchildren", async () => {
  const replies = [bash({ command: "sleep 1000 & echo $$; wait" })];
  const host = await createTestHost({
    plugins: [toolsShell],
    provider: fakeProvider({ replies }),
    allowAll: true,
    environment,
    place: await placeOf(),
  });
  const controller = new AbortController();
  const turn = host.session.send("go", controller.signal);
  let id = 0;
  for await (const event of turn) {
    if (event.type !== "tool-update") continue;
    id = Number(event.text);
    controller.abort();
  }
  expect((await turn.result).stop).toBe("aborted");
  expect(id).toBeGreaterThan(1);
  await host.dispose();
  expect(groupLives(id)).toBe(false);
});
