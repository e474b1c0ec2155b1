import { Worker } from "node:worker_threads";
import { searchWorkerSource } from "./search-worker-source.js";

export interface Hit {
  /** Absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Files that were not searched, and why. */
export interface Skipped {
  readonly binary: number;
  readonly large: readonly string[];
  readonly unreadable: readonly string[];
}

/** The search of one file took too long; the thread is gone. */
export class SlowSearchError extends Error {
  constructor(readonly file: string) {
    super(`the search in ${file} did not end`);
    this.name = "SlowSearchError";
  }
}

/** Files with more bytes are left out. */
export const maxSearchedBytes = 8 * 1024 * 1024;
const maxShownLength = 500;
const checkEveryMs = 250;

/**
 * A thread that searches files. A regular expression cannot be interrupted where it runs, and one with nested repeats
 * can run for years; in a thread it is ended with the thread, and the host never waits for it.
 */
export class SearchWorker {
  private readonly worker: Worker;
  private readonly progress = new Int32Array(new SharedArrayBuffer(4));
  private onFailure: (error: unknown) => void = (error) => {
    this.failure = error;
  };
  private onMessage: (message: readonly Hit[] | Skipped) => void = () => undefined;
  private failure: unknown;

  constructor(
    pattern: RegExp,
    private readonly maxMsPerFile: number,
  ) {
    const { source, flags } = pattern;
    const { progress } = this;
    const workerData = { source, flags, progress, maxFileBytes: maxSearchedBytes, maxShownLength };
    this.worker = new Worker(searchWorkerSource, { eval: true, workerData, execArgv: [], env: {} });
    this.worker.on("message", (message: readonly Hit[] | Skipped) => this.onMessage(message));
    this.worker.on("error", (error) => this.onFailure(error));
  }

  /**
   * Searches in files one after another and hands over the hits of each; one call at a time. After a throw the thread is of no more use: end it.
   * @throws {SlowSearchError} One file took longer than `maxMsPerFile`. The reason of `signal`.
   */
  async search(
    files: readonly string[],
    { maxHits, onHits }: { maxHits: number; onHits: (hits: readonly Hit[]) => void },
    signal: AbortSignal,
  ): Promise<Skipped> {
    signal.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
    const settled = new AbortController();
    try {
      return await new Promise<Skipped>((resolve, reject) => {
        this.onFailure = reject;
        signal.addEventListener("abort", () => reject(signal.reason as Error), { signal: settled.signal });
        this.watch(settled.signal, (index) => reject(new SlowSearchError(files[index] ?? "a file")));
        this.onMessage = (message) => (isHits(message) ? onHits(message) : resolve(message));
        Atomics.store(this.progress, 0, 0);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        this.worker.postMessage({ files, maxHits });
      });
    } finally {
      settled.abort();
    }
  }

  /** Ends the thread, whatever it is at. */
  async end(): Promise<void> {
    await this.worker.terminate();
  }

  /** Calls `onSlow` when the thread is at one file for too long. */
  private watch(until: AbortSignal, onSlow: (index: number) => void): void {
    let index = -1;
    let since = Date.now();
    const timer = setInterval(() => {
      const current = Atomics.load(this.progress, 0);
      if (current !== index) [index, since] = [current, Date.now()];
      else if (Date.now() - since > this.maxMsPerFile) onSlow(current);
    }, checkEveryMs);
    until.addEventListener("abort", () => clearInterval(timer), { once: true });
  }
}

function isHits(message: readonly Hit[] | Skipped): message is readonly Hit[] {
  return Array.isArray(message);
}
