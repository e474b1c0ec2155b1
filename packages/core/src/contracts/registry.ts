import type { MaybePromise } from "./place.js";
import type { TurnContext } from "./turn.js";

/** Holds named things. Closed once set-up is over. */
export interface Registry<T extends { readonly name: string }> {
  register(spec: T): void;
  replace(name: string, spec: T): void;
  wrap(name: string, fn: (previous: T) => T): void;
  remove(name: string): void;
  list(): readonly T[];
}

/** A slash command. */
export interface CommandSpec {
  /** `<plugin>/<name>`; typed as `/name`. */
  readonly name: string;
  readonly description: string;
  /** Shown after the name: `<file> [line]`. */
  readonly hint?: string;
  /** @returns A text becomes the prompt; nothing means the command did its work. */
  run(args: string, context: TurnContext): MaybePromise<string | void>;
}
