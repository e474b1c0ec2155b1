import { expect, test } from "vitest";
import type { Config, Message, TurnEvent } from "@quire/core";
import { messageFormatVersion } from "@quire/core";
import { collect, openBed, plugin, resultsOf, textOf } from "../support/core-bed.js";
import { historyProblems } from "../support/history-check.js";
import { createMemoryLog, type StoredRecord } from "../support/memory-log.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, says } from "../support/scripted-provider.js";

function tools() {
  return plugin("own", (host) => {
    host.tools.register(recordingTool("own/look", { parallel: true }));
    host.tools.register(recordingTool("own/read"));
    host.sections.register({
      name: "own/mood",
      slot: "rules",
      cache: { volatile: "moods change every turn" },
      compute: () => "calm",
    });
  });
}

const replies = [
  [
    { type: "text", delta: "Let me " } as const,
    { type: "text", delta: "look." } as const,
    ...calls(["look"], ["look"], ["read"]),
  ],
  says("It ", "is ", "done."),
  says("Again."),
];

/** All text the log holds, in full messages and in parts. */
function storedText(records: readonly StoredRecord[]): string {
  return JSON.stringify(records.map(({ record }) => record));
}

function partialText(records: readonly StoredRecord[]): string {
  return records.map(({ record }) => (record["type"] === "partial" ? String(record["text"]) : "")).join("");
}

test("whatever is shown is in the log already, also when the log is slow", async () => {
  const log = createMemoryLog();
  const bed = await openBed({ plugins: [tools()], replies, log });
  log.delayMs = 2;
  const checked: string[] = [];
  let shown = "";
  for await (const event of bed.session.send("hello", new AbortController().signal)) {
    if (event.type === "text") {
      shown += event.delta;
      expect(partialText(log.records)).toContain(shown);
    } else if (event.type === "message") {
      expect(storedText(log.records)).toContain(event.message.id);
      shown = "";
    } else if (event.type === "tool-start") {
      expect(storedText(log.records)).toContain(`"id":"${event.id}"`);
    } else continue;
    checked.push(event.type);
  }
  expect(new Set(checked)).toEqual(new Set(["text", "message", "tool-start"]));
});

test("the log tells format, place and trigger before anything else, and stamps each record", async () => {
  const bed = await openBed({ replies, now: () => new Date("2024-02-03T04:05:06.700Z") });
  expect(bed.log.records).toEqual([]);
  await bed.send("hello");
  const records = bed.log.records.map(({ record }) => record);
  expect(records[0]).toMatchObject({
    type: "session",
    format: messageFormatVersion,
    id: bed.session.info.id,
    cwd: "/repo",
    projectRoot: "/repo",
    at: "2024-02-03T04:05:06.700Z",
  });
  expect(records[1]).toMatchObject({ type: "turn-start", trigger: "user", model: { provider: "scripted", id: "one" } });
  expect(records.at(-1)).toMatchObject({ type: "turn-end", stop: "end" });
  expect(records.every((record) => record["at"] === "2024-02-03T04:05:06.700Z")).toBe(true);
  expect(bed.session.info.id).toMatch(/^20240203-040506-/);
});

test.for([
  { name: "the user's words", fails: (record: Config) => (record["message"] as Message | undefined)?.role === "user" },
  { name: "the start of a turn", fails: (record: Config) => record["type"] === "turn-start" },
  {
    name: "a whole answer",
    fails: (record: Config) => (record["message"] as Message | undefined)?.role === "assistant",
  },
])("a log that cannot keep $name stops the turn, and that is not shown", async ({ fails }) => {
  const log = createMemoryLog();
  const bed = await openBed({
    log,
    timeScale: 0.001,
    replies: [[{ type: "block", block: { type: "text", text: "unkept" } }]],
  });
  log.fails = fails;
  const turn = bed.session.send("hello", new AbortController().signal);
  const events: TurnEvent[] = [];
  for await (const event of turn) events.push(event);
  expect(await turn.result).toMatchObject({ stop: "error" });
  for (const event of events) {
    if (event.type === "message") expect(storedText(log.records)).toContain(event.message.id);
    if (event.type === "text") expect(partialText(log.records)).toContain(event.delta);
  }
});

