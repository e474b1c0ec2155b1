const everyMs = 100;
const maxPendingLength = 16_000;

/** Passes text on at most ten times a second; of a flood only the end is shown. */
export interface Progress {
  push(text: string): void;
  /** Passes on what is waiting and stops. */
  end(): void;
}

export function createProgress(update: (text: string) => void): Progress {
  let pending = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    if (pending === "") return;
    const text = pending;
    pending = "";
    update(text);
  };
  return {
    push(text) {
      pending += text;
      if (pending.length > 2 * maxPendingLength) pending = `…${pending.slice(-maxPendingLength)}`;
      timer ??= setTimeout(flush, everyMs);
    },
    end() {
      clearTimeout(timer);
      flush();
    },
  };
}
