import type { Network } from "./network.js";

/**
 * Watches an answer for signs of life, from the request on. Bytes count, not events: vendors send pings and comments,
 * which the SDKs keep to themselves.
 */
export class Inactivity {
  readonly #network: Network;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isWaiting = false;
  #limitMs: number;

  constructor(network: Network) {
    this.#network = network;
    this.#limitMs = network.firstByteMs;
  }

  /** Aborted when the limit was reached. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The limit in force, milliseconds: until the answer begins, then between two of its pieces. */
  get limitMs(): number {
    return this.#limitMs;
  }

  /** `fetch` whose responses begin in time, and whose bodies report each chunk. */
  readonly fetch: typeof fetch = async (input, init) => {
    const reach = await this.#network.fetch();
    const timer = setTimeout(() => this.#controller.abort(), this.#limitMs);
    const response = await reach(input, init).finally(() => clearTimeout(timer));
    this.#limitMs = this.#network.silenceMs;
    if (response.body === null) return response;
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          this.#timer?.refresh();
          controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    // Undici's own headers are of another class than the SDK looks for.
    return new Response(body, { status, statusText, headers: new Headers([...headers]) });
  };

  /**
   * Iterates with the watch on while the next item is awaited; a slow consumer is no silence. One timer serves all items,
   * and no generator stands between: there are thousands of items.
   * @param signal Aborted: an end is no end, because the SDK ends an aborted stream as if it were whole.
   */
  watch<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
    return { [Symbol.asyncIterator]: () => this.#watched(items[Symbol.asyncIterator](), signal) };
  }

  #watched<T>(iterator: AsyncIterator<T>, signal: AbortSignal): AsyncIterator<T> {
    const timer = setTimeout(() => {
      if (this.#isWaiting) this.#controller.abort();
      else timer.refresh();
    }, this.#limitMs);
    this.#timer = timer;
    // Asking the signal at each item costs more than reading the item.
    let isAborted = signal.aborted;
    signal.addEventListener("abort", () => (isAborted = true), { once: true });
    const arrived = (next: IteratorResult<T>): IteratorResult<T> => {
      this.#isWaiting = false;
      if (next.done === true || isAborted) clearTimeout(timer);
      if (isAborted) signal.throwIfAborted();
      return next;
    };
    const failed = (error: unknown): never => {
      clearTimeout(timer);
      throw error;
    };
    return {
      next: () => {
        this.#isWaiting = true;
        timer.refresh();
        return iterator.next().then(arrived, failed);
      },
      return: async () => {
        clearTimeout(timer);
        await iterator.return?.();
        return { done: true, value: undefined };
      },
    };
  }
}
