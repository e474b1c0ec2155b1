import type { TurnEvent } from "../contracts/turn.js";

/** Events of one turn: pushed by the turn, iterated by whoever shows them, kept until then. */
export interface EventQueue {
  push(event: TurnEvent): void;
  close(): void;
  iterate(): AsyncIterator<TurnEvent>;
}

export function createEventQueue(): EventQueue {
  const waiting: TurnEvent[] = [];
  let wake = (): void => {};
  let isClosed = false;
  return {
    push(event) {
      waiting.push(event);
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
    async *iterate() {
      for (;;) {
        yield* waiting.splice(0);
        if (waiting.length > 0) continue;
        if (isClosed) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
