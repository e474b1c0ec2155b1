import type { FileHandle } from "node:fs/promises";

export interface LineRange {
  /** Number of the first line, from 1. */
  readonly offset: number;
  /** Lines at most. */
  readonly limit: number;
  /** UTF-8 bytes of all kept lines at most; the first line is kept in any case. */
  readonly maxBytes: number;
  /** UTF-16 units of one line at most. */
  readonly maxLineLength: number;
  /** After the range the rest is only counted, and only if the file has no more bytes than this. */
  readonly countUpToBytes: number;
}

export interface Line {
  readonly text: string;
  /** Bytes of the line that are not in `text`. */
  readonly lostBytes: number;
}

export interface LinesRead {
  readonly lines: readonly Line[];
  /** Lines of the whole file, if it was read to its end. */
  readonly total?: number;
  /** Lines seen so far; at least `offset + lines.length - 1`. */
  readonly seen: number;
  readonly endsEarly: boolean;
  readonly crlf: boolean;
  readonly byteOrderMark: boolean;
  /** Some bytes are no UTF-8 and stand as U+FFFD. */
  readonly lossy: boolean;
}

const newline = 10;
const carriageReturn = 13;
const chunkBytes = 64 * 1024;

/** Reads a range of lines piece by piece: memory stays small whatever the size of file and lines. */
export async function readLines(
  handle: FileHandle,
  range: LineRange,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<LinesRead> {
  const reader = new LineReader(range);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let position = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position);
    if (bytesRead === 0) return reader.result(true);
    reader.push(buffer.subarray(0, bytesRead));
    position += bytesRead;
    if (reader.full && sizeBytes > range.countUpToBytes) return reader.result(false);
  }
}

class LineReader {
  private readonly lines: Line[] = [];
  private readonly maxLineBytes: number;
  private number = 1;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private lineBytes = 0;
  private lastByte = 0;
  private totalBytes = 0;
  private crlf = false;
  private byteOrderMark = false;
  private lossy = false;
  full = false;

  constructor(private readonly range: LineRange) {
    this.maxLineBytes = range.maxLineLength * 4;
  }

  push(chunk: Buffer): void {
    let start = 0;
    while (start < chunk.length) {
      const at = chunk.indexOf(newline, start);
      const end = at === -1 ? chunk.length : at;
      this.take(chunk.subarray(start, end));
      if (at === -1) return;
      this.endLine();
      start = at + 1;
    }
  }

  result(atEnd: boolean): LinesRead {
    if (atEnd && this.lineBytes > 0) this.endLine();
    const seen = this.number - 1;
    return {
      lines: this.lines,
      ...(atEnd ? { total: seen } : {}),
      seen,
      endsEarly: this.full && (!atEnd || seen > this.range.offset - 1 + this.lines.length),
      crlf: this.crlf,
      byteOrderMark: this.byteOrderMark,
      lossy: this.lossy,
    };
  }

  private take(part: Buffer): void {
    if (part.length === 0) return;
    this.lineBytes += part.length;
    this.lastByte = part[part.length - 1] ?? 0;
    if (this.full || this.number < this.range.offset) return;
    const room = this.maxLineBytes - this.keptBytes;
    if (room <= 0) return;
    const kept = Buffer.from(part.subarray(0, room));
    this.kept.push(kept);
    this.keptBytes += kept.length;
  }

  private endLine(): void {
    if (!this.full && this.number >= this.range.offset) this.keep();
    this.number++;
    this.kept = [];
    this.keptBytes = 0;
    this.lineBytes = 0;
    this.lastByte = 0;
  }

  private keep(): void {
    const returned = this.lastByte === carriageReturn;
    if (returned) this.crlf = true;
    let bytes = Buffer.concat(this.kept);
    if (returned && this.keptBytes === this.lineBytes) bytes = bytes.subarray(0, -1);
    const whole = this.lineBytes - (returned ? 1 : 0);
    let text = this.decode(bytes, bytes.length < whole);
    if (this.number === 1 && text.startsWith("\uFEFF")) {
      this.byteOrderMark = true;
      text = text.slice(1);
    }
    const line = this.cut(text, bytes.length < whole, whole);
    const size = Buffer.byteLength(line.text) + 1;
    const tooMuch = this.lines.length > 0 && this.totalBytes + size > this.range.maxBytes;
    if (!tooMuch) {
      this.lines.push(line);
      this.totalBytes += size;
    }
    if (tooMuch || this.lines.length >= this.range.limit) this.full = true;
  }

  /** `partial`: the bytes may end inside a character, which is then left out. */
  private decode(bytes: Buffer, partial: boolean): string {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: partial });
    if (text.includes("\uFFFD") && !bytes.includes("\uFFFD")) this.lossy = true;
    return text;
  }

  private cut(text: string, partial: boolean, wholeBytes: number): Line {
    const { maxLineLength } = this.range;
    if (text.length <= maxLineLength && !partial) return { text, lostBytes: 0 };
    const last = text.charCodeAt(maxLineLength - 1);
    const splitsPair = last >= 0xd800 && last <= 0xdbff;
    const kept = text.slice(0, splitsPair ? maxLineLength - 1 : maxLineLength);
    return { text: kept, lostBytes: Math.max(1, wholeBytes - Buffer.byteLength(kept)) };
  }
}
