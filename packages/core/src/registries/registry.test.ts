import { expect, test } from "vitest";
import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Registry } from "../contracts/registry.js";
import { PluginError } from "../errors.js";
import type { HostRegistry } from "./registry.js";
import { createRegistry } from "./registry.js";

interface Spec {
  readonly name: string;
  readonly text: string;
}

function create(prefixed = false): { registry: HostRegistry<Spec>; reported: Diagnostic[] } {
  const reported: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void reported.push(diagnostic);
  const registry = createRegistry<Spec>(prefixed ? "command" : "layout", report);
  return { registry, reported };
}

function caught(run: () => unknown): Diagnostic | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof PluginError ? error.diagnostic : undefined;
  }
  return undefined;
}

const more = (text: string) => (previous: Spec) => ({ ...previous, text: `${previous.text}${text}` });

test("lists what was registered, in order, and knows who did it", () => {
  const { registry } = create();
  registry.face("a").register({ name: "one", text: "1" });
  registry.face("b").register({ name: "two", text: "2" });
  expect(registry.list().map(({ name }) => name)).toEqual(["one", "two"]);
  expect([registry.owner("two"), registry.owner("three")]).toEqual(["b", undefined]);
});

test("the later replacement wins, wraps go around it from inner to outer, and the owner stays", () => {
  const { registry, reported } = create();
  const [a, b, c] = [registry.face("a"), registry.face("b"), registry.face("c")];
  a.register({ name: "x", text: "base" });
  a.wrap("x", more("+a"));
  b.replace("x", { name: "x", text: "b" });
  b.wrap("x", more("+b"));
  c.replace("x", { name: "x", text: "c" });
  registry.close();
  expect(registry.list()).toEqual([{ name: "x", text: "c+a+b" }]);
  expect(registry.owner("x")).toBe("a");
  expect(reported).toEqual([]);
});

test("of replace and remove the later one stands", () => {
  const { registry } = create();
  const face = registry.face("a");
  for (const name of ["gone", "back"]) face.register({ name, text: "" });
  face.replace("gone", { name: "gone", text: "new" });
  face.remove("gone");
  face.remove("back");
  face.replace("back", { name: "back", text: "new" });
  registry.close();
  expect(registry.list()).toEqual([{ name: "back", text: "new" }]);
});

test("any order of calls within one plugin order gives equal lists and diagnostics", () => {
  type Step = (face: Registry<Spec>) => void;
  const ofA: readonly Step[] = [
    (face) => face.register({ name: "x", text: "x" }),
    (face) => face.wrap("x", more("+a")),
    (face) => face.remove("nothing"),
  ];
  const ofB: readonly Step[] = [
    (face) => face.replace("x", { name: "x", text: "y" }),
    (face) => face.wrap("x", more("+b")),
    (face) => face.register({ name: "x", text: "other" }),
  ];
  const outcomes = permutations(ofA).flatMap((first) =>
    permutations(ofB).map((second) => {
      const { registry, reported } = create();
      for (const step of first) step(registry.face("a"));
      for (const step of second) step(registry.face("b"));
      registry.close();
      return { list: registry.list(), reported };
    }),
  );
  expect(outcomes).toHaveLength(36);
  expect(outcomes[0]?.list).toEqual([{ name: "x", text: "y+a+b" }]);
  expect(outcomes[0]?.reported.map(({ code }) => code)).toEqual(["name-duplicate", "name-unknown"]);
  for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
});

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

test("of two with one bare name the first stays, and the order that would change it is printed", () => {
  const { registry, reported } = create();
  registry.face("a").register({ name: "plain", text: "of a" });
  registry.face("@acme/b").register({ name: "plain", text: "of b" });
  registry.close();
  expect(registry.list()).toEqual([{ name: "plain", text: "of a" }]);
  expect(reported).toMatchObject([
    {
      code: "name-duplicate",
      plugin: "@acme/b",
      message: 'The plugins "a" and "@acme/b" both bring the layout "plain"; that of "a" stays',
      fix: expect.stringContaining('plugins: { "@acme/b": {}, "a": {} }'),
    },
  ]);
});

