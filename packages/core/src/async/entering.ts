import type { MaybePromise } from "../index.js";

/** Knows whose code runs, so that a crash has a name. */
export type Entering = ReturnType<typeof createEntering>;

export function createEntering(tell: (plugin: string | null) => void = () => {}) {
  const entered: { readonly plugin: string }[] = [];
  const enter = (plugin: string): (() => void) => {
    const entry = { plugin };
    entered.push(entry);
    tell(plugin);
    return () => {
      entered.splice(entered.lastIndexOf(entry), 1);
      tell(entered.at(-1)?.plugin ?? null);
    };
  };
  return {
    /** Control passes to a plugin's code until the returned function is called. */
    enter,
    /** Runs a plugin's code under its name; when it is over, the name around it counts again. */
    async within<T>(plugin: string | undefined, run: () => MaybePromise<T>): Promise<T> {
      if (plugin === undefined) return await run();
      const leave = enter(plugin);
      try {
        return await run();
      } finally {
        leave();
      }
    },
    /** The plugin whose code was entered last and is not over. */
    current: () => entered.at(-1)?.plugin,
  };
}
