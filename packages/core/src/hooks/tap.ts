/** One plugin's function on one hook. */
export interface Tap {
  readonly plugin: string;
  readonly fn: TapFunction;
  /** Null: only the turn's abort ends the wait. */
  readonly timeoutMs: number | null;
  /** Failures by session id. */
  readonly failures: Map<string, number>;
  /** No longer run: it failed too often, or its plugin was withdrawn. */
  off: boolean;
}

/** Each hook's own signature is checked where a plugin taps it; inside, arguments are passed on as they came. */
export type TapFunction = (...args: readonly unknown[]) => unknown;
