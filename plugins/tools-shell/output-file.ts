import { closeSync, existsSync, mkdtempSync, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Files of at most this size; output after that is only counted. */
export const maxFileBytes = 100_000_000;

/** Names new files in a folder (mode 0700) that is made at the first use and left to the system's own cleaning. */
export type NewFile = (name: string) => string;

export function createOutputFolder(): NewFile {
  let folder: string | undefined;
  let count = 0;
  return (name) => {
    // Some systems clean their temporary folder while a long session goes on.
    if (folder === undefined || !existsSync(folder)) folder = mkdtempSync(join(tmpdir(), "quire-shell-"));
    return join(folder, `${name}-${++count}.log`);
  };
}

/**
 * Output on its way to the disk, bounded. Writing is synchronous: a command that prints faster than the disk takes it
 * has to wait, and nothing piles up in memory.
 */
export class OutputFile {
  /** Empty when there is not even a folder for it. */
  readonly path: string = "";
  /** Why the file does not hold all output. */
  problem: string | undefined;
  private descriptor: number | undefined;
  private bytes = 0;

  /** Never throws: what goes wrong is in `problem`. */
  constructor(
    newFile: NewFile,
    name: string,
    private readonly limitBytes = maxFileBytes,
  ) {
    try {
      this.path = newFile(name);
      this.descriptor = openSync(this.path, "wx", 0o600);
    } catch (error) {
      this.problem = failure(error);
    }
  }

  write(chunk: Buffer): void {
    if (this.problem !== undefined) return;
    const room = this.limitBytes - this.bytes;
    this.attempt(() => this.writeAll(chunk.subarray(0, room)));
    this.bytes += chunk.length;
    if (chunk.length > room) this.problem ??= `it holds only the first ${this.limitBytes} bytes`;
  }

  /** `lastWords` are written even if the file is full. */
  close(lastWords = ""): void {
    if (this.descriptor === undefined) return;
    const descriptor = this.descriptor;
    this.attempt(() => this.writeAll(Buffer.from(lastWords)));
    this.descriptor = undefined;
    this.attempt(() => closeSync(descriptor));
  }

  private writeAll(chunk: Buffer): void {
    if (this.descriptor === undefined) return;
    for (let at = 0; at < chunk.length;) at += writeSync(this.descriptor, chunk, at);
  }

  private attempt(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.problem ??= failure(error);
    }
  }
}

function failure(error: unknown): string {
  return `it could not be written: ${error instanceof Error ? error.message : String(error)}`;
}
