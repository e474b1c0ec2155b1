import type { Block, Message, ToolCall, ToolResult } from "@quire/core";
import { uniqueNames } from "./safe-names.js";
import type { NameRule } from "./safe-names.js";

/** A call's id on the wire and its result, if one ever came. */
export interface CallResult {
  readonly id: string;
  readonly result: ToolResult | undefined;
}

/** One side's blocks, or the results of the calls that were just made, in the calls' order. */
export type ConversationStep =
  | { readonly kind: "user" | "context" | "assistant"; readonly blocks: readonly Block[] }
  | { readonly kind: "results"; readonly results: readonly CallResult[] };

export interface StepOptions {
  /** What the vendor takes as the id of a call. */
  readonly idRule: NameRule;
  /** False when the request declares no tools and the vendor wants none spoken of: calls and results become text. */
  readonly hasTools: boolean;
}

/**
 * A conversation with each call's result right behind it, wherever it stood, and with ids that the vendor takes, each
 * once. A result whose call is gone stays as text in its place; a call outside an assistant's message likewise.
 */
export function conversationSteps(messages: readonly Message[], options: StepOptions): ConversationStep[] {
  const pairs = options.hasTools ? pairResults(messages) : noPairs;
  const callId = uniqueNames(options.idRule);
  const steps: ConversationStep[] = [];
  let callNumber = 0;
  let resultNumber = 0;
  for (const { role, content } of messages) {
    if (!content.some(isOfTool)) {
      steps.push({ kind: role === "tool" ? "user" : role, blocks: content });
      continue;
    }
    const results: CallResult[] = [];
    const blocks: Block[] = [];
    for (const block of content) {
      if (block.type === "tool-result") {
        if (!pairs.placed.has(resultNumber)) blocks.push(...resultAsText(block));
        resultNumber += 1;
      } else if (block.type !== "tool-call") {
        blocks.push(block);
      } else if (role !== "assistant" || !options.hasTools) {
        blocks.push(callAsText(block));
      } else {
        const id = callId(block.id);
        blocks.push({ ...block, id });
        results.push({ id, result: pairs.answers.get(callNumber) });
        callNumber += 1;
      }
    }
    steps.push({ kind: role === "tool" ? "user" : role, blocks });
    if (results.length > 0) steps.push({ kind: "results", results });
  }
  return steps;
}

interface Pairs {
  /** Results by the number of their call, counted over the conversation. */
  readonly answers: ReadonlyMap<number, ToolResult>;
  /** Numbers of the results that have a call. */
  readonly placed: ReadonlySet<number>;
}

const noPairs: Pairs = { answers: new Map(), placed: new Set() };

/** Gives each call the first result of its id behind it, unless a call of a later message took the id before. */
function pairResults(messages: readonly Message[]): Pairs {
  const answers = new Map<number, ToolResult>();
  const placed = new Set<number>();
  const waiting = new Map<string, number[]>();
  let callNumber = 0;
  let resultNumber = 0;
  for (const { role, content } of messages) {
    if (!content.some(isOfTool)) continue;
    const taken = new Set<string>();
    for (const block of content) {
      if (block.type === "tool-call" && role === "assistant") {
        if (!taken.has(block.id)) waiting.set(block.id, []);
        taken.add(block.id);
        waiting.get(block.id)?.push(callNumber);
        callNumber += 1;
      } else if (block.type === "tool-result") {
        const call = waiting.get(block.id)?.shift();
        if (call !== undefined) {
          answers.set(call, block);
          placed.add(resultNumber);
        }
        resultNumber += 1;
      }
    }
  }
  return { answers, placed };
}

function isOfTool({ type }: Block): boolean {
  return type === "tool-call" || type === "tool-result";
}

function callAsText({ name, args }: ToolCall): Block {
  return { type: "text", text: `[called ${name} with ${JSON.stringify(args)}]` };
}

function resultAsText({ name, isError, content }: ToolResult): readonly Block[] {
  return [{ type: "text", text: isError ? `${name} failed:` : `${name}:` }, ...content];
}
