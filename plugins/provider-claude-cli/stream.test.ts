import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { collectEvents, providerRequest } from "@quire/testkit";
import type { StreamEvent } from "@quire/core";
import type { ProgramWire } from "./project.js";
import { answerLines, eventLine, standIn } from "./stand-in.fixture.js";
import type { StandIn, Step } from "./stand-in.fixture.js";
import { streamProgram } from "./stream.js";

const model = { provider: "claude-cli", id: "claude-sonnet-4-5" };
const answer = answerLines([{ type: "text", text: "Hello world" }]);

async function ask(
  { provider }: StandIn,
  request: Parameters<typeof providerRequest>[0] = {},
  signal: AbortSignal = AbortSignal.timeout(20_000),
): Promise<StreamEvent[]> {
  return collectEvents(provider.stream(provider.project(providerRequest({ model, ...request })), signal));
}

test("streams a text in increments, then as a block, then usage and end", async () => {
  expect(await ask(await standIn(answer))).toEqual([
    { type: "text", delta: "Hello" },
    { type: "text", delta: " world" },
    { type: "block", block: { type: "text", text: "Hello world" } },
    { type: "usage", usage: { input: 7, cacheRead: 5, cacheWrite: 3, output: 9 } },
    { type: "end", stop: "end" },
  ]);
});

test("ends with the answer: a program that goes on is stopped, with all it started", async () => {
  const afterwards: Step[] = [{ child: true }, ...answer, { hang: true }];
  const program = await standIn(afterwards, { ignoreSignals: true });
  const startedAt = Date.now();
  await ask(program);
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  const { pid } = await program.given();
  expect([await isAlive(pid), await isAlive(await program.childPid())]).toEqual([false, false]);
});

test("an abort stops the program and all it started, and throws the reason", async () => {
  const program = await standIn([{ child: true }, ...answer.slice(0, 4), { hang: true }]);
  const controller = new AbortController();
  const wire = program.provider.project(providerRequest({ model }));
  const events: StreamEvent[] = [];
  const run = async (): Promise<void> => {
    for await (const event of program.provider.stream(wire, controller.signal)) {
      events.push(event);
      controller.abort(new Error("stopped by the user"));
    }
  };
  await expect(run()).rejects.toThrow("stopped by the user");
  expect(events).toEqual([{ type: "text", delta: "Hello" }]);
  const { pid, folder } = await program.given();
  expect([await isAlive(pid), await isAlive(await program.childPid()), existsSync(folder)]).toEqual([
    false,
    false,
    false,
  ]);
});

test("a consumer that leaves stops the program too", async () => {
  const program = await standIn([...answer.slice(0, 4), { hang: true }]);
  const wire = program.provider.project(providerRequest({ model }));
  for await (const event of program.provider.stream(wire, AbortSignal.timeout(20_000))) {
    expect(event.type).toBe("text");
    break;
  }
  const { pid, folder } = await program.given();
  expect([await isAlive(pid), existsSync(folder)]).toEqual([false, false]);
});

test("starts nothing when the signal is aborted already", async () => {
  const program = await standIn(answer);
  await expect(ask(program, {}, AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  await expect(program.given()).rejects.toThrow("ENOENT");
});

test("stops a program that is silent too long, and says so", async () => {
  const { provider, settings, folders } = await standIn([...answer.slice(0, 4), { hang: true }]);
  const wire = provider.project(providerRequest({ model })) as ProgramWire;
  const place = { settings, folders, environment: () => process.env };
  const stream = streamProgram(wire, place, AbortSignal.timeout(20_000), 700);
  await expect(collectEvents(stream)).rejects.toMatchObject({
    diagnostic: { code: "provider-silent", message: "claude-cli sent nothing for 0.7 s" },
  });
});

test("a slow consumer is no silence", async () => {
  const { provider, settings, folders } = await standIn(answer);
  const wire = provider.project(providerRequest({ model })) as ProgramWire;
  const place = { settings, folders, environment: () => process.env };
  const events: string[] = [];
  for await (const event of streamProgram(wire, place, AbortSignal.timeout(20_000), 700)) {
    if (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 1500));
    events.push(event.type);
  }
  expect(events).toEqual(["text", "text", "block", "usage", "end"]);
});

test("takes the answer of a program that does not stream", async () => {
  const usage = { input_tokens: 4, output_tokens: 2 };
  const line = (...content: object[]) => ({
    line: { type: "assistant", message: { content, usage }, parent_tool_use_id: null },
  });
  const program = await standIn([
    line({ type: "text", text: "Two." }),
    line({ type: "tool_use", id: "t1", name: "mcp__quire__read", input: { path: "a" } }),
    { line: { type: "result", subtype: "error_max_turns", is_error: true } },
  ]);
  expect(await ask(program)).toEqual([
    { type: "text", delta: "Two." },
    { type: "block", block: { type: "text", text: "Two." } },
    { type: "tool-args", id: "t1", name: "read", delta: '{"path":"a"}' },
    { type: "block", block: { type: "tool-call", id: "t1", name: "read", args: { path: "a" } } },
    { type: "usage", usage: { input: 4, cacheRead: 0, cacheWrite: 0, output: 2 } },
    { type: "end", stop: "tools" },
  ]);
});

test("passes over words that are no JSON, unknown lines and what subagents say", async () => {
  const noise: Step[] = [
    { text: "Warning: something\n{broken\n\n" },
    { line: { type: "a_new_kind" } },
    { line: { type: "stream_event", event: { type: "message_stop" }, parent_tool_use_id: "t0" } },
    eventLine({ type: "a_new_event" }),
  ];
  const events = await ask(await standIn([...noise, ...answer]));
  expect(events.at(-1)).toEqual({ type: "end", stop: "end" });
  expect(events).toHaveLength(5);
});

/** Whether it runs on after a moment; a dead process that nobody has collected yet does not. */
async function isAlive(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 40; tries += 1) {
    const state = await promisify(execFile)("ps", ["-o", "stat=", "-p", String(pid)]).then(
      ({ stdout }) => stdout.trim(),
      () => "",
    );
    if (state === "" || state.startsWith("Z")) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}
