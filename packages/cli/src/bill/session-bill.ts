import type { Config } from "@quire/core";
import { createAccount } from "./account.js";
import { billOf, type Bill, type Prices } from "./bill.js";

/** What a stored session cost. */
export interface SessionBill {
  readonly turns: readonly (Bill & {
    readonly id: string;
    /** Null for a compaction between turns. */
    readonly number: number | null;
    /** How many were sent. */
    readonly requests: number;
  })[];
  readonly total: Bill;
}

/** The bill of a session from its records alone; what a copy inherited was paid by its parent. */
export function sessionBill(records: readonly Config[], models: Prices): SessionBill {
  const account = createAccount();
  for (const record of records) account.take(record);
  const turns = account.turns.filter(({ isInherited }) => !isInherited);
  return {
    turns: turns.map((turn) => {
      return { id: turn.id, number: turn.number, requests: turn.requests.length, ...billOf([turn], models) };
    }),
    total: billOf(turns, models),
  };
}
