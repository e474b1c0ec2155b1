import { expect, test } from "vitest";
import type { Config, Usage } from "@quire/core";
import { createAccount } from "./account.js";
import { billOf, type Prices } from "./bill.js";
import { billLine } from "./bill-text.js";
import { sessionBill } from "./session-bill.js";

const models: Prices = {
  find: (_provider, model) =>
    model === "unknown"
      ? undefined
      : { usdPerMillion: () => ({ input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 }) },
};

const marked = { ttlSeconds: 300, read: 0.1, write: 1.25 };
const byItself = { ttlSeconds: 300, read: 0.1, write: 1 };
const ref = { provider: "vendor", id: "one" };

/** Writes a log as core does; each turn has one request unless told otherwise. */
function session(turnName = "t") {
  const records: Config[] = [{ type: "session", format: 1, id: "s", depth: 0, at: at(0) }];
  let minutes = 0;
  let turns = 0;
  const add = (record: Config) => void records.push({ ...record, at: at(minutes) });
  return {
    records,
    add,
    wait: (more: number) => void (minutes += more),
    baseline(cause: string, sections: Readonly<Record<string, string>>, model = ref) {
      const list = Object.entries(sections).map(([name, hash]) => ({ name, hash, plugin: name.split("/")[0] }));
      const pieces = Object.entries(sections).map(([section, text]) => ({ text, section, from: { kind: "plugin" } }));
      add({ type: "baseline", baseline: { id: JSON.stringify(sections), cause, model, sections: list, pieces } });
    },
    turn(usage: Partial<Usage> | null, more: Config = {}, { isNew = true } = {}) {
      if (isNew) add({ type: "turn-start", turn: `${turnName}${(turns += 1)}` });
      const turn = `${turnName}${turns}`;
      add({ type: "request", turn, request: 1, attempt: 1, cache: marked, messages: 1, ...more });
      if (usage === null) return;
      const full = { input: 0, cacheRead: 0, cacheWrite: 0, output: 10, ...usage };
      add({ type: "message", turn, message: { id: "m", role: "assistant", content: [], usage: full } });
      add({ type: "turn-end", turn });
    },
  };
}

function at(minutes: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
}

function missedIn(records: readonly Config[]) {
  return sessionBill(records, models).total.cache.missed;
}

test("sums tokens and their price by turn and session", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ input: 100, cacheWrite: 4_000 });
  log.turn({ input: 50, cacheRead: 4_000, cacheWrite: 200 });
  const { turns, total } = sessionBill(log.records, models);
  expect(turns.map(({ number, requests }) => [number, requests])).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(turns[0]?.cost).toEqual({ usd: (100 * 3 + 4_000 * 3.75 + 10 * 15) / 1e6, unpriced: [] });
  expect(total.usage).toEqual({ input: 150, cacheRead: 4_000, cacheWrite: 4_200, output: 20 });
  expect(total.cache).toEqual({ expected: 4_000, read: 4_000, missed: [] });
});

test("names models without a price and shows no cost where no price is known", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" }, { provider: "vendor", id: "unknown" });
  log.turn({ input: 100 });
  expect(sessionBill(log.records, models).total.cost).toBeNull();
  expect(billLine(sessionBill(log.records, models).total)).toBe("0 read, 0 written, 100 uncached, 10 out");
  log.baseline("model", { "a/x": "1" });
  log.turn({ input: 100 });
  expect(sessionBill(log.records, models).total.cost).toEqual({ usd: 0.00045, unpriced: ["vendor/unknown"] });
});

