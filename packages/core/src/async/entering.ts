import type { MaybePromise } from "../contracts/place.js";

/** Knows whose code runs, so that a crash has a name. */
export interface Entering {
  /** Runs a plugin's code under its name; when it is over, the name around it counts again. */
  within<T>(plugin: string | undefined, run: () => MaybePromise<T>): Promise<T>;
  /** The plugin whose code was entered last and is not over. */
  current(): string | undefined;
}

export function createEntering(tell: (plugin: string | null) => void = () => {}): Entering {
  const entered: { readonly plugin: string }[] = [];
  return {
    async within(plugin, run) {
      if (plugin === undefined) return await run();
      const entry = { plugin };
      entered.push(entry);
      tell(plugin);
      try {
        return await run();
      } finally {
        entered.splice(entered.lastIndexOf(entry), 1);
        tell(entered.at(-1)?.plugin ?? null);
      }
    },
    current: () => entered.at(-1)?.plugin,
  };
}
