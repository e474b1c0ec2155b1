import { expect, test } from "vitest";
import type { Config, ProviderRequest } from "@quire/core";
import { QuireError } from "@quire/core";
import { recordedTurns, replayRequest } from "@quire/loader";
import { type Bed, load, openBed, plugin } from "../support/core-bed.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { createMemoryLog, type MemoryLog } from "../support/memory-log.js";
import { calls, createScriptedProvider, says, type ScriptedProvider } from "../support/scripted-provider.js";

/** Everything that can stand in a request: prefix, deltas, a tail, tools, per-turn edits, a tap that changes it. */
const house = plugin("house", (host) => {
  host.sections.register({ name: "house/name", slot: "identity", cache: "memoized", compute: () => "You are Q." });
  host.sections.register({
    name: "house/rules",
    slot: "rules",
    cache: "memoized",
    compute: (context) => context.read("/repo/RULES.md"),
  });
  host.sections.register({
    name: "house/mood",
    slot: "session",
    cache: { volatile: "moods change every turn" },
    compute: (context) => context.read("/repo/MOOD.md"),
  });
  host.sections.register({
    name: "house/clock",
    slot: "end",
    cache: { volatile: "time goes by at each request", deliver: "tail" },
    compute: () => "It is noon.",
  });
  host.sections.register({
    name: "house/compact",
    slot: "end",
    cache: "memoized",
    audience: ["compaction"],
    compute: () => "Write down what matters.",
  });
  host.tools.register({
    name: "house/look",
    description: "looks",
    effect: "read",
    input: { type: "object" },
    execute: () => "seen",
  });
  host.hooks.beforeAgentStart.tap((start) => {
    if (start.prompt.includes("bust")) start.edits.replace("house/name", "You are R.", { bust: "asked for" });
    if (start.prompt.includes("edit")) start.edits.append({ slot: "end" }, "Only now.");
    if (start.prompt.includes("note")) start.addContext("A note.");
  });
  host.hooks.beforeProviderRequest.tap((request, context) => {
    if (context.request === 2) return { ...request, params: { effort: "high" } };
    const words = JSON.stringify(request.messages.findLast(({ role }) => role === "user"));
    if (!words.includes("forget")) return undefined;
    return { ...request, messages: request.messages.slice(-2), system: { text: "Nothing.", regions: [] } };
  });
});

function recordsOf(log: MemoryLog, id: string): readonly Config[] {
  return log.records.filter(({ session }) => session === id).map(({ record }) => record);
}

/** What a request is compared by: all but the tail, which the log does not keep. */
function comparable({ model, system, tools, messages, cacheKey, params }: ProviderRequest): string {
  return JSON.stringify({ model, system, tools, messages, cacheKey, params });
}

/** Each request of the session's turns as the provider got it, beside the one that the log gives. */
function pairs(log: MemoryLog, id: string, sent: readonly ProviderRequest[]): readonly (readonly [string, string])[] {
  const records = recordsOf(log, id);
  const asked = records.filter(({ type }) => type === "request");
  expect(asked).toHaveLength(sent.length);
  return recordedTurns(records).flatMap((turn) =>
    turn.requests.map((request) => {
      const index = asked.findLastIndex(
        (each) => each["turn"] === turn.id && each["request"] === request && each["purpose"] === undefined,
      );
      const was = sent[index] ?? expect.fail("no such request");
      return [comparable(was), comparable(replayRequest(records, turn.number, request).body)] as const;
    }),
  );
}

async function busySession(log: MemoryLog, provider: ScriptedProvider): Promise<Bed> {
  const files = createMemoryFiles({ "/repo/RULES.md": "A", "/repo/MOOD.md": "calm" });
  const bed = await openBed({ plugins: [house], files, log, provider, timeScale: 0.001 });
  await bed.send("1");
  files.write("/repo/RULES.md", "B");
  await bed.send("2 note");
  await bed.send("3 bust");
  await bed.send("4 edit");
  files.write("/repo/MOOD.md", "wild");
  await bed.send("5 forget");
  await bed.send("6");
  await bed.session.rebase();
  await bed.send("7");
  await bed.session.compact("long", new AbortController().signal).result;
  await bed.send("8");
  await bed.session.clear();
  await bed.send("9");
  return bed;
}

const replies = [
  calls(["look"], ["look"]),
  says("one"),
  [{ type: "text", delta: "tw" } as const, new Error("broken")],
  says("two"),
  calls(["look"]),
  says("three"),
];

test("every request of every turn is rebuilt byte for byte from the log", async () => {
  const log = createMemoryLog();
  const provider = createScriptedProvider(replies);
  const bed = await busySession(log, provider);
  const found = pairs(log, bed.session.info.id, provider.requests);
  // 9 turns, two of them with two requests; the repeated attempt and the summary are no requests of their own.
  expect(found).toHaveLength(11);
  for (const [sent, replayed] of found) expect(replayed).toBe(sent);
});

