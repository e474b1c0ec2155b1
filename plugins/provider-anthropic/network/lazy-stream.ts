/**
 * A stream that is opened when its first item is asked for, and whose failures are told in other words. No generator
 * stands between: there are thousands of items.
 * @param fail Makes the error to throw of the one that was thrown.
 */
export function lazyStream<T>(
  open: () => Promise<AsyncIterable<T>>,
  fail: (error: unknown) => unknown,
): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => iterate(open, fail) };
}

function iterate<T>(open: () => Promise<AsyncIterable<T>>, fail: (error: unknown) => unknown): AsyncIterator<T> {
  let items: AsyncIterator<T> | undefined;
  const failed = (error: unknown): never => {
    throw fail(error);
  };
  const first = async (): Promise<IteratorResult<T>> => {
    items = (await open())[Symbol.asyncIterator]();
    return await items.next();
  };
  return {
    next: () => (items === undefined ? first() : items.next()).then(undefined, failed),
    return: async () => {
      await items?.return?.();
      return { done: true, value: undefined };
    },
  };
}
