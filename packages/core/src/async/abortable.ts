/**
 * A stream's items until `signal` aborts, whatever the stream makes of the signal. One listener serves all items: there
 * are thousands. Returning is not waited for: a deaf stream would hold its reader.
 * @param open Called at the first item.
 */
export function abortable<T>(open: () => AsyncIterable<T>, signal: AbortSignal): AsyncIterator<T> {
  let items: AsyncIterator<T> | undefined;
  let isAborted = signal.aborted;
  let refuse: (reason: Error) => void = () => {};
  const onAbort = (): void => {
    isAborted = true;
    refuse(signal.reason as Error);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (isAborted) throw signal.reason;
        refuse = reject;
        items ??= open()[Symbol.asyncIterator]();
        Promise.resolve(items.next()).then(resolve, reject);
      }),
    return: async () => {
      signal.removeEventListener("abort", onAbort);
      void Promise.resolve(items?.return?.()).catch(() => undefined);
      return { done: true, value: undefined };
    },
  };
}
