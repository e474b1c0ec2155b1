import { expect, test } from "vitest";
import type { Config } from "@quire/core";
import type { SessionLog } from "@quire/core/host";
import type { Prices } from "./bill.js";
import { createLedger } from "./ledger.js";

const models: Prices = {
  find: () => ({ usdPerMillion: () => ({ input: 1, cacheRead: 0, cacheWrite: 1, output: 1 }) }),
};
const unstored = { model: "v/m", usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } };

function memoryLog(stored: readonly Config[] = []): SessionLog & { readonly kept: Config[] } {
  const kept: Config[] = [];
  return {
    kept,
    append: async (_session, record) => void kept.push(record),
    async *read() {
      yield* stored;
    },
  };
}

function turnRecords(turn: string, input: number): readonly Config[] {
  const cache = { ttlSeconds: 300, read: 0.1, write: 1 };
  const usage = { input, cacheRead: 0, cacheWrite: 0, output: 0 };
  return [
    { type: "turn-start", turn },
    { type: "request", turn, request: 1, attempt: 1, messages: 1, model: { provider: "v", id: "m" }, cache },
    { type: "message", turn, message: { role: "assistant", content: [], usage } },
    { type: "turn-end", turn },
  ].map((record) => ({ ...record, at: "2026-01-01T00:00:00Z" }));
}

async function write(log: SessionLog, session: string, records: readonly Config[]): Promise<void> {
  for (const record of records) await log.append(session, record);
}

test("a turn is billed by itself, whatever the session had before", async () => {
  const ledger = createLedger();
  const stored = memoryLog(turnRecords("t1", 1_000_000));
  const log = ledger.overhear(stored);
  for await (const _ of log.read("main")) continue;
  const close = ledger.startTurn("main");
  await write(log, "main", turnRecords("t2", 2_000_000));
  expect(stored.kept).toHaveLength(4);
  expect(close(unstored, models)).toMatchObject({ cost: { usd: 2 }, cache: { missed: [] } });
  const idle = ledger.startTurn("main");
  expect(idle(unstored, models)).toMatchObject({ cost: null });
});

test("a log that is read again is not counted again", async () => {
  const ledger = createLedger();
  const log = ledger.overhear(memoryLog(turnRecords("t1", 1_000_000)));
  const close = ledger.startTurn("main");
  for (let times = 0; times < 2; times++) for await (const _ of log.read("main")) continue;
  expect(close(unstored, models).cost).toEqual({ usd: 1, unpriced: [] });
});

test("what subagents spend during a turn is part of its cost, and told apart", async () => {
  const ledger = createLedger();
  const log = ledger.overhear(memoryLog());
  const close = ledger.startTurn("main");
  await write(log, "main", [{ type: "session", depth: 0 }, ...turnRecords("t1", 1_000_000)]);
  await write(log, "child", [{ type: "session", depth: 1 }, ...turnRecords("c1", 500_000)]);
  expect(close(unstored, models)).toMatchObject({
    cost: { usd: 1.5 },
    subagents: { usage: { input: 500_000 }, cost: { usd: 0.5 } },
  });
  const next = ledger.startTurn("main");
  await write(log, "main", turnRecords("t2", 1_000_000));
  expect(next(unstored, models)).not.toHaveProperty("subagents");
});

test("a turn without a log is billed by what it reports", () => {
  const usage = { input: 3_000_000, cacheRead: 0, cacheWrite: 0, output: 0 };
  const bill = createLedger().startTurn("main")({ model: "v/m", usage }, models);
  expect(bill).toEqual({ cost: { usd: 3, unpriced: [] }, cache: null });
});

test("a record that the disk refuses is not heard", async () => {
  const ledger = createLedger();
  const refusing: SessionLog = { ...memoryLog(), append: () => Promise.reject(new Error("full")) };
  const close = ledger.startTurn("main");
  await expect(write(ledger.overhear(refusing), "main", turnRecords("t1", 1))).rejects.toThrow("full");
  expect(close(unstored, models).cache).toBeNull();
});
