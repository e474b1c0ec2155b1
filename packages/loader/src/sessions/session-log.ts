import { closeSync, createReadStream, fstatSync, open, readSync, write } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { Config } from "@quire/core";
import { isRecord } from "../record.js";

// Bare descriptors: a log lives as long as its process, and a handle object must not be collected while it is open.
const openAsync = promisify(open);
const writeAsync = promisify(write);

/** So many logs are kept open for writing; the one unused for longest is closed first. */
const maxOpenLogs = 16;

/** Writes records to JSONL files: one line and one write per record, appended at whatever is the end by then. */
export class LogWriter {
  readonly #open = new Map<string, OpenLog>();

  /** @returns When the line is in the file. Rejects when the disk refuses it. */
  append(file: string, record: Config): Promise<void> {
    const log = this.#open.get(file) ?? new OpenLog(file);
    this.#open.delete(file);
    this.#open.set(file, log);
    const written = log.append(`${JSON.stringify(record)}\n`);
    for (const [other, each] of this.#open) {
      if (this.#open.size <= maxOpenLogs) break;
      if (each.isBusy) continue;
      this.#open.delete(other);
      each.close();
    }
    return written;
  }

  async close(file: string): Promise<void> {
    const log = this.#open.get(file);
    this.#open.delete(file);
    await log?.idle();
    log?.close();
  }
}

class OpenLog {
  readonly #file: string;
  #descriptor: number | undefined;
  #pending = 0;
  #last: Promise<void> = Promise.resolve();
  /** The file may end in a part of a line: what follows must begin a new one, or both would be lost. */
  #isTorn = false;

  constructor(file: string) {
    this.#file = file;
  }

  get isBusy(): boolean {
    return this.#pending > 0;
  }

  append(line: string): Promise<void> {
    this.#pending++;
    const written = this.#last.then(() => this.#write(line)).finally(() => this.#pending--);
    // The order holds after a failed write too; whoever made it hears of the failure.
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Resolves when nothing is left to write. */
  idle(): Promise<void> {
    return this.#last;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  async #write(line: string): Promise<void> {
    const descriptor = (this.#descriptor ??= await this.#openFile());
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line);
    this.#isTorn = true;
    for (let offset = 0; offset < bytes.length;) {
      offset += (await writeAsync(descriptor, bytes, offset, bytes.length - offset, null)).bytesWritten;
    }
    this.#isTorn = false;
  }

  async #openFile(): Promise<number> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    const descriptor = await openAsync(this.#file, "a+", 0o600);
    const { size } = fstatSync(descriptor);
    const end = Buffer.alloc(1, "\n");
    if (size > 0) readSync(descriptor, end, 0, 1, size - 1);
    this.#isTorn = end[0] !== 0x0a;
    return descriptor;
  }
}

/** The records of a log in order. A line that is no record (torn by a crash, or spoilt) is passed by. */
export async function* readRecords(file: string): AsyncGenerator<Config> {
  let rest = "";
  for await (const chunk of createReadStream(file, { encoding: "utf8", highWaterMark: 262_144 })) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const record = parseRecord(line);
      if (record !== null) yield record;
    }
  }
  const record = parseRecord(rest);
  if (record !== null) yield record;
}

/** One line of a log, or null when it is no record. */
export function parseRecord(line: string): Config | null {
  if (line === "" || line === "\r") return null;
  try {
    const record: unknown = JSON.parse(line);
    return isRecord(record) && typeof record["type"] === "string" ? record : null;
  } catch {
    return null;
  }
}
