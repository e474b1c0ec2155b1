import type { Verdict } from "../contracts/tool.js";

/** What every hook's last argument holds. */
export interface HookContext {
  readonly signal: AbortSignal;
  readonly session: { readonly id: string };
}

/** One announcement of a hook, on its way from tap to tap. */
export interface HookCall {
  /** The arguments before the context, as they were announced. */
  readonly leading: readonly unknown[];
  readonly context: HookContext;
  /** Of a vote: where the verdicts gather. */
  readonly votes?: Votes;
}

/** The votes so far: the strictest verdict, and every reason in the order given. */
export interface Votes {
  verdict: Verdict | undefined;
  readonly reasons: string[];
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const;

/** Adds one vote. Of equally strict ones the first stands. */
export function countVote(votes: Votes, vote: Verdict): void {
  if (vote.reason !== undefined) votes.reasons.push(vote.reason);
  if (votes.verdict === undefined || strictness[vote.level] > strictness[votes.verdict.level]) {
    votes.verdict = vote;
  }
}

export function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== "object" || value === null || !("level" in value)) return false;
  if (typeof value.level !== "string" || !Object.hasOwn(strictness, value.level)) return false;
  return !("reason" in value) || value.reason === undefined || typeof value.reason === "string";
}
