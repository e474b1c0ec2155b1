import { endGroup, groupLives, signalGroup } from "./process-group.js";

const lookEveryMs = 1000;

/** The process groups of one host. None of them outlives the host, however the host ends. */
export interface ProcessTable {
  add(id: number): void;
  /** The shell of the group is gone; the group stays in the table for as long as something of it runs. */
  release(id: number): void;
  readonly ids: readonly number[];
  /** Ends all groups: politely first, by force after the grace. */
  endAll(graceMs: number): Promise<void>;
}

export function createProcessTable(): ProcessTable {
  const running = new Set<number>();
  const left = new Set<number>();
  let timer: NodeJS.Timeout | undefined;

  /** The last moment to act when the process ends without the host being disposed. */
  const killAll = (): void => {
    for (const id of [...running, ...left]) signalGroup(id, "SIGKILL");
  };
  /** An id may be used anew once its group is gone, so what is left behind is looked after. */
  const look = (): void => {
    for (const id of left) if (!groupLives(id)) left.delete(id);
    if (left.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    add(id) {
      if (running.size + left.size === 0) {
        process.off("exit", killAll);
        process.on("exit", killAll);
      }
      running.add(id);
    },
    release(id) {
      running.delete(id);
      if (!groupLives(id)) return;
      left.add(id);
      timer ??= setInterval(look, lookEveryMs).unref();
    },
    get ids() {
      return [...running, ...left];
    },
    async endAll(graceMs) {
      await Promise.all([...running, ...left].map((id) => endGroup(id, graceMs)));
      running.clear();
      left.clear();
      clearInterval(timer);
      timer = undefined;
      process.off("exit", killAll);
    },
  };
}
