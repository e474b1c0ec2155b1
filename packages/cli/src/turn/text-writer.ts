import type { Diagnostic, Message, TurnEvent, TurnResult } from "@quire/core";
import { billLine } from "../bill/bill-text.js";
import { describeCall, describeProgress, describeResult } from "../output/describe-call.js";
import type { TurnEnd, TurnWriter } from "./turn-writer.js";

/**
 * The answer to `out`; tool calls, one line each, to `err`. Diagnostics are printed elsewhere. Somebody who looks on
 * gets the answer as it comes; a program gets it once it is certain, and of a turn with several answers the last one.
 */
export class TextWriter implements TurnWriter {
  readonly showsBill: boolean;
  readonly #out: (text: string) => void;
  readonly #err: (text: string) => void;
  readonly #results: "failed" | "all";
  readonly #streams: boolean;
  #lineOpen = false;
  #wrote = false;
  /** Of the answer under way, when it does not stream. */
  #held = "";
  /** When the last line of progress was shown, in milliseconds of the clock. */
  #progressAt = 0;
  /** Lines that wait for the end of a word. */
  #notes: string[] = [];
  #noteTimer: NodeJS.Timeout | undefined;

  /**
   * @param options `results`: which answers of tools are shown; the failed ones by default. `bill`: what a turn cost is
   * told after it. `streams`: the answer is shown as it comes; by default it is held back until it is certain.
   */
  constructor(
    out: (text: string) => void,
    err: (text: string) => void,
    options: { readonly results?: "failed" | "all"; readonly bill?: boolean; readonly streams?: boolean } = {},
  ) {
    this.#out = out;
    this.#err = err;
    this.#results = options.results ?? "failed";
    this.showsBill = options.bill ?? false;
    this.#streams = options.streams ?? false;
  }

  start(): void {
    this.#wrote = false;
    this.#held = "";
  }

  event(event: TurnEvent): void {
    if (event.type === "text") this.#take(event.delta);
    else if (event.type === "request") this.#nextAnswer();
    else if (event.type === "diagnostic") {
      if (takesBack(event.diagnostic)) this.#held = "";
      if (event.diagnostic.level !== "info") this.#endLine();
    } else if (event.type === "tool-start") {
      this.#nextAnswer();
      this.#err(`${describeCall(event.name, event.args)}\n`);
    } else if (event.type === "tool-update") this.#showProgress(event.text);
    else if (event.type === "message" && event.message.role === "tool") this.#showResults(event.message);
  }

  end(result: TurnResult, about?: TurnEnd): void {
    const held = this.#held;
    this.#held = "";
    if (!this.#streams) this.#write(held === "" ? result.text : held);
    else if (!this.#wrote) this.#write(result.text);
    this.#endLine();
    if (result.stop === "length") this.#err("the answer ends here because the model's output limit was reached\n");
    if (result.stop === "refusal") this.#err("the model refused to answer\n");
    if (result.stop === "aborted") this.#err("stopped\n");
    const isAsked = Object.values(result.usage).some((tokens) => tokens > 0);
    if (this.showsBill && isAsked && about?.bill !== undefined) {
      this.#err(`${billLine({ usage: result.usage, ...about.bill })}\n`);
    }
  }

  refuse(): void {}

  /** Prints a line to `err` that is no part of the answer, at the end of the word that is being written. */
  note(line: string): void {
    if (!this.#lineOpen) return this.#err(`${line}\n`);
    this.#notes.push(line);
    this.#noteTimer ??= setTimeout(() => this.#endLine(), noteDelayMs);
  }

  #take(text: string): void {
    if (!this.#streams) this.#held += text;
    else if (this.#notes.length === 0) this.#write(text);
    else {
      const end = text.search(/\s/);
      this.#write(end === -1 ? text : text.slice(0, end));
      if (end === -1) return;
      this.#endLine();
      this.#write(text.slice(end + 1));
    }
  }

  /** What was said before a call of tools is no result of the turn. */
  #nextAnswer(): void {
    this.#endLine();
    if (this.#held.trim() !== "") this.#err(`${this.#held.trimEnd()}\n`);
    this.#held = "";
  }

  /** What a command says while it runs, for somebody who looks on. */
  #showProgress(text: string): void {
    if (!this.#streams || Date.now() - this.#progressAt < progressMs) return;
    this.#progressAt = Date.now();
    this.#err(`${describeProgress(text)}\n`);
  }

  #showResults(message: Message): void {
    for (const block of message.content) {
      if (block.type === "tool-result" && (block.isError || this.#results === "all"))
        this.#err(`${describeResult(block)}\n`);
    }
  }

  #write(text: string): void {
    if (text === "") return;
    this.#out(text);
    this.#wrote = true;
    this.#lineOpen = !text.endsWith("\n");
  }

  #endLine(): void {
    if (this.#lineOpen) this.#out("\n");
    this.#lineOpen = false;
    clearTimeout(this.#noteTimer);
    this.#noteTimer = undefined;
    for (const line of this.#notes.splice(0)) this.#err(`${line}\n`);
  }
}

/** Between two lines of progress, in milliseconds. */
const progressMs = 1000;

/** How long a line waits for the end of a word, in milliseconds. */
const noteDelayMs = 300;

/** Whether the answer so far does not count: another attempt begins it anew. */
export function takesBack({ code }: Diagnostic): boolean {
  return code === "provider-retry" || code === "provider-fallback";
}
