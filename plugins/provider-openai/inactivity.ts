/** Milliseconds without a byte after which an answer counts as dead. This API is silent while a model thinks. */
export const inactivityLimitMs = 600_000;

/** Watches an answer for signs of life: bytes count, not events, because servers send comments to keep it open. */
export class Inactivity {
  readonly #limitMs: number;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

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
   * Iterates with the watch on while the next item is awaited; a slow consumer is no silence.
   * @param signal Aborted: an end is no end, because the SDK ends an aborted stream as if it were whole.
   */
  async *watch<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        this.#timer = setTimeout(() => this.#controller.abort(), this.#limitMs);
        const next = await iterator.next().finally(() => clearTimeout(this.#timer));
        signal.throwIfAborted();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}
