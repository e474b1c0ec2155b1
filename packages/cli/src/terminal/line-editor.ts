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

/**
 * Lines from a terminal. While a turn runs nothing that is typed is echoed, so that it cannot mix with the answer; it
 * is kept, and a finished line waits its turn.
 */
export class LineEditor {
  readonly #events: EditorEvents;
  readonly #input: NodeJS.ReadableStream;
  readonly #lines: Interface;
  readonly #queue: string[] = [];
  #waiting: ((line: string | null) => void) | undefined;
  #asking: ((answer: string | null) => void) | undefined;
  #working = false;
  #closed = false;
  #wantsToLeave = false;

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, events: EditorEvents) {
    this.#events = events;
    this.#input = input;
    const echo = this.#echo(output);
    this.#lines = createInterface({ input, output: echo, terminal: true, prompt: "> ", escapeCodeTimeout: 50 });
    this.#lines.on("line", (line) => this.#take(line));
    this.#lines.on("SIGINT", () => this.#interrupt());
    this.#lines.on("close", () => this.#end());
    emitKeypressEvents(input);
    input.on("keypress", this.#onKey);
  }

  /** The next line, typed before or now. @returns Null when the user leaves. */
  next(): Promise<string | null> {
    const line = this.#queue.shift();
    if (line !== undefined) return Promise.resolve(line);
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

  #take(line: string): void {
    this.#wantsToLeave = false;
    if (this.#asking !== undefined) this.#asking(line);
    else if (this.#waiting !== undefined) this.#answerWaiting(line);
    else if (line.trim() !== "") {
      this.#queue.push(line);
      this.#events.queued(line);
    }
  }

  #interrupt(): void {
    if (this.#working) this.#stop();
    else if (this.#lines.line !== "") this.#clearLine();
    else if (this.#wantsToLeave) this.close();
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