test("commands are told apart by their last part, and a removed one makes room", () => {
  const { registry, reported } = create(true);
  registry.face("a").register({ name: "a/review", text: "a" });
  registry.face("a").register({ name: "a/fix", text: "a" });
  registry.face("b").register({ name: "b/review", text: "b" });
  registry.face("b").register({ name: "b/fix", text: "b" });
  registry.face("b").remove("a/fix");
  registry.close();
  expect(registry.list().map(({ name }) => name)).toEqual(["a/review", "b/fix"]);
  expect(reported).toMatchObject([
    { code: "name-duplicate", message: expect.stringContaining('"a/review" and "b/review"') },
  ]);
});

test.for(["review", "b/review", "a", "a/", "a/two words", "a/deep/er"])(
  "a command named %s is refused for another plugin than its prefix",
  (name) => {
    const { registry } = create(true);
    const diagnostic = caught(() => registry.face("a").register({ name, text: "" }));
    expect(diagnostic).toMatchObject({
      code: "name-prefix",
      plugin: "a",
      fix: expect.stringContaining('"a/'),
    });
    expect(registry.list()).toEqual([]);
  },
);

test.for(["a/plain", "", "two words"])("a layout named %j is refused: its name is bare", (name) => {
  const { registry } = create();
  expect(caught(() => registry.face("a").register({ name, text: "" }))).toMatchObject({
    code: "name-prefix",
  });
});

test("an edit of an unknown name is reported with the nearest one", () => {
  const { registry, reported } = create();
  registry.face("a").register({ name: "default", text: "" });
  registry.face("b").wrap("defualt", more("!"));
  registry.close();
  registry.close();
  expect(reported).toMatchObject([{ code: "name-unknown", plugin: "b", fix: 'Did you mean "default"?' }]);
});

test("a wrap that throws or renames is skipped and reported", () => {
  const { registry, reported } = create();
  registry.face("a").register({ name: "x", text: "x" });
  registry.face("b").wrap("x", () => {
    throw new Error("boom");
  });
  registry.face("c").wrap("x", (previous) => ({ ...previous, name: "y" }));
  registry.face("d").wrap("x", () => undefined as unknown as Spec);
  registry.face("e").wrap("x", more("+e"));
  registry.close();
  expect(registry.list()).toEqual([{ name: "x", text: "x+e" }]);
  expect(reported.map(({ code, plugin }) => `${code} ${plugin}`)).toEqual([
    "wrap-failed b",
    "wrap-failed c",
    "wrap-failed d",
  ]);
  expect(reported[0]?.message).toContain("boom");
});

test("a replacement keeps the name it replaces", () => {
  const { registry } = create();
  const face = registry.face("b");
  expect(caught(() => face.replace("x", { name: "z", text: "" }))).toMatchObject({ code: "name-mismatch" });
  expect(caught(() => face.wrap("x", "no function" as never))).toMatchObject({ code: "spec-invalid" });
  expect(caught(() => face.register({ text: "no name" } as never))).toMatchObject({ code: "spec-invalid" });
});

test("after set-up nothing is registered or edited", () => {
  const { registry } = create();
  const face = registry.face("late");
  registry.close();
  const calls = [
    () => face.register({ name: "x", text: "" }),
    () => face.replace("x", { name: "x", text: "" }),
    () => face.wrap("x", more("!")),
    () => face.remove("x"),
  ];
  for (const call of calls) expect(caught(call)).toMatchObject({ code: "registry-closed", plugin: "late" });
  expect(registry.list()).toEqual([]);
});

test("a withdrawn plugin leaves nothing behind and cannot come back", () => {
  const { registry, reported } = create();
  const half = registry.face("half");
  half.register({ name: "x", text: "half" });
  registry.face("whole").register({ name: "x", text: "whole" });
  half.wrap("x", more("+half"));
  registry.withdraw("half");
  expect(caught(() => half.remove("x"))).toMatchObject({ code: "registry-closed" });
  registry.close();
  expect(registry.list()).toEqual([{ name: "x", text: "whole" }]);
  expect(reported).toEqual([]);
});
