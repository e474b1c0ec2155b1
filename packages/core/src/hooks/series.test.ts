import { describe, expect, test } from "vitest";
import type { HookKind } from "./hook-table.js";
import { createLoopSeries, createTapableSeries, mayCompile } from "./series.js";
import type { Series } from "./series.js";

const args = [{ signal: new AbortController().signal, session: { id: "s" } }];

function withTaps(
  create: typeof createLoopSeries,
  kind: HookKind,
  fns: readonly ((value: unknown) => unknown)[],
): { series: Series; heard: unknown[] } {
  const heard: unknown[] = [];
  const series = create(kind);
  for (const [index, fn] of fns.entries()) {
    series.add(`p${index}`, async (value) => {
      heard.push(value);
      return fn(value);
    });
  }
  return { series, heard };
}

test("this process may compile, so that tapable itself is under test", () => {
  expect(mayCompile()).toBe(true);
});

describe.each([
  { engine: "tapable", create: createTapableSeries },
  { engine: "the plain loop", create: createLoopSeries },
])("$engine", ({ create }) => {
  test("hands a changed value on and keeps it on undefined", async () => {
    const { series, heard } = withTaps(create, "change", [
      (value) => `${String(value)}b`,
      () => undefined,
      (value) => `${String(value)}c`,
    ]);
    await expect(series.run("a", args)).resolves.toBe("abc");
    expect(heard).toEqual(["a", "ab", "ab"]);
  });

  test("stops asking at the first answer", async () => {
    const { series, heard } = withTaps(create, "ask", [() => undefined, () => "yes", () => "never"]);
    await expect(series.run(undefined, args)).resolves.toBe("yes");
    expect(heard).toHaveLength(2);
  });

  test.for(["tell", "vote"] as const)("calls every tap of a %s, whatever they return", async (kind) => {
    const { series, heard } = withTaps(create, kind, [() => 1, () => undefined, () => 3]);
    await expect(series.run(undefined, args)).resolves.toBeUndefined();
    expect(heard).toHaveLength(3);
  });

  test("stops at a rejection and passes it on as it is", async () => {
    const stop = new Error("stop");
    const { series, heard } = withTaps(create, "tell", [
      () => {
        throw stop;
      },
      () => 2,
    ]);
    await expect(series.run(undefined, args)).rejects.toBe(stop);
    expect(heard).toHaveLength(1);
  });

  test("serves taps added after a run", async () => {
    const { series } = withTaps(create, "change", [() => "first"]);
    await series.run("none", args);
    series.add("late", async () => "second");
    await expect(series.run("none", args)).resolves.toBe("second");
  });
});
