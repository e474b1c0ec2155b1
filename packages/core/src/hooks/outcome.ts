import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Verdict } from "../contracts/tool.js";
import { PluginError } from "../errors.js";
import { hookTable, type HookName } from "./hook-table.js";

/** The votes so far: the strictest verdict, and every reason in the order given. */
export interface Votes {
  verdict: Verdict | undefined;
  readonly reasons: string[];
}

/**
 * Judges what a tap returned.
 * @returns What the series goes on with; undefined leaves value or question as they are.
 * @throws {TypeError} When the return has the wrong shape; its message says what was wanted.
 */
export function accept(hook: HookName, result: unknown, value: unknown): unknown {
  const { kind } = hookTable[hook];
  if (result === undefined || kind === "tell") return undefined;
  const wanted = kind === "change" ? shapeOf(value) : answers[hook]?.wanted;
  const fits = kind === "change" ? shapeOf(result) === wanted : isRecord(result) && answers[hook]?.fits(result);
  if (fits !== true) throw new TypeError(`it returned ${shapeOf(result)} where ${wanted} is wanted`);
  if (kind !== "vote") return result;
  return countVote(value as Votes, result as Verdict);
}

/**
 * What a failure means: an open hook goes on without the tap, a closed one refuses.
 * @throws {PluginError} `gate-failed` of a closed change.
 */
export function refuse(hook: HookName, failure: Diagnostic, value: unknown): unknown {
  const { gate, kind } = hookTable[hook];
  if (!gate) return undefined;
  if (kind === "ask") return { allow: false };
  if (kind === "change") {
    const message = `${failure.message}, so what it guards is refused`;
    throw new PluginError({ ...failure, code: "gate-failed", message });
  }
  return countVote(value as Votes, { level: "deny", reason: failure.message });
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const;

/** Adds one vote. Of equally strict ones the first stands. */
function countVote(votes: Votes, vote: Verdict): undefined {
  if (vote.reason !== undefined) votes.reasons.push(vote.reason);
  if (votes.verdict === undefined || strictness[vote.level] > strictness[votes.verdict.level]) votes.verdict = vote;
}

/** The shapes of answers and votes. Types do not hold at run time: a plugin may be plain JavaScript. */
const answers: { readonly [Hook in HookName]?: { readonly wanted: string; fits(answer: Answer): boolean } } = {
  permissionCheck: {
    wanted: `{ level: "allow" | "ask" | "deny", reason? }`,
    fits: ({ level, reason }) =>
      typeof level === "string" && level in strictness && (reason === undefined || typeof reason === "string"),
  },
  permissionAsk: { wanted: "{ allow: boolean, remember? }", fits: ({ allow }) => typeof allow === "boolean" },
  providerError: {
    wanted: "{ retry: false } or { retry: true, delayMs: number }",
    fits: ({ retry, delayMs }) => retry === false || (retry === true && Number.isFinite(delayMs)),
  },
};
type Answer = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Answer {
  return typeof value === "object" && value !== null;
}

function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
