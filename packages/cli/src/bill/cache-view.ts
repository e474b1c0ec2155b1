import type { Caps, Config, ModelRef, Pieces, Usage } from "@quire/core";

/** Why less was read from the vendor's cache than was there. */
export interface Miss {
  /** Tokens that were paid anew. */
  readonly tokens: number;
  /** `idle`, `model`, `compact`, `clear`, `rebase`, `changed`, `cache-bust`, `turn-edit`, …; `unexplained`. */
  readonly event: string;
  readonly message: string;
  readonly section?: string;
  readonly plugin?: string;
}

type Reason = Omit<Miss, "tokens">;

/** What the vendor's cache should hold, from the records of a session. */
export interface CacheView {
  /** A request goes out. @returns Its model as `provider/model`. */
  request(record: Config, at: number): string;
  /** Its answer came: what was expected, and what was missed. */
  answer(usage: Usage, at: number): { readonly expected: number; readonly miss: Miss | null };
  /** Any other record: a new baseline is an event. */
  note(record: Config): void;
}

interface StoredBaseline {
  readonly id: string;
  readonly cause: string;
  readonly model: ModelRef;
  readonly pieces: Pieces;
  readonly sections: readonly { readonly name: string; readonly plugin: string; readonly hash: string }[];
}

/** The prefix that stands in a request: a baseline's, or one for this turn alone. Equal keys are equal bytes. */
interface Shown {
  readonly system: string;
  readonly tools: string;
  readonly pieces: Pieces;
}

export function createCacheView(): CacheView {
  /** What the last answered request left. */
  let left: { tokens: number; at: number; model: string } | undefined;
  let baseline: StoredBaseline | undefined;
  let forTurn: (Partial<Shown> & { readonly turn: unknown }) | undefined;
  let sent: { model: string; cache: Caps["cache"]; reasons: readonly Reason[] } | undefined;
  let lastShown: Shown | undefined;
  let pending: Reason[] = [];
  let hasEverRead = false;

  return {
    note({ type, baseline: fresh }) {
      if (type !== "baseline") return;
      const next = fresh as StoredBaseline;
      if (baseline !== undefined || next.cause !== "start") pending.push(baselineReason(next, baseline));
      baseline = next;
      forTurn = undefined;
    },
    request(record, at) {
      const { turn, cache, bust } = record;
      if (forTurn?.turn !== turn) forTurn = undefined;
      const { system, tools, pieces = [] } = record;
      if (system !== undefined) {
        forTurn = { ...forTurn, system: JSON.stringify(system), pieces: pieces as Pieces, turn };
      }
      if (tools !== undefined) forTurn = { ...forTurn, tools: JSON.stringify(tools), turn };
      const { provider, id } = (record["model"] ?? baseline?.model ?? { provider: "", id: "" }) as ModelRef;
      const model = `${provider}/${id}`;
      const { id: base = "", pieces: basePieces = [] } = baseline ?? {};
      const shown: Shown = { system: base, tools: base, pieces: basePieces, ...forTurn };
      const caps = (cache ?? { ttlSeconds: 300, read: 0.1, write: 1 }) as Caps["cache"];
      // A repeated request still has the reasons of the one that failed.
      const reasons = [...(sent?.reasons ?? []), ...pending];
      pending = [];
      if (bust !== undefined) reasons.push({ event: "cache-bust", ...(bust as Omit<Reason, "event">) });
      if (reasons.length === 0 && lastShown !== undefined) {
        if (lastShown.tools !== shown.tools) reasons.push(otherTools);
        else if (lastShown.system !== shown.system) {
          reasons.push(turnReason(lastShown, shown, forTurn?.system !== undefined));
        }
      }
      const idleMs = left === undefined ? 0 : at - left.at;
      if (idleMs > caps.ttlSeconds * 1_000 && reasons.every(({ event }) => event !== "idle")) {
        reasons.unshift(idleReason(idleMs, caps.ttlSeconds));
      }
      if (left !== undefined && left.model !== model && reasons.every(({ event }) => event !== "model")) {
        reasons.unshift({ event: "model", message: `the request before went to ${left.model}` });
      }
      sent = { model, cache: caps, reasons };
      lastShown = shown;
      return model;
    },
    answer(usage, at) {
      const expected = left?.tokens ?? 0;
      const { cacheRead, cacheWrite, input } = usage;
      hasEverRead ||= cacheRead + cacheWrite > 0;
      const model = sent?.model ?? "";
      const isMarked = (sent?.cache.write ?? 1) > 1 || cacheWrite > 0;
      // A vendor that caches by itself keeps whole steps of the prompt, if it is long enough.
      const whole = Math.floor((input + cacheRead) / stepTokens) * stepTokens;
      left = { tokens: isMarked ? cacheRead + cacheWrite : whole < leastTokens ? 0 : whole, at, model };
      const tokens = expected - cacheRead;
      const reason = sent?.reasons[0];
      sent = undefined;
      if (reason !== undefined && tokens > explainedTokens) return { expected, miss: { tokens, ...reason } };
      const isStrange = tokens > Math.max(strangeTokens, expected * strangeShare) && hasEverRead;
      return { expected, miss: isStrange ? { tokens, ...unexplained } : null };
    },
  };
}

