import type { Config, TurnResult } from "@quire/core";
import type { SessionLog } from "@quire/core/host";
import { createAccount, type Account } from "./account.js";
import { billOf, costOf, type Bill, type Cost, type Prices } from "./bill.js";

/** The bill of one turn as output formats show it. `cache` is null when nothing of the session is stored. */
export type TurnBill = Pick<Bill, "cost"> & {
  readonly cache: Bill["cache"] | null;
  /** What subagents cost meanwhile; absent when there were none. */
  readonly subagents?: Pick<Bill, "usage" | "cost">;
};

/** Hears what the session log gets, and so knows at each moment what was spent. */
export interface Ledger {
  /** The log, overheard. */
  overhear(log: SessionLog): SessionLog;
  /** Called before a turn. @returns Called after it: what it cost. */
  startTurn(session: string): (turn: UnstoredTurn, models: Prices) => TurnBill;
}

/** What is known of a turn without a log. */
export interface UnstoredTurn {
  /** `provider/model` */
  readonly model: string;
  readonly usage: TurnResult["usage"];
}

export function createLedger(): Ledger {
  const accounts = new Map<string, Account>();
  const hear = (session: string, record: Config): void => {
    let account = accounts.get(session);
    if (account === undefined) accounts.set(session, (account = createAccount()));
    account.take(record);
  };
  return {
    overhear: (log) => ({
      append: async (session, record) => {
        await log.append(session, record);
        hear(session, record);
      },
      async *read(session) {
        const isNew = !accounts.has(session);
        for await (const record of log.read(session)) {
          if (isNew) hear(session, record);
          yield record;
        }
      },
    }),
    startTurn(session) {
      const before = new Map([...accounts].map(([id, { turns }]) => [id, turns.length]));
      const freshTurns = (isWanted: (id: string, account: Account) => boolean) =>
        [...accounts].flatMap(([id, account]) =>
          isWanted(id, account) ? account.turns.slice(before.get(id) ?? 0) : [],
        );
      return ({ model, usage }, models) => {
        const children = freshTurns((id, { depth }) => id !== session && depth > 0);
        const others = billOf(children, models);
        const subagents = children.length > 0 && { subagents: { usage: others.usage, cost: others.cost } };
        if (!accounts.has(session)) {
          return { cost: sum(costOf([{ model, usage }], models), others.cost), cache: null, ...subagents };
        }
        const { cost, cache } = billOf(
          freshTurns((id) => id === session),
          models,
        );
        return { cost: sum(cost, others.cost), cache, ...subagents };
      };
    },
  };
}

function sum(a: Cost | null, b: Cost | null): Cost | null {
  if (a === null || b === null) return a ?? b;
  return { usd: a.usd + b.usd, unpriced: [...new Set([...a.unpriced, ...b.unpriced])] };
}
