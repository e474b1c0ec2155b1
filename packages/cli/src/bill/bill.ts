import type { Usage } from "@quire/core";
import type { ModelTable } from "@quire/loader";
import { addUsage, noUsage, type RequestAccount, type TurnAccount } from "./account.js";
import type { Miss } from "./cache-view.js";

/** Where prices come from. */
export type Prices = Pick<ModelTable, "find">;

/** What requests cost. Tokens; `input` is what no cache served or stored. */
export interface Bill {
  readonly usage: Usage;
  readonly cost: Cost | null;
  readonly cache: {
    /** Tokens that the requests before had left in the vendor's cache, and those that were read. */
    readonly expected: number;
    readonly read: number;
    readonly missed: readonly (Miss & {
      readonly turn: number | null;
      readonly request: number;
      /** US dollars more than a read would have cost; null without a known price. */
      readonly usd: number | null;
    })[];
  };
}

/** US dollars of the requests whose model has a known price; `unpriced` names the other models. Null: none has. */
export interface Cost {
  readonly usd: number;
  readonly unpriced: readonly string[];
}

/** The bill of some turns of a session. */
export function billOf(turns: readonly TurnAccount[], models: Prices): Bill {
  const requests = turns.flatMap((turn) => turn.requests.map((request) => ({ ...request, turn: turn.number })));
  const read = requests.reduce((sum, { usage }) => sum + (usage?.cacheRead ?? 0), 0);
  return {
    usage: requests.reduce((sum, { usage }) => addUsage(sum, usage ?? noUsage), noUsage),
    cost: costOf(requests, models),
    cache: {
      expected: requests.reduce((sum, { usage, expected }) => sum + (usage === null ? 0 : expected), 0),
      read,
      missed: requests.flatMap(({ turn, request, model, usage, miss }) =>
        miss === null ? [] : [{ turn, request, ...miss, usd: missedUsd(model, usage, miss.tokens, models) }],
      ),
    },
  };
}

/** The cost of requests of any models. */
export function costOf(requests: readonly Pick<RequestAccount, "model" | "usage">[], models: Prices): Cost | null {
  let usd = 0;
  let priced = 0;
  const unpriced = new Set<string>();
  for (const { model, usage } of requests) {
    if (usage === null) continue;
    const price = priceOf(model, usage, models);
    if (price === undefined) unpriced.add(model);
    else {
      priced += 1;
      usd += dollars(usage, price);
    }
  }
  return priced === 0 ? null : { usd: rounded(usd), unpriced: [...unpriced] };
}

function priceOf(model: string, usage: Usage, models: Prices): Usage | undefined {
  const [provider = "", ...rest] = model.split("/");
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return models.find(provider, rest.join("/"))?.usdPerMillion(prompt);
}

function dollars(usage: Usage, price: Usage): number {
  const of = (kind: keyof Usage) => usage[kind] * price[kind];
  return (of("input") + of("cacheRead") + of("cacheWrite") + of("output")) / 1e6;
}

/** What missed tokens cost as they were paid, less what reading them would have. */
function missedUsd(model: string, usage: Usage | null, tokens: number, models: Prices): number | null {
  const price = usage === null ? undefined : priceOf(model, usage, models);
  if (usage === null || price === undefined) return null;
  const paid = usage.cacheWrite > 0 ? price.cacheWrite : price.input;
  return rounded((tokens * (paid - price.cacheRead)) / 1e6);
}

/** To a millionth of a dollar: less is the noise of floating point. */
function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}
