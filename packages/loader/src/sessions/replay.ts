import { QuireError, type Config, type ContextItem, type Message, type Pieces } from "@quire/core";
import type { ProviderRequest, SectionContent } from "@quire/core";
import { historyOf, standingFields, standingOn, wholeBaseline, type Baseline, type Standing } from "@quire/core/host";

/** A turn of a stored session. */
export interface RecordedTurn {
  /** From 1, in the order of the log. */
  readonly number: number;
  readonly id: string;
  /** The requests it sent, by number. */
  readonly requests: readonly number[];
}

/** A request as it was sent, from the log alone. */
export interface RecordedRequest {
  readonly turn: RecordedTurn;
  readonly request: number;
  /** `tail` is empty: tail sections are never stored. */
  readonly body: ProviderRequest;
  /** Size in UTF-8 bytes and SHA-256 of the tail that was sent; null for none. */
  readonly tail: { readonly bytes: number; readonly hash: string } | null;
  /** The account of `body.system.text`. */
  readonly pieces: Pieces;
  readonly baseline: Pick<Baseline, "id" | "cause" | "layout" | "owners"> & {
    readonly sections: readonly (Baseline["sections"][number] & { readonly content: SectionContent | null })[];
  };
  /** What the turn had told so far beside the prefix. */
  readonly context: readonly ContextItem[];
}

/** The turns of a session's records. Pure. */
export function recordedTurns(records: readonly Config[]): readonly RecordedTurn[] {
  const sent = records.filter(({ type, purpose }) => type === "request" && purpose === undefined);
  const starts = records.filter(({ type }) => type === "turn-start");
  return starts.map(({ turn }, index) => {
    const requests = sent.filter((record) => record["turn"] === turn).map(({ request }) => Number(request));
    return { number: index + 1, id: String(turn), requests: [...new Set(requests)] };
  });
}

/**
 * Rebuilds a request from the records of its session, byte for byte, whatever version reads them. Pure.
 * @param number The turn's, from 1. `request`: its request's, from 1; of repeated ones the last.
 * @throws {QuireError} `turn-unknown`, `request-unknown`, `replay-incomplete`.
 */
export function replayRequest(records: readonly Config[], number: number, request = 1): RecordedRequest {
  const turns = recordedTurns(records);
  const turn = turns[number - 1];
  if (turn === undefined) {
    const fix = turns.length === 0 ? "The session has no turns yet" : `Give a number from 1 to ${turns.length}`;
    throw new QuireError({ code: "turn-unknown", level: "error", message: `The session has no turn ${number}`, fix });
  }
  const isOfTurn = (record: Config, type: string) => record["type"] === type && record["turn"] === turn.id;
  const end = records.findLastIndex((record) => isOfTurn(record, "request") && record["request"] === request);
  const record = records[end];
  if (record === undefined) {
    const fix = turn.requests.length === 0 ? "It ended before one" : `It sent ${turn.requests.length}`;
    const message = `Turn ${number} sent no request ${request}`;
    throw new QuireError({ code: "request-unknown", level: "error", message, fix });
  }
  const before = records.slice(0, end);
  let baseline: Baseline | undefined;
  let standing: Standing | undefined;
  let pieces: Pieces | undefined;
  const contents = new Map<string, SectionContent>();
  for (const each of records.slice(0, end + 1)) {
    if (each["type"] === "baseline") {
      baseline = wholeBaseline(each["baseline"] as Partial<Baseline>);
      pieces = undefined;
      if (standing !== undefined) standing = standingOn(baseline, standing);
    } else if (each["type"] === "contents") {
      for (const [hash, content] of Object.entries(each["contents"] as Readonly<Record<string, SectionContent>>)) {
        contents.set(hash, content);
      }
    } else if (isOfTurn(each, "request")) {
      const named = standingFields.filter((field) => each[field] !== undefined);
      standing = { ...(standing ?? standingOn(baseline)), ...Object.fromEntries(named.map((key) => [key, each[key]])) };
      if (each["system"] !== undefined) {
        pieces = (each["pieces"] as Pieces | undefined) ?? [{ text: standing.system.text, from: { kind: "host" } }];
      }
    }
  }
  const { model, system, tools, cacheKey, params } = standing ?? standingOn(baseline);
  // What was shown of a failed attempt is not yet settled inside its turn.
  const history = historyOf(before.filter((each) => !isOfTurn(each, "partial")));
  const sent = Number(record["messages"]);
  if (baseline === undefined) {
    const message = `The log keeps no text of the prompt of turn ${number}`;
    const fix = "With prompt.record: full the next ones are kept";
    throw new QuireError({ code: "replay-incomplete", level: "error", message, fix });
  }
  if (history.length < sent) {
    const message = `The log has ${history.length} of the ${sent} messages of turn ${number}`;
    throw new QuireError({ code: "replay-incomplete", level: "error", message, fix: "Its file was changed or cut" });
  }
  const rest = ((record["rest"] ?? []) as readonly (string | Message)[]).flatMap((message) =>
    typeof message === "string" ? history.filter(({ id }) => id === message) : [message],
  );
  const told = before.filter((each) => isOfTurn(each, "message")).map((each) => each["message"] as Message);
  return {
    turn,
    request,
    body: { model, system, tools, messages: [...history.slice(0, sent), ...rest], tail: "", cacheKey, params },
    tail: (record["tail"] ?? null) as RecordedRequest["tail"],
    pieces: pieces ?? baseline.pieces,
    baseline: {
      ...baseline,
      sections: baseline.sections.map((each) => ({ ...each, content: contents.get(each.hash) ?? null })),
    },
    context: told.flatMap(({ context = [] }) => context),
  };
}