test.for([
  {
    cause: "rebase",
    before: {},
    after: { "a/x": "2" },
    want: { event: "rebase", message: "a new prefix was asked for" },
  },
  {
    cause: "changed",
    before: {},
    after: { "a/x": "1", "b/y": "2" },
    want: { event: "changed", section: "b/y", plugin: "b", message: 'section "b/y" changed in the prefix' },
  },
  {
    cause: "changed",
    before: { "b/y": "1" },
    after: { "a/x": "1" },
    want: { event: "changed", section: "b/y", plugin: "b", message: 'section "b/y" left the prefix' },
  },
  { cause: "compact", before: {}, after: { "a/x": "1" }, want: { event: "compact" } },
  {
    cause: "changed",
    before: {},
    after: { "a/x": "1" },
    want: { event: "changed", message: "the declared tools, or the order of sections, changed" },
  },
])("a new baseline explains what was not read: $want", ({ cause, before, after, want }) => {
  const log = session();
  log.baseline("start", { "a/x": "1", ...before });
  log.turn({ cacheWrite: 4_000 });
  log.baseline(cause, after);
  log.turn({ cacheWrite: 4_500 });
  const missed = missedIn(log.records);
  expect(missed).toHaveLength(1);
  expect(missed[0]).toMatchObject({ turn: 2, request: 1, tokens: 4_000, ...want });
  expect(missed[0]?.usd).toBe((4_000 * (3.75 - 0.3)) / 1e6);
});

test("a cold cache explains what was not read, also when nothing changed", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ cacheWrite: 4_000 });
  log.wait(12);
  log.turn({ cacheWrite: 4_500 });
  expect(missedIn(log.records)).toMatchObject([
    { event: "idle", tokens: 4_000, message: "nothing was sent for 12 min, and the cache lives 5 min" },
  ]);
});

test("a cache-bust explains what was not read, with its plugin and section", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ cacheWrite: 4_000 });
  const bust = { message: 'Tool "t" differs', section: "a/x", plugin: "meddler" };
  log.turn({ cacheRead: 500, cacheWrite: 4_000 }, { bust });
  expect(missedIn(log.records)).toMatchObject([{ event: "cache-bust", tokens: 3_500, ...bust }]);
});

test("an edit that stood for one turn explains that turn and the next", () => {
  const log = session();
  log.baseline("start", { "a/x": "1", "b/y": "1" });
  log.turn({ cacheWrite: 4_000 });
  const pieces = [
    { text: "1", section: "a/x", from: { kind: "plugin" } },
    { text: "other", section: "b/y", from: { kind: "turn" } },
  ];
  log.turn({ cacheRead: 1_000, cacheWrite: 3_000 }, { system: { text: "1other", regions: [] }, pieces });
  log.turn({ cacheRead: 1_000, cacheWrite: 3_500 });
  expect(missedIn(log.records)).toMatchObject([
    { turn: 2, event: "turn-edit", section: "b/y", message: 'section "b/y" stood changed for this turn' },
    { turn: 3, event: "turn-edit", section: "b/y", message: 'section "b/y" stood changed for the turn before' },
  ]);
});

test("tools that are not those of the request before explain what was not read", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ cacheWrite: 4_000 });
  log.turn({ cacheWrite: 4_000 }, { tools: [] });
  log.turn({ cacheRead: 4_000, cacheWrite: 100 }, { tools: [] });
  expect(missedIn(log.records)).toMatchObject([{ turn: 2, event: "tools", tokens: 4_000 }]);
});

test("another model explains that nothing was read, and goes before other reasons", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ cacheWrite: 4_000 });
  log.baseline("model", { "a/x": "1" }, { provider: "vendor", id: "two" });
  log.turn({ cacheWrite: 4_000 });
  expect(missedIn(log.records)).toMatchObject([{ event: "model", tokens: 4_000 }]);
});

test("a repeated request keeps its reason, and what failed costs nothing", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ cacheWrite: 4_000 });
  log.baseline("rebase", { "a/x": "2" });
  log.turn(null);
  log.turn({ cacheWrite: 4_000 }, { attempt: 2 }, { isNew: false });
  const { turns } = sessionBill(log.records, models);
  expect(turns[1]?.requests).toBe(1);
  expect(missedIn(log.records)).toMatchObject([{ event: "rebase", turn: 2 }]);
});

test("a request that was stopped leaves the account as it was", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ cacheWrite: 4_000 });
  log.turn({ output: 0 });
  log.turn({ cacheRead: 4_000, cacheWrite: 100 });
  expect(missedIn(log.records)).toEqual([]);
  expect(sessionBill(log.records, models).turns[1]?.cost).toBeNull();
});

