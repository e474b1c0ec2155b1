import type { Bill, Cost } from "./bill.js";
import type { TurnBill } from "./ledger.js";

/** A bill in one line without its end. */
export function billLine({ usage, cost, cache }: Pick<Bill, "usage" | "cost"> & Pick<TurnBill, "cache">): string {
  const tokens = [
    `${grouped(usage.cacheRead)} read`,
    `${grouped(usage.cacheWrite)} written`,
    `${grouped(usage.input)} uncached`,
    `${grouped(usage.output)} out`,
  ];
  const missed = (cache?.missed ?? []).map(({ tokens, message, plugin, usd }) => {
    const price = usd === null ? "" : `, ${dollars(usd)}`;
    return `${grouped(tokens)} not read from the cache${price}: ${message}${plugin === undefined ? "" : ` (${plugin})`}`;
  });
  return [`${tokens.join(", ")}${costText(cost)}`, ...missed].join("; ");
}

function costText(cost: Cost | null): string {
  if (cost === null) return "";
  const rest = cost.unpriced.length === 0 ? "" : ` and ${cost.unpriced.join(", ")}`;
  return `; ${dollars(cost.usd)}${rest}`;
}

/** Enough digits that a turn is not nothing. */
function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