test("the record of a request is small however long the history is", async () => {
  const log = createMemoryLog();
  const bed = await openBed({ plugins: [house], log, files: { "/repo/RULES.md": "A" } });
  for (let turn = 1; turn <= 30; turn++) await bed.send(`words of turn ${turn}`);
  const sizes = recordsOf(log, bed.session.info.id)
    .filter(({ type }) => type === "request")
    .map((record) => JSON.stringify(record).length);
  expect(sizes).toHaveLength(30);
  expect(Math.max(...sizes.slice(1)) - Math.min(...sizes.slice(1))).toBeLessThan(5);
  expect(Math.max(...sizes)).toBeLessThan(500);
});

test("a session goes on after an upgrade and a crash, and its old turns are rebuilt as they were", async () => {
  const log = createMemoryLog();
  const provider = createScriptedProvider([says("one"), [{ type: "text", delta: "half an ans" }]]);
  const files = createMemoryFiles({ "/repo/RULES.md": "A" });
  const first = await openBed({ plugins: [house], files, log, provider });
  await first.send("1");
  const id = first.session.info.id;
  // The process dies in the middle of the second answer.
  const before = log.records.length;
  await first.send("2");
  const torn = createMemoryLog(
    log.records.filter(({ record }, index) => index < before || record["type"] !== "turn-end").slice(0, -1),
  );
  const cut = torn.records.findLastIndex(({ record }) => record["type"] === "partial");
  const crashed = createMemoryLog(torn.records.slice(0, cut + 1));

  const newer = plugin("house", (host) => {
    host.sections.register({ name: "house/name", slot: "identity", cache: "memoized", compute: () => "You are S." });
  });
  const second = createScriptedProvider([says("three")]);
  const resumed = await openBed({
    plugins: [load(newer, { version: "2.0.0", hash: "new" })],
    files,
    log: crashed,
    provider: second,
    open: { resume: id },
  });
  await resumed.send("3");
  const found = pairs(crashed, id, [...provider.requests, ...second.requests]);
  expect(found).toHaveLength(3);
  for (const [sent, replayed] of found) expect(replayed).toBe(sent);
  expect(found[2]?.[0]).toContain("half an ans");
});

test("a copy of a session replays what it inherited as it was sent then", async () => {
  const log = createMemoryLog();
  const provider = createScriptedProvider();
  const first = await openBed({ plugins: [house], log, provider, files: { "/repo/RULES.md": "A" } });
  await first.send("1");
  const copy = await openBed({
    plugins: [house],
    log,
    provider,
    files: { "/repo/RULES.md": "A" },
    open: { fork: first.session.info.id },
  });
  await copy.send("2");
  for (const [sent, replayed] of pairs(log, copy.session.info.id, provider.requests)) expect(replayed).toBe(sent);
});

test("a replay tells sections, tools, what was told, and the size of a tail it cannot show", async () => {
  const log = createMemoryLog();
  const bed = await busySession(log, createScriptedProvider(replies));
  const records = recordsOf(log, bed.session.info.id);
  const second = replayRequest(records, 2);
  expect(second.baseline).toMatchObject({
    cause: "start",
    owners: { look: "house" },
    sections: [
      { name: "house/name", slot: "identity", plugin: "house", content: { text: "You are Q." } },
      { name: "house/rules", slot: "rules", content: { text: "A" } },
    ],
  });
  expect(second.context).toMatchObject([{ section: "house/rules" }, { cause: "note" }]);
  expect(second.tail).toMatchObject({ bytes: "It is noon.".length });
  expect(second.body.tail).toBe("");
  const busted = replayRequest(records, 3);
  expect(busted.body.system.text).toContain("You are R.");
  expect(busted.pieces.map(({ text }) => text).join("")).toBe(busted.body.system.text);
});

test("a summary's request is in the log with what it cost, and is no request of a turn", async () => {
  const log = createMemoryLog();
  const bed = await busySession(log, createScriptedProvider(replies));
  const records = recordsOf(log, bed.session.info.id);
  expect(records.filter(({ purpose }) => purpose === "compact")).toHaveLength(1);
  expect(records.find(({ type }) => type === "compact")?.["usage"]).toMatchObject({ output: 5 });
});

test.for([
  { name: "a turn that is not there", turn: 10, request: 1, code: "turn-unknown", says: "from 1 to 9" },
  { name: "a request that was not sent", turn: 1, request: 3, code: "request-unknown", says: "It sent 2" },
])("$name is refused with what there is", async ({ turn, request, code, says: fix }) => {
  const log = createMemoryLog();
  const bed = await busySession(log, createScriptedProvider(replies));
  try {
    replayRequest(recordsOf(log, bed.session.info.id), turn, request);
    expect.fail("accepted");
  } catch (error) {
    if (!QuireError.is(error)) throw error;
    expect(error.diagnostic).toMatchObject({ code, fix: expect.stringContaining(fix) as string });
  }
});

test("a log that lost messages is refused, not guessed", async () => {
  const log = createMemoryLog();
  const bed = await busySession(log, createScriptedProvider(replies));
  const records = recordsOf(log, bed.session.info.id).filter(({ type }, index) => type !== "message" || index > 12);
  expect(() => replayRequest(records, 2)).toThrow("replay-incomplete");
});
