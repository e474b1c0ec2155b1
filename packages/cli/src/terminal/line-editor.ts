import { createInterface, emitKeypressEvents, type Interface } from "node:readline";
import { Writable } from "node:stream";

/** What the editor tells the conversation. */
export interface EditorEvents {
  /** Escape or Ctrl-C while a turn runs. */
  stop(): void;
  /** A line typed while a turn runs; `next` gives it afterwards. */
  queued(line: string): void;
  /** Ctrl-C at an empty prompt, for the first time. */
  leaving(): void;
}

/** Lines that come within this many milliseconds come from a paste, also where the terminal does not mark one. */
const burstMs = 15;

/** Asks the terminal to mark what is pasted. */
const pasteMode = { on: "\u001b[?2004h", off: "\u001b[?2004l" } as const;

/**
 * Lines from a terminal. While a turn runs nothing that is typed is echoed, so that it cannot mix with the answer; it
 * is kept, and a finished line waits its turn.
 */
export class LineEditor {
  readonly #events: EditorEvents;
  readonly #input: NodeJS.ReadableStream;
  readonly #lines: Interface;
  readonly #queue: string[] = [];
  readonly #output: NodeJS.WritableStream;
  /** Lines that came at once: those of one paste are one message. */
  #burst: string[] = [];
  #burstTimer: NodeJS.Timeout | undefined;
  #pasting = false;
  #waiting: ((line: string | null) => void) | undefined;
  #asking: ((answer: string | null) => void) | undefined;
  #working = false;
  #closed = false;
  #wantsToLeave = false;

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, events: EditorEvents) {
    this.#events = events;
    this.#input = input;
    this.#output = output;
    const echo = this.#echo(output);
    this.#lines = createInterface({ input, output: echo, terminal: true, prompt: "> ", escapeCodeTimeout: 50 });
    this.#lines.on("line", (line) => this.#hear(line));
    this.#lines.on("SIGINT", () => this.#interrupt());
    this.#lines.on("close", () => this.#end());
    emitKeypressEvents(input);
    input.on("keypress", this.#onKey);
    output.write(pasteMode.on);
  }

  /** The next line, typed before or now. @returns Null when the user leaves. */
  next(): Promise<string | null> {
    const line = this.#queue.shift();
    if (line !== undefined) {
      // It was not echoed when it was typed.
      this.#output.write(`> ${line.replaceAll("\n", "\n  ")}\n`);
      return Promise.resolve(line);
    }
    if (this.#closed) return Promise.resolve(null);
    this.#lines.prompt();
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  /** Asks while a turn runs. What was typed before the question is no answer. @returns Null when stopped. */
  ask(question: string): Promise<string | null> {
    if (this.#closed) return Promise.resolve(null);
    this.#clearLine();
    return new Promise((resolve) => {
      this.#asking = (answer) => {
        this.#asking = undefined;
        this.#lines.setPrompt("> ");
        resolve(answer);
      };
      this.#lines.setPrompt(`${question} `);
      this.#lines.prompt();
    });
  }

  /** Says that a turn runs, or that it is over. */
  set working(working: boolean) {
    this.#working = working;
    this.#wantsToLeave = false;
  }

  close(): void {
    this.#lines.close();
  }

  /** A line that others follow at once is part of a paste; the paste waits for the Enter behind it. */
  #hear(line: string): void {
    this.#wantsToLeave = false;
    if (this.#asking !== undefined) {
      if (!this.#pasting) this.#asking(line);
      return;
    }
    this.#burst.push(line);
    clearTimeout(this.#burstTimer);
    if (!this.#pasting) this.#burstTimer = setTimeout(() => this.#endBurst(), burstMs);
  }

  #endBurst(): void {
    // What stands behind the last line end of a paste is still to be ended by an Enter.
    if (this.#pasting || (this.#burst.length > 1 && this.#lines.line !== "")) return;
    if (this.#burst.length > 0) this.#take(this.#burst.splice(0).join("\n"));
  }

  #take(line: string): void {
    if (this.#waiting !== undefined) this.#answerWaiting(line);
    else if (line.trim() !== "") {
      this.#queue.push(line);
      this.#events.queued(line);
    }
  }

  #interrupt(): void {
    if (this.#working) this.#stop();
    else if (this.#lines.line !== "" || this.#burst.length > 0) {
      this.#burst = [];
      this.#clearLine();
    } else if (this.#wantsToLeave) this.close();
    else {
      this.#wantsToLeave = true;
      this.#events.leaving();
      this.#lines.prompt();
    }
  }

  #stop(): void {
    this.#asking?.(null);
    this.#events.stop();
  }

  #end(): void {
    this.#closed = true;
    clearTimeout(this.#burstTimer);
    this.#output.write(this.#waiting === undefined ? pasteMode.off : `${pasteMode.off}\n`);
    this.#input.off("keypress", this.#onKey);
    if (this.#working) this.#stop();
    this.#answerWaiting(null);
  }

  #answerWaiting(line: string | null): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(line);
  }

  #clearLine(): void {
    this.#lines.write(null, { ctrl: true, name: "e" });
    this.#lines.write(null, { ctrl: true, name: "u" });
  }

  #onKey = (_text: string | undefined, key: { readonly name?: string } | undefined): void => {
    if (key?.name === "paste-start") this.#pasting = true;
    if (key?.name === "paste-end") this.#pasting = false;
    if (key?.name === "escape" && this.#working) this.#stop();
  };

  /** What readline writes, dropped while a turn runs and nobody is asked. */
  #echo(output: NodeJS.WritableStream): Writable {
    const echo = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!this.#working || this.#asking !== undefined) output.write(chunk);
        done();
      },
    });
    return Object.defineProperties(echo, {
      columns: { get: () => ("columns" in output ? output.columns : 80) },
      isTTY: { value: true },
    });
  }
}
