import type { NewFile } from "./output-file.js";
import { maxFileBytes, OutputFile } from "./output-file.js";

/** UTF-16 units of output in one answer; half of it from the start, half from the end. */
export const maxOutputLength = 30_000;
const half = maxOutputLength / 2;
/** A cut moves to a line end that is this near. */
const lineSearchLength = 500;

/** Takes the output of a command piece by piece and keeps start and end; a long one goes to a file whole. */
export class OutputCapture {
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** All pieces, until the output is too long for the answer. */
  private early: Buffer[] = [];
  private head = "";
  private tail = "";
  private length = 0;
  private file: OutputFile | undefined;

  constructor(
    private readonly newFile: NewFile,
    private readonly maxBytes = maxFileBytes,
  ) {}

  /** @returns The text that is complete with this piece. */
  push(chunk: Buffer): string {
    const text = this.decoder.decode(chunk, { stream: true });
    this.take(text);
    if (this.file !== undefined) {
      this.file.write(chunk);
    } else {
      this.early.push(chunk);
      if (this.length > maxOutputLength) this.spill();
    }
    return text;
  }

  /** The output as the model reads it. */
  finish(): string {
    this.take(this.decoder.decode());
    this.file?.close();
    if (this.file === undefined) return this.head + this.tail;
    const head = endAtLine(this.head);
    const tail = startAtLine(this.tail.slice(-half));
    const lost = this.length - head.length - tail.length;
    const { path, problem } = this.file;
    const whole = path === "" ? "the whole output has no file" : `the whole output stands in ${path}`;
    const but = problem === undefined ? "" : `, but ${problem}`;
    return `${head}\n[${lost} characters are left out here; ${whole}${but}]\n${tail}`;
  }

  private take(text: string): void {
    const room = half - this.head.length;
    this.head += text.slice(0, room);
    this.tail += text.slice(room);
    if (this.tail.length > 4 * half) this.tail = this.tail.slice(-half);
    this.length += text.length;
  }

  private spill(): void {
    this.file = new OutputFile(this.newFile, "output", this.maxBytes);
    for (const chunk of this.early) this.file.write(chunk);
    this.early = [];
  }
}

function endAtLine(text: string): string {
  const end = text.lastIndexOf("\n");
  if (end >= text.length - lineSearchLength) return text.slice(0, end);
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

function startAtLine(text: string): string {
  const start = text.indexOf("\n");
  if (start !== -1 && start < lineSearchLength) return text.slice(start + 1);
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
