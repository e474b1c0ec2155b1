import type { MaybePromise } from "../index.js";

/** Knows whose code runs, so that a crash has a name. */
export type Entering = ReturnType<typeof createEntering>;

export function createEntering(tell: (plugin: string | null) => void = () => {}) {
  const entered: { readonly plugin: string }[] = [];
  return {
    /** Runs a plugin's code under its name; when it is over, the name around it counts again. */
    async within<T>(plugin: string | undefined, run: () => MaybePromise<T>): Promise<T> {
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
    /** The plugin whose code was entered last and is not over. */
    current: () => entered.at(-1)?.plugin,
  };
}
