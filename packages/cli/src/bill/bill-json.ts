import type { TurnBill } from "./ledger.js";

/** The bill of a turn in JSON output, beside its `usage`. Without a request of the model it is empty. */
export function billJson(bill: TurnBill | undefined): TurnBill {
  return bill ?? { cost: null, cache: null };
}
