import type { Message, TurnEvent, TurnResult } from "@quire/core";
import { billLine } from "../bill/bill-text.js";
import { describeCall, describeResult } from "../output/describe-call.js";
import type { TurnEnd, TurnWriter } from "./turn-writer.js";

/** The answer as it comes to `out`; tool calls, one line each, to `err`. Diagnostics are printed elsewhere. */
export class TextWriter implements TurnWriter {
  readonly showsBill: boolean;
  readonly #out: (text: string) => void;
  readonly #err: (text: string) => void;
  readonly #results: "failed" | "all";
  #lineOpen = false;
  #wrote = false;

  /**
   * @param options `results`: which answers of tools are shown; the failed ones by default. `bill`: what a turn cost is
   * told after it.
   */
  constructor(
    out: (text: string) => void,
    err: (text: string) => void,
    options: { readonly results?: "failed" | "all"; readonly bill?: boolean } = {},
  ) {
    this.#out = out;
    this.#err = err;
    this.#results = options.results ?? "failed";
    this.showsBill = options.bill ?? false;
  }

  start(): void {
    this.#wrote = false;
  }

  event(event: TurnEvent): void {
    if (event.type === "text") this.#write(event.delta);
    else if (event.type === "request") this.#endLine();
    else if (event.type === "tool-start") {
      this.#endLine();
      this.#err(`${describeCall(event.name, event.args)}\n`);
    } else if (event.type === "message" && event.message.role === "tool") this.#showResults(event.message);
  }

  end(result: TurnResult, about?: TurnEnd): void {
    if (!this.#wrote && result.text !== "") this.#write(result.text);
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
  }
}
