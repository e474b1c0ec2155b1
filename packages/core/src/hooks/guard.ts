import type { Diagnostic, Verdict } from "../index.js";
import type { Entering } from "../async/entering.js";
import { bounded, TimeLimitError } from "../async/bounded.js";
import { fault, messageOf, PluginError, warning } from "../errors.js";
import { isPieces } from "../layout/piece-builder.js";
import type { Report } from "../report.js";
import { hookTable, type HookName } from "./hook-table.js";
import type { GuardedTap } from "./series.js";
import { isBlock } from "../plain-data.js";

/** One plugin's function on one hook. */
export interface Tap {
  readonly plugin: string;
  /** Each hook's own signature is checked where a plugin taps it; inside, arguments are passed on as they came. */
  readonly fn: (...args: readonly unknown[]) => unknown;
  /** Null: only the turn's abort ends the wait. */
  readonly timeoutMs: number | null;
  /** No longer run: it failed too often, or its plugin was withdrawn. */
  off: boolean;
}

/** Failures of one tap in one session after which it is switched off. */
const failuresAllowed = 3;

/**
 * Makes a plugin's function safe to wait for: it is bounded in time, its failure is reported under its name, and what
 * the failure means is the hook's affair, never the caller's. Only an abort of the context leaves it as an error.
 */
export function guardTap(hook: HookName, tap: Tap, report: Report, within: Entering["within"]): GuardedTap {
  const { plugin, timeoutMs } = tap;
  const { kind, gate } = hookTable[hook];
  const failures = new Map<string, number>();
  const countFailure = (session: string): void => {
    const count = (failures.get(session) ?? 0) + 1;
    failures.set(session, count);
    if (gate || tap.off || count < failuresAllowed) return;
    tap.off = true;
    const message = `Plugin "${plugin}" failed ${failuresAllowed} times in hook "${hook}" and is no longer called there`;
    report(warning("tap-switched-off", message, { plugin, hook, fix: "Mend the plugin; a reload calls it again" }));
  };
  return async (value, args) => {
    if (tap.off) return undefined;
    // The types of `Hooks` say so.
    const context = args.at(-1) as { readonly signal: AbortSignal; readonly session: { readonly id: string } };
    context.signal.throwIfAborted();
    const call = (signal: AbortSignal): unknown => {
      // Each tap gets a context of its own, so that what one does to it reaches nobody else.
      const own = { ...context, signal, ...(kind === "vote" ? { reasons: [...(value as Votes).reasons] } : {}) };
      return tap.fn(...(kind === "change" ? [value] : args.slice(0, -1)), own);
    };
    try {
      const result = await within(plugin, () => bounded(call, timeoutMs, context.signal));
      if (result !== null || kind !== "change") return accept(hook, result, value);
      const message = `Plugin "${plugin}" returned null in hook "${hook}", which changes nothing`;
      const fix = "Return the next value, or undefined to keep the present one";
      report(warning("hook-null", message, { plugin, hook, fix }));
      return undefined;
    } catch (error) {
      if (context.signal.aborted) throw context.signal.reason;
      const failure = describeFailure(hook, tap, error);
      report(failure);
      countFailure(context.session.id);
      return refuse(hook, failure, value);
    }
  };
}

function describeFailure(hook: HookName, { plugin, timeoutMs }: Tap, cause: unknown): Diagnostic {
  const isLate = cause instanceof TimeLimitError && cause.timeoutMs === timeoutMs;
  const late = `did not settle within ${timeoutMs} ms in hook "${hook}"`;
  const what = isLate ? late : `failed in hook "${hook}": ${messageOf(cause)}`;
  const fix = `Mend the plugin, or leave it out with disable: [${JSON.stringify(plugin)}] in config`;
  return fault(isLate ? "hook-timeout" : "hook-failed", `Plugin "${plugin}" ${what}`, { plugin, hook, fix, cause });
}

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
function accept(hook: HookName, result: unknown, value: unknown): unknown {
  const { kind } = hookTable[hook];
  if (result === undefined || kind === "tell") return undefined;
  const [wanted, fits] =
    kind === "change" && shapeOf(result) !== shapeOf(value) ? [shapeOf(value)] : (shapes[hook] ?? []);
  if (wanted !== undefined && !(fits !== undefined && isObject(result) && fits(result))) {
    throw new TypeError(`it returned ${shapeOf(result)} where ${wanted} is wanted`);
  }
  return kind === "vote" ? countVote(value as Votes, result as Verdict) : result;
}

/**
 * What a failure means: an open hook goes on without the tap, a closed one refuses.
 * @throws {PluginError} `gate-failed` of a closed change.
 */
function refuse(hook: HookName, failure: Diagnostic, value: unknown): unknown {
  const { gate, kind } = hookTable[hook];
  if (!gate) return undefined;
  if (kind === "ask") return { allow: false };
  if (kind === "vote") return countVote(value as Votes, { level: "deny", reason: failure.message });
  const message = `${failure.message}, so what it guards is refused`;
  throw new PluginError({ ...failure, code: "gate-failed", message });
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const;

/** Adds one vote. Of equally strict ones the first stands. */
function countVote(votes: Votes, vote: Verdict): undefined {
  if (vote.reason !== undefined) votes.reasons.push(vote.reason);
  if (votes.verdict === undefined || strictness[vote.level] > strictness[votes.verdict.level]) votes.verdict = vote;
}

type Given = Readonly<Record<string, unknown>>;

/** What a return must hold. Types do not hold at run time: a plugin may be plain JavaScript. */
const shapes: { readonly [Hook in HookName]?: readonly [wanted: string, fits: (given: Given) => boolean] } = {
  userInput: ["{ text: string }", ({ text }) => typeof text === "string"],
  sectionsAssembled: ["a list of { text: string, from }", isPieces],
  beforeCompact: [
    "{ summary: string } or { cancel: string }",
    ({ summary, cancel }) => typeof (summary ?? cancel) === "string",
  ],
  beforeProviderRequest: [
    "a whole request",
    ({ system, messages, tools }) =>
      isObject(system) && typeof system["text"] === "string" && Array.isArray(messages) && Array.isArray(tools),
  ],
  beforeToolCall: ["{ args: object }", ({ args }) => isObject(args)],
  afterToolCall: ["{ content: Block[] }", ({ content }) => Array.isArray(content) && content.every(isBlock)],
  permissionCheck: [
    `{ level: "allow" | "ask" | "deny", reason? }`,
    ({ level, reason }) =>
      Object.hasOwn(strictness, level as string) && (reason === undefined || typeof reason === "string"),
  ],
  permissionAsk: ["{ allow: boolean, remember? }", ({ allow }) => typeof allow === "boolean"],
  providerError: [
    "{ retry: false } or { retry: true, delayMs: number, model? }",
    ({ retry, delayMs, model }) =>
      retry === false ||
      (retry === true && Number.isFinite(delayMs) && (model === undefined || typeof model === "string")),
  ],
};

const isObject = (value: unknown): value is Given => typeof value === "object" && value !== null;

function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : `a ${typeof value}`;
}