/** Vendors that cache by themselves do so in steps, from a least size on. Source: OpenAI's guide "Prompt caching". */
const stepTokens = 128;
const leastTokens = 1_024;
/** Less is the rounding of steps. */
const explainedTokens = 2 * stepTokens;
/** Without an event to explain it a difference must be more than the coarsest steps of any vendor. */
const strangeTokens = 2_048;
const strangeShare = 0.1;

const unexplained: Reason = {
  event: "unexplained",
  message: "prefix and history were the same: the vendor no longer had them",
};

const otherTools: Reason = { event: "tools", message: "the declared tools are not those of the request before" };

const causes: Readonly<Record<string, string>> = {
  clear: "the conversation was cleared",
  model: "another model was chosen",
  layout: "another layout was chosen",
  deltas: "what was told beside the prefix had outgrown it",
  compact: "the history was compacted",
  rebase: "a new prefix was asked for",
  idle: "the cache had gone cold, and the prompt had changed since",
};

function baselineReason(next: StoredBaseline, before: StoredBaseline | undefined): Reason {
  const known = causes[next.cause];
  if (known !== undefined) return { event: next.cause, message: known };
  const old = before?.sections ?? [];
  const isIn = (list: StoredBaseline["sections"], { name, hash }: StoredBaseline["sections"][number]) =>
    list.some((other) => other.name === name && other.hash === hash);
  const changed = next.sections.find((section) => !isIn(old, section));
  const gone = old.find(({ name }) => next.sections.every((section) => section.name !== name));
  const section = changed ?? gone;
  if (section === undefined)
    return { event: next.cause, message: "the declared tools, or the order of sections, changed" };
  const { name, plugin } = section;
  const what = changed === undefined ? "left" : "changed in";
  return { event: next.cause, message: `section "${name}" ${what} the prefix`, section: name, plugin };
}

function turnReason(before: Shown, now: Shown, isEdited: boolean): Reason {
  const section = firstDifference(before.pieces, now.pieces);
  const named = section === undefined ? "the prefix" : `section "${section}"`;
  const message = isEdited ? `${named} stood changed for this turn` : `${named} stood changed for the turn before`;
  return { event: "turn-edit", message, ...(section !== undefined && { section }) };
}

function firstDifference(before: Pieces, now: Pieces): string | undefined {
  const at = now.findIndex(({ text }, index) => text !== before[index]?.text);
  return (at < 0 ? before.slice(now.length) : now.slice(at)).find(({ section }) => section !== undefined)?.section;
}

function idleReason(idleMs: number, ttlSeconds: number): Reason {
  const minutes = (ms: number) => `${Math.round(ms / 60_000)} min`;
  return {
    event: "idle",
    message: `nothing was sent for ${minutes(idleMs)}, and the cache lives ${minutes(ttlSeconds * 1_000)}`,
  };
}
