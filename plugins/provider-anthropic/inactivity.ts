/** Milliseconds without a byte after which an answer counts as dead; the vendor pings far more often. */
export const inactivityLimitMs = 120_000;

/** Watches an answer for signs of life: bytes count, not events, because the SDK keeps the vendor's pings to itself. */
export class Inactivity {
  readonly #limitMs: number;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isWaiting = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Aborted when the limit was reached. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** `fetch` whose response bodies report each chunk. */
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
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
    return new Response(body, { status, statusText, headers });
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
    const arrived = (next: IteratorResult<T>): IteratorResult<T> => {
      this.#isWaiting = false;
      if (next.done === true || signal.aborted) clearTimeout(timer);
      signal.throwIfAborted();
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
