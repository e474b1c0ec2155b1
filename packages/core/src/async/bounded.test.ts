import { expect, test } from "vitest";
import { bounded, TimeLimitError } from "./bounded.js";

const calm = () => new AbortController().signal;

test("returns what a sync or async task returns", async () => {
  await expect(bounded(() => 1, 50, calm())).resolves.toBe(1);
  await expect(bounded(() => Promise.resolve(2), null, calm())).resolves.toBe(2);
});

test("passes on what a sync or async task throws", async () => {
  const sync = bounded(
    () => {
      throw new Error("now");
    },
    50,
    calm(),
  );
  await expect(sync).rejects.toThrow("now");
  await expect(bounded(() => Promise.reject(new Error("later")), 50, calm())).rejects.toThrow("later");
});

test("gives up on a task that never settles and aborts its signal with the same error", async () => {
  let own: AbortSignal | undefined;
  const never = (signal: AbortSignal) => {
    own = signal;
    return new Promise<void>(() => {});
  };
  const error: unknown = await bounded(never, 20, calm()).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TimeLimitError);
  expect(error).toMatchObject({ timeoutMs: 20, message: "did not settle within 20 ms" });
  expect(own?.reason).toBe(error);
});

test("rejects with the reason of the surrounding abort, whatever the task does", async () => {
  const controller = new AbortController();
  const reason = new Error("the user stopped");
  let own: AbortSignal | undefined;
  const task = bounded(
    (signal) => {
      own = signal;
      return new Promise<void>(() => {});
    },
    null,
    controller.signal,
  );
  controller.abort(reason);
  await expect(task).rejects.toBe(reason);
  expect(own?.reason).toBe(reason);
});

test("does not start a task whose surroundings are aborted", async () => {
  let started = false;
  const task = bounded(
    () => {
      started = true;
    },
    50,
    AbortSignal.abort(new Error("over")),
  );
  await expect(task).rejects.toThrow("over");
  expect(started).toBe(false);
});
