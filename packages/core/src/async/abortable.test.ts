import { expect, test } from "vitest";
import { abortable } from "./abortable.js";

async function* counting(): AsyncGenerator<number> {
  for (let number = 1; ; number++) yield number;
}

test("gives the items of a stream that is opened when the first is asked for", async () => {
  let opened = 0;
  const items = abortable(() => (opened++, counting()), new AbortController().signal);
  expect(opened).toBe(0);
  expect([await items.next(), await items.next()]).toEqual([
    { done: false, value: 1 },
    { done: false, value: 2 },
  ]);
  expect(opened).toBe(1);
});

test("an abort ends the wait for an item that never comes, and all that follow", async () => {
  const controller = new AbortController();
  const deaf = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
  const items = abortable(() => deaf, controller.signal);
  const waiting = items.next();
  controller.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  await expect(items.next()).rejects.toThrow("stopped");
  expect(await items.return?.()).toMatchObject({ done: true });
});

test("a stream that was stopped before is never opened, and one that cannot be opened rejects", async () => {
  const never = abortable(
    () => {
      throw new Error("opened");
    },
    AbortSignal.abort(new Error("too late")),
  );
  await expect(never.next()).rejects.toThrow("too late");
  const broken = abortable(() => {
    throw new Error("no stream");
  }, new AbortController().signal);
  await expect(broken.next()).rejects.toThrow("no stream");
});

test("returning closes the stream once and leaves no listener behind", async () => {
  let closed = 0;
  const source = {
    next: async () => ({ done: false, value: 1 }) as const,
    return: async () => (closed++, { done: true, value: 1 }),
  };
  const controller = new AbortController();
  const items = abortable<number>(
    () => ({ [Symbol.asyncIterator]: () => source as AsyncIterator<number> }),
    controller.signal,
  );
  await items.next();
  await items.return?.();
  controller.abort();
  expect(closed).toBe(1);
});
