import type { Config, Message, Usage } from "@quire/core";
import { createCacheView, type Miss } from "./cache-view.js";

/** One request of a session as its log tells it. */
export interface RequestAccount {
  readonly request: number;
  /** `compact`: it asked for a summary. */
  readonly purpose: "turn" | "compact";
  /** `provider/model` */
  readonly model: string;
  /** Tokens; null when no answer came. */
  usage: Usage | null;
  /** Tokens that the request before left in the vendor's cache. */
  expected: number;
  /** What was read less than expected, and why. */
  miss: Miss | null;
}

/** One turn, or one `/compact` by itself. */
export interface TurnAccount {
  readonly id: string;
  /** From 1; null for a compaction between turns. */
  readonly number: number | null;
  /** Copied from the session it was forked from, and paid there. */
  readonly isInherited: boolean;
  readonly requests: RequestAccount[];
}

/** The account of one session, record by record. */
export interface Account {
  /** 0 for the user's own session. */
  readonly depth: number;
  readonly turns: readonly TurnAccount[];
  take(record: Config): void;
}

/** Reads records in the order of the log; each costs no more however long the session is. */
export function createAccount(): Account {
  const turns: TurnAccount[] = [];
  const byId = new Map<string, TurnAccount>();
  const cache = createCacheView();
  let depth = 0;
  /** Epoch milliseconds; of a copy everything before is its parent's. */
  let copiedAt = 0;
  let started = 0;
  let open: RequestAccount | undefined;
  const turnOf = (id: string, number: number | null, at: number): TurnAccount => {
    const turn = byId.get(id) ?? { id, number, isInherited: at < copiedAt, requests: [] };
    if (!byId.has(id)) {
      byId.set(id, turn);
      turns.push(turn);
    }
    return turn;
  };
  const answered = (usage: Usage | undefined, at: number): void => {
    // A request that was stopped or failed reports nothing.
    if (open === undefined || usage === undefined || Object.values(usage).every((tokens) => tokens === 0)) return;
    open.usage = usage;
    Object.assign(open, cache.answer(usage, at));
    open = undefined;
  };
  return {
    get depth() {
      return depth;
    },
    turns,
    take(record) {
      const { type, turn } = record;
      if (type === "partial") return;
      const at = Date.parse(String(record["at"]));
      if (type === "session") {
        depth = Number(record["depth"] ?? 0);
        if (record["parent"] !== undefined) copiedAt = at;
      } else if (type === "turn-start") turnOf(String(turn), (started += 1), at);
      else if (type === "request") {
        const model = cache.request(record, at);
        const purpose = record["purpose"] === "compact" ? "compact" : "turn";
        open = { request: Number(record["request"]), purpose, model, usage: null, expected: 0, miss: null };
        const { requests } = turnOf(String(turn), null, at);
        // A repeated request takes the place of the one that failed.
        const last = requests.at(-1);
        const isAgain = last?.usage === null && last.request === open.request && last.purpose === purpose;
        requests.splice(isAgain ? -1 : requests.length, isAgain ? 1 : 0, open);
      } else if (type === "message") {
        const message = record["message"] as Message;
        if (message.role === "assistant" && open?.purpose === "turn") answered(message.usage, at);
      } else {
        if (type === "compact") answered(record["usage"] as Usage | undefined, at);
        cache.note(record);
      }
    },
  };
}

export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  };
}
