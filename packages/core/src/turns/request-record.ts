import type { Caps, Config, Diagnostic, Message, Pieces, ProviderRequest } from "../index.js";
import type { Baseline, BaselineState } from "../baseline/baseline.js";
import { byteLength, sha256 } from "../text/bytes.js";
import type { SessionJournal } from "./journal.js";

/** What stands from request to request of a turn: a record names only what differs from the request before. */
export type Standing = Pick<ProviderRequest, "model" | "system" | "tools" | "cacheKey" | "params">;
export const standingFields = ["model", "system", "tools", "cacheKey", "params"] as const;

/** What a request sends of itself before its record says otherwise: the prefix is the baseline's. */
export function standingOn(baseline: Baseline | undefined, before?: Standing): Standing {
  const { model = { provider: "", id: "" }, system = { text: "", regions: [] }, tools = [] } = baseline ?? {};
  return { model, cacheKey: "", params: {}, ...before, system, tools };
}

export interface RequestAbout {
  readonly request: number;
  /** From 1; a repeated request has a higher one. */
  readonly attempt: number;
  /** A request beside the conversation: it asks for a summary. */
  readonly purpose?: "compact";
  /** What the vendor's cache lives by. */
  readonly cache: Caps["cache"];
  /** What moved in the part that was sent before, against all plans. */
  readonly bust?: Pick<Diagnostic, "message" | "section" | "plugin">;
  /** The account of the system text, where it is not the baseline's. */
  readonly pieces?: Pieces;
}

export type RequestRecorder = (
  sent: ProviderRequest,
  session: { readonly prefix: Pick<BaselineState, "baseline">; readonly messages: readonly Message[] },
  about: RequestAbout,
) => Promise<void>;

/**
 * Writes a small record before each request of a turn. With baseline and messages, which the log has anyway, it says
 * all that is sent; of a tail section, which is never stored, it says size and hash.
 */
export function createRequestRecorder(journal: SessionJournal, turn: string): RequestRecorder {
  let baseline: Baseline | undefined;
  let standing: Standing | undefined;
  return async (sent, session, { pieces, ...about }) => {
    const now = session.prefix.baseline;
    if (standing === undefined || now !== baseline) standing = standingOn(now, standing);
    baseline = now;
    const before = standing;
    const fields = standingFields.filter((field) => !isAlike(before[field], sent[field]));
    const changed = Object.fromEntries(fields.map((field) => [field, sent[field]]));
    standing = { ...before, ...changed };
    let messages = 0;
    while (messages < sent.messages.length && sent.messages[messages] === session.messages[messages]) messages += 1;
    const rest = sent.messages
      .slice(messages)
      .map((message) => (session.messages.includes(message) ? message.id : message));
    await journal.append({
      type: "request",
      turn,
      ...about,
      messages,
      ...(rest.length > 0 && { rest }),
      ...(sent.tail !== "" && { tail: { bytes: byteLength(sent.tail), hash: sha256(sent.tail) } }),
      ...changed,
      ...(fields.includes("system") && pieces !== undefined && { pieces }),
    } satisfies Config);
  };
}

const alike = new WeakMap<object, unknown>();

/** Whether two frozen values are equal as JSON; of two large ones this is asked at each request. */
export function isAlike(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== "object" || a === null) return a === b;
  if (alike.get(a) === b) return true;
  const isEqual = JSON.stringify(a) === JSON.stringify(b);
  if (isEqual && Object.isFrozen(a) && Object.isFrozen(b)) alike.set(a, b);
  return isEqual;
}
