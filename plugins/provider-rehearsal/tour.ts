import type { Block, Message, ToolCall, ToolResult } from "@quire/core";

/** One call of the tour and what became of it. */
export interface Visit {
  readonly call: ToolCall;
  /** Missing when the call was interrupted. */
  readonly result?: ToolResult;
}

/** How far the present turn has come. */
export interface Tour {
  /** The user's words. */
  readonly question: string;
  /** Answers given in this turn. */
  readonly answers: number;
  readonly visits: readonly Visit[];
  /** Calls in the whole conversation: the next one gets a fresh id. */
  readonly callsEver: number;
}

/** Reads the state of the turn from the conversation: it began with the newest words of the user. */
export function readTour(messages: readonly Message[]): Tour {
  const begin = messages.findLastIndex((message) => message.role === "user");
  const turn = messages.slice(begin + 1);
  const results = turn.flatMap(({ content }) => content.filter((block) => block.type === "tool-result"));
  const visits = callsOf(turn).map((call): Visit => {
    const result = results.find(({ id }) => id === call.id);
    return { call, ...(result === undefined ? {} : { result }) };
  });
  return {
    question: textOf(messages[begin]?.content ?? []),
    answers: turn.filter(({ role }) => role === "assistant").length,
    visits,
    callsEver: callsOf(messages).length,
  };
}

/** The texts of blocks, joined by newlines. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function callsOf(messages: readonly Message[]): readonly ToolCall[] {
  return messages.flatMap(({ content }) => content.filter((block) => block.type === "tool-call"));
}