test("a session without persistence writes nothing and keeps its history", async () => {
  const bed = await openBed({ plugins: [tools()], replies, open: { persist: false } });
  await bed.send("hello");
  expect(bed.session.messages.length).toBeGreaterThan(4);
  expect(bed.log.records).toEqual([]);
});

test("a log cut after any record resumes to a valid history that keeps all that was shown", async () => {
  const whole = await openBed({ plugins: [tools()], replies });
  await whole.send("hello");
  await whole.send("more");
  const { records } = whole.log;
  expect(records.length).toBeGreaterThan(12);
  for (let cut = 1; cut <= records.length; cut++) {
    const kept = records.slice(0, cut);
    const bed = await openBed({
      plugins: [tools()],
      log: createMemoryLog(kept),
      open: { resume: whole.session.info.id },
    });
    const { messages } = bed.session;
    expect(historyProblems(messages), `cut after ${cut}`).toEqual([]);
    const lastPartial = kept.at(-1)?.record;
    if (lastPartial?.["type"] === "partial") {
      expect(messages.at(-1)).toMatchObject({ role: "assistant", stop: "aborted" });
      expect(textOf(messages.at(-1))).toContain(String(lastPartial["text"]));
    }
    const stored = kept.flatMap(({ record }) => (record["type"] === "message" ? [record["message"] as Message] : []));
    for (const message of stored) expect(messages).toContainEqual(message);
    expect(await bed.send("go on")).toMatchObject({ stop: "end" });
    expect(historyProblems(bed.provider.requests[0]?.messages ?? []), `sent after ${cut}`).toEqual([]);
  }
});

test("a call that was cut off gets a result that says its effect is unknown", async () => {
  const whole = await openBed({ plugins: [tools()], replies });
  await whole.send("hello");
  const answered = whole.log.records.findIndex(
    ({ record }) => (record["message"] as Message | undefined)?.role === "assistant",
  );
  const log = createMemoryLog(whole.log.records.slice(0, answered + 2));
  const bed = await openBed({ log, open: { resume: whole.session.info.id } });
  const cutOff = resultsOf(bed.session.messages).filter(({ isError }) => isError);
  expect(cutOff).toHaveLength(2);
  for (const result of cutOff) expect(textOf(result)).toContain("whether it took effect is unknown");
});

test("a resumed session goes on in the same log, and the model gets the whole history", async () => {
  const first = await openBed({ plugins: [tools()], replies });
  await first.send("hello");
  const second = await openBed({
    plugins: [tools()],
    log: createMemoryLog(first.log.records),
    replies: [says("Welcome back.")],
    open: { resume: first.session.info.id },
  });
  expect(second.session.info.id).toBe(first.session.info.id);
  expect(second.session.messages).toEqual(first.session.messages);
  await second.send("and now?");
  expect(second.provider.requests[0]?.messages.slice(0, -1)).toEqual(first.session.messages);
  const heads = second.log.records.filter(({ record }) => record["type"] === "session");
  expect(heads).toHaveLength(1);
});

test("what the model was told stays told after a resume: an unchanged delta section is not repeated", async () => {
  const first = await openBed({ plugins: [tools()], replies });
  await first.send("hello");
  const log = createMemoryLog(first.log.records);
  const second = await openBed({ plugins: [tools()], log, open: { resume: first.session.info.id } });
  expect((await second.session.prompt({ message: "x" })).context).toEqual([]);
});

test("a fork has a log of its own that begins with its parent's, and leaves the parent alone", async () => {
  const bed = await openBed({ plugins: [tools()], replies });
  await bed.send("hello");
  const before = bed.log.records.length;
  const fork = await bed.host.open({ cwd: "/repo", fork: bed.session.info.id });
  expect(fork.info.id).not.toBe(bed.session.info.id);
  expect(fork.messages).toEqual(bed.session.messages);
  expect(bed.log.records).toHaveLength(before);
  await fork.send("another way", new AbortController().signal).result;
  const own = bed.log.records.filter(({ session }) => session === fork.info.id);
  expect(own[0]?.record).toMatchObject({ type: "session", id: fork.info.id, parent: bed.session.info.id });
  expect(bed.log.records.filter(({ session }) => session === bed.session.info.id)).toHaveLength(before);
  const again = await bed.host.open({ cwd: "/repo", resume: fork.info.id });
  expect(again.messages).toEqual(fork.messages);
});