test("of a vendor that caches by itself whole steps are expected, from its least size on", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ input: 1_000 }, { cache: byItself });
  log.turn({ input: 3_000 }, { cache: byItself });
  log.turn({ input: 500, cacheRead: 2_944 }, { cache: byItself });
  log.baseline("rebase", { "a/x": "2" });
  log.turn({ input: 4_000 }, { cache: byItself });
  const { turns } = sessionBill(log.records, models);
  expect(turns.map(({ cache }) => cache.expected)).toEqual([0, 0, 2_944, 3_328]);
  expect(missedIn(log.records)).toMatchObject([{ turn: 4, event: "rebase", tokens: 3_328, usd: 0.008986 }]);
});

test("a vendor that forgets without a reason is told only when it is much and he reports caches at all", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ input: 30_000 }, { cache: byItself });
  log.turn({ input: 31_000 }, { cache: byItself });
  expect(missedIn(log.records)).toEqual([]);
  log.turn({ input: 1_000, cacheRead: 30_976 }, { cache: byItself });
  log.turn({ input: 2_000, cacheRead: 30_976 }, { cache: byItself });
  expect(missedIn(log.records)).toEqual([]);
  log.turn({ input: 33_000 }, { cache: byItself });
  expect(missedIn(log.records)).toMatchObject([{ turn: 5, event: "unexplained" }]);
});

test("a copy pays its own turns alone, and finds in the cache what its parent left there", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ cacheWrite: 4_000 });
  log.wait(2);
  const copy = session("c");
  copy.wait(2);
  copy.records.splice(0, 1, { type: "session", format: 1, id: "c", depth: 0, parent: "s", at: at(2) });
  copy.records.push(...log.records.slice(1));
  copy.turn({ cacheRead: 4_000, cacheWrite: 100 });
  const { turns, total } = sessionBill(copy.records, models);
  expect(turns.map(({ number }) => number)).toEqual([2]);
  expect(total.usage).toMatchObject({ cacheRead: 4_000, cacheWrite: 100 });
  expect(total.cache).toEqual({ expected: 4_000, read: 4_000, missed: [] });
});

test("a summary between turns and inside one is paid too", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  log.turn({ cacheWrite: 4_000 });
  const usage = { input: 10, cacheRead: 4_000, cacheWrite: 50, output: 200 };
  log.add({ type: "request", turn: "c1", request: 0, attempt: 1, purpose: "compact", cache: marked, messages: 2 });
  log.add({ type: "compact", turn: "c1", message: {}, kept: 0, usage });
  log.baseline("compact", { "a/x": "1" });
  log.turn({ cacheRead: 1_000, cacheWrite: 500 });
  const { turns, total } = sessionBill(log.records, models);
  expect(turns.map(({ number }) => number)).toEqual([1, null, 2]);
  expect(turns[1]).toMatchObject({ usage, cache: { missed: [] } });
  expect(total.usage.output).toBe(220);
  expect(missedIn(log.records)).toMatchObject([{ turn: 2, event: "compact", tokens: 3_050 }]);
});

test("an account takes records one by one, and reads nothing twice", () => {
  const log = session();
  log.baseline("start", { "a/x": "1" });
  for (let turn = 0; turn < 50; turn++) log.turn({ cacheRead: turn * 100, cacheWrite: 100 });
  const account = createAccount();
  const sizes: number[] = [];
  for (const record of log.records) {
    account.take(record);
    if (record["type"] === "turn-end") sizes.push(billOf(account.turns.slice(-1), models).usage.cacheRead);
  }
  expect(sizes.at(-1)).toBe(4_900);
  expect(billOf(account.turns, models)).toEqual(sessionBill(log.records, models).total);
});

test("a bill in one line groups digits and names what was missed, its price and who did it", () => {
  const line = billLine({
    usage: { input: 12, cacheRead: 1_234_567, cacheWrite: 1_000, output: 3 },
    cost: { usd: 0.01234, unpriced: [] },
    cache: {
      expected: 2_000_000,
      read: 1_234_567,
      missed: [
        { turn: 1, request: 1, tokens: 765_433, event: "changed", message: "it changed", plugin: "p", usd: 2.5 },
      ],
    },
  });
  expect(line).toBe(
    "1,234,567 read, 1,000 written, 12 uncached, 3 out; $0.0123; 765,433 not read from the cache, $2.50: it changed (p)",
  );
});
