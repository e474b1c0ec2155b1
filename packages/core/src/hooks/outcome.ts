import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Verdict } from "../contracts/tool.js";
import { PluginError } from "../errors.js";
import { isPieces } from "../layout/pieces.js";
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
export function refuse(hook: HookName, failure: Diagnostic, value: unknown): unknown {
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
  afterToolCall: ["{ content: Block[] }", ({ content }) => Array.isArray(content)],
  permissionCheck: [
    `{ level: "allow" | "ask" | "deny", reason? }`,
    ({ level, reason }) => String(level) in strictness && (reason === undefined || typeof reason === "string"),
  ],
  permissionAsk: ["{ allow: boolean, remember? }", ({ allow }) => typeof allow === "boolean"],
  providerError: [
    "{ retry: false } or { retry: true, delayMs: number }",
    ({ retry, delayMs }) => retry === false || (retry === true && Number.isFinite(delayMs)),
  ],
};

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null;
}

function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : `a ${typeof value}`;
}
