import type { Config, Message } from "@quire/core";
import { recordedTurns, replayRequest, type RecordedRequest } from "@quire/loader";
import { lineDiff } from "../output/line-diff.js";
import { plainContent } from "./content-text.js";
import { placeSections } from "./section-places.js";

/** What changed from the first request of one recorded turn to that of another. Bytes are UTF-8. */
export interface PromptDiff {
  readonly from: PromptMark;
  readonly to: PromptMark;
  /** The system text has the same bytes. */
  readonly same_prefix: boolean;
  readonly sections: readonly {
    readonly name: string;
    readonly change: "added" | "removed" | "changed";
    readonly plugin: string | null;
    /** Lines that begin with "-" or "+". */
    readonly diff: string;
  }[];
  readonly tools: readonly { readonly name: string; readonly change: "added" | "removed" | "changed" }[];
  /** What the turns behind the earlier one, up to the later one, told beside the prefix. */
  readonly context: readonly {
    readonly turn: number;
    readonly section: string | null;
    readonly op: string;
    readonly cause: string;
    readonly text: string;
  }[];
}

export interface PromptMark {
  readonly turn: number;
  readonly model: string;
  readonly baseline: { readonly id: string; readonly cause: string };
  readonly bytes: number;
  readonly messages: number;
}

/**
 * Compares two turns of a session's records.
 * @throws {QuireError} As `replayRequest` does.
 */
export function promptDiff(records: readonly Config[], from: number, to: number): PromptDiff {
  const [old, fresh] = [replayRequest(records, from), replayRequest(records, to)];
  return {
    from: markOf(old),
    to: markOf(fresh),
    same_prefix: old.body.system.text === fresh.body.system.text,
    sections: sectionChanges(old, fresh),
    tools: toolChanges(old, fresh),
    context: told(records, Math.min(from, to), Math.max(from, to)),
  };
}

/** The same for people. */
export function promptDiffText({ from, to, same_prefix, sections, tools, context }: PromptDiff): string {
  const prefix = same_prefix
    ? `the prefix is the same, ${from.bytes} bytes\n`
    : `the prefix differs: ${from.bytes} bytes, then ${to.bytes} (new baseline: ${to.baseline.cause})\n`;
  const model = from.model === to.model ? "" : `model ${from.model}, then ${to.model}\n`;
  return [
    `turn ${from.turn} to turn ${to.turn}: ${from.messages} messages, then ${to.messages}\n`,
    model,
    prefix,
    ...sections.map(({ name, change, plugin, diff }) => `\nsection ${name} ${change} (${plugin ?? "host"})\n${diff}`),
    ...tools.map(({ name, change }) => `\ntool ${name} ${change}\n`),
    ...context.map(
      ({ turn, section, op, cause, text }) =>
        `\ntold in turn ${turn}: ${section ?? "a note"}, ${op} (${cause})\n${indented(text)}`,
    ),
  ].join("");
}

function indented(text: string): string {
  if (text === "") return "";
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `  ${line}`.trimEnd() + "\n")
    .join("");
}

function markOf({ turn, body, baseline }: RecordedRequest): PromptMark {
  return {
    turn: turn.number,
    model: `${body.model.provider}/${body.model.id}`,
    baseline: { id: baseline.id, cause: baseline.cause },
    bytes: Buffer.byteLength(body.system.text),
    messages: body.messages.length,
  };
}

function sectionChanges(old: RecordedRequest, fresh: RecordedRequest): PromptDiff["sections"] {
  const [before, after] = [placeSections(old.pieces), placeSections(fresh.pieces)];
  const pluginOf = (name: string): string | null =>
    [...fresh.baseline.sections, ...old.baseline.sections].find((section) => section.name === name)?.plugin ?? null;
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name)?.text, after.get(name)?.text];
    if (was === is) return [];
    const change = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ name, change, plugin: pluginOf(name), diff: lineDiff(was ?? "", is ?? "") }];
  });
}

function toolChanges(old: RecordedRequest, fresh: RecordedRequest): PromptDiff["tools"] {
  const texts = ({ body }: RecordedRequest) => new Map(body.tools.map((tool) => [tool.name, JSON.stringify(tool)]));
  const [before, after] = [texts(old), texts(fresh)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === is) return [];
    return [{ name, change: was === undefined ? "added" : is === undefined ? "removed" : "changed" } as const];
  });
}

function told(records: readonly Config[], from: number, to: number): PromptDiff["context"] {
  const numbers = new Map<unknown, number>(recordedTurns(records).map(({ id, number }) => [id, number]));
  return records.flatMap(({ type, turn, message }) => {
    const number = numbers.get(turn) ?? 0;
    if (type !== "message" || number <= from || number > to) return [];
    return ((message as Message).context ?? []).map(({ section, op, cause, content }) => ({
      turn: number,
      section: section ?? null,
      op,
      cause,
      text: content === null ? "" : plainContent(content),
    }));
  });
}
