import type { TurnEvent } from "../contracts/turn.js";

/** Events of one turn: pushed by the turn, iterated by whoever shows them, kept until then. */
export interface EventQueue {
  push(event: TurnEvent): void;
  close(): void;
  iterate(): AsyncIterator<TurnEvent>;
}

export function createEventQueue(): EventQueue {
  const waiting: TurnEvent[] = [];
  let wake: (() => void) | undefined;
  let isClosed = false;
  return {
    push(event) {
      waiting.push(event);
      wake?.();
    },
    close() {
      isClosed = true;
      wake?.();
    },
    iterate: () => ({
      async next() {
        for (;;) {
          const value = waiting.shift();
          if (value !== undefined) return { value, done: false };
          if (isClosed) return { value: undefined, done: true };
          await new Promise<void>((resolve) => (wake = resolve));
        }
      },
    }),
  };
}