test("clearing forgets the history, also after a resume", async () => {
  const bed = await openBed({ plugins: [tools()], replies });
  await bed.send("hello");
  await bed.session.clear();
  await bed.send("fresh");
  const again = await bed.host.open({ cwd: "/repo", resume: bed.session.info.id });
  expect(again.messages).toEqual(bed.session.messages);
  expect(textOf(again.messages[0])).toBe("fresh");
});

test.for(["resume", "fork"] as const)("%s of another format version is refused with both versions", async (way) => {
  const record = { type: "session", format: 99, id: "old", cwd: "/repo", projectRoot: "/repo" };
  const bed = await openBed({ log: createMemoryLog([{ session: "old", record }]) });
  await expect(bed.host.open({ cwd: "/repo", [way]: "old" })).rejects.toMatchObject({
    diagnostic: {
      code: "session-format",
      message: expect.stringMatching(/format 99.*reads 1/),
      fix: expect.stringContaining("new session"),
    },
  });
});

test("a session nobody stored is refused", async () => {
  const bed = await openBed();
  await expect(bed.host.open({ cwd: "/repo", resume: "none" })).rejects.toMatchObject({
    diagnostic: { code: "session-unknown" },
  });
});

test("a log that fails in the stream or at the answer stops the turn; the model is not asked again", async () => {
  for (const type of ["partial", "message"]) {
    const log = createMemoryLog();
    log.fails = (record) =>
      record["type"] === type && (type === "partial" || (record["message"] as Message).role === "assistant");
    const bed = await openBed({ log, timeScale: 0.001, replies: [says("hi")] });
    const events = await collect(bed.session.send("hello", new AbortController().signal));
    expect(bed.provider.requests, type).toHaveLength(1);
    expect(events.some((event) => event.type === "diagnostic" && event.diagnostic.code === "provider-retry")).toBe(
      false,
    );
    expect(bed.session.messages.map(({ role }) => role)).toEqual(["user"]);
  }
});

test("text that a crash cut off is still there when the session is resumed a second time", async () => {
  const first = await openBed({ replies: [says("half ", "an answer")] });
  await first.send("hello");
  const cut = first.log.records.findIndex(({ record }) => record["type"] === "partial");
  const log = createMemoryLog(first.log.records.slice(0, cut + 1));
  const open = { resume: first.session.info.id };
  const second = await openBed({ log, open });
  expect(textOf(second.session.messages[1])).toContain("half");
  await second.send("go on");
  const third = await openBed({ log, open });
  expect(third.session.messages).toEqual(second.session.messages);
});

test("a call cut off by a crash gets its result also where the vendor counts its ids from one in each answer", async () => {
  const own = () => plugin("own", (host) => host.tools.register(recordingTool("own/look")));
  const first = await openBed({ plugins: [own()], replies: [calls(["look"]), calls(["look"])] });
  await first.send("hello");
  const answers = first.log.records.flatMap(({ record }, index) =>
    (record["message"] as Message | undefined)?.role === "assistant" ? [index] : [],
  );
  const log = createMemoryLog(first.log.records.slice(0, (answers[1] ?? 0) + 1));
  const second = await openBed({ log, open: { resume: first.session.info.id } });
  expect(historyProblems(second.session.messages)).toEqual([]);
});

test("a log that cannot keep a tool's result stops the turn and leaves a valid history", async () => {
  const log = createMemoryLog();
  const own = plugin("own", (host) => host.tools.register(recordingTool("own/look", { parallel: true })));
  const bed = await openBed({ plugins: [own], log, replies: [calls(["look"], ["look"])] });
  log.fails = (record) => (record["message"] as Message | undefined)?.role === "tool";
  expect(await bed.send()).toMatchObject({ stop: "error" });
  log.fails = () => false;
  await bed.send("again");
  expect(historyProblems(bed.provider.requests.at(-1)?.messages ?? [])).toEqual([]);
  const resumed = await bed.host.open({ cwd: "/repo", resume: bed.session.info.id });
  expect(historyProblems(resumed.messages)).toEqual([]);
});
