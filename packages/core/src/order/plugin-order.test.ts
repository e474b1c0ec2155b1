import { expect, test } from "vitest";
import type { LoadedPlugin } from "../contracts/host.js";
import type { PluginDefinition, Tier } from "../contracts/plugin.js";
import { orderPlugins } from "./plugin-order.js";

type Relations = Pick<PluginDefinition, "after" | "before" | "needs">;

function plugin(name: string, relations: Relations = {}, tier: Tier = "user"): LoadedPlugin {
  const definition: PluginDefinition = { name, apiVersion: 1, setup: () => {}, ...relations };
  return loaded(name, definition, tier);
}

function loaded(name: string, exported: unknown, tier: Tier = "user"): LoadedPlugin {
  const definition = exported as PluginDefinition;
  return { name, version: "0.1.0", hash: "00", tier, file: `/plugins/${name}.ts`, plugin: definition };
}

function order(plugins: readonly LoadedPlugin[]): { names: string; codes: readonly string[] } {
  const { ordered, diagnostics } = orderPlugins(plugins);
  return { names: ordered.map(({ name }) => name).join(" "), codes: diagnostics.map(({ code }) => code) };
}

test("tier comes first, then the position in config", () => {
  const plugins = [
    plugin("flag", {}, "flags"),
    plugin("project", {}, "project"),
    plugin("user-2", {}, "user"),
    plugin("user-1", {}, "user"),
    plugin("installed", {}, "installed"),
    plugin("builtin", {}, "builtin"),
  ];
  expect(order(plugins)).toEqual({ names: "builtin installed user-2 user-1 project flag", codes: [] });
});

test.for([
  { name: "after", plugins: [plugin("a", { after: ["c"] }), plugin("b"), plugin("c")], want: "b c a" },
  { name: "before", plugins: [plugin("a"), plugin("b"), plugin("c", { before: ["a"] })], want: "b c a" },
  { name: "needs", plugins: [plugin("a", { needs: ["b"] }), plugin("b"), plugin("c")], want: "b a c" },
  {
    name: "after over tiers",
    plugins: [plugin("early", { after: ["late"] }, "builtin"), plugin("late", {}, "flags"), plugin("mid")],
    want: "mid late early",
  },
  {
    name: "an absent name in after and before",
    plugins: [plugin("a", { after: ["x"], before: ["y"] })],
    want: "a",
  },
  { name: "its own name", plugins: [plugin("a", { after: ["a"], needs: ["a"] }), plugin("b")], want: "a b" },
  {
    name: "lowest rank among the ready, a chain",
    plugins: [plugin("a", { after: ["d"] }), plugin("b", { after: ["a"] }), plugin("c"), plugin("d")],
    want: "c d a b",
  },
])("obeys $name", ({ plugins, want }) => {
  expect(order(plugins)).toEqual({ names: want, codes: [] });
});

test("cuts a cycle at its lowest-ranked member and names all of it", () => {
  const { ordered, diagnostics } = orderPlugins([
    plugin("blocked", { after: ["b"] }),
    plugin("a", { after: ["c"] }),
    plugin("b", { after: ["a"] }),
    plugin("c", { after: ["b"] }),
  ]);
  expect(ordered.map(({ name }) => name)).toEqual(["a", "b", "blocked", "c"]);
  expect(diagnostics).toMatchObject([
    {
      code: "plugin-cycle",
      level: "warn",
      plugin: "a",
      message: expect.stringContaining('"a" after "c" after "b" after "a"'),
    },
  ]);
});

test("cuts two cycles through one plugin, each once", () => {
  const plugins = [plugin("a", { after: ["b", "c"] }), plugin("b", { after: ["a"] }), plugin("c", { after: ["a"] })];
  expect(order(plugins)).toEqual({ names: "a b c", codes: ["plugin-cycle", "plugin-cycle"] });
});

test("two plugins of one name: the first in order stays", () => {
  const builtin = plugin("base", {}, "builtin");
  const mine = { ...plugin("base", {}, "flags"), file: "/mine/base.ts" };
  const { ordered, diagnostics } = orderPlugins([mine, builtin]);
  expect(ordered).toEqual([builtin]);
  expect(diagnostics).toMatchObject([
    { code: "plugin-duplicate", level: "error", plugin: "base", at: { file: "/mine/base.ts" } },
  ]);
  expect(diagnostics[0]?.message).toContain("/plugins/base.ts stays, /mine/base.ts is not loaded");
});

test("drops a plugin whose needs are absent, and those that needed it", () => {
  const { ordered, diagnostics } = orderPlugins([
    plugin("top", { needs: ["middle"] }),
    plugin("middle", { needs: ["todos", "todo"] }),
    plugin("todo"),
  ]);
  expect(ordered.map(({ name }) => name)).toEqual(["todo"]);
  expect(diagnostics).toMatchObject([
    { code: "plugin-needs", plugin: "middle", fix: expect.stringContaining('Did you mean "todo"?') },
    {
      code: "plugin-needs",
      plugin: "top",
      message: expect.stringContaining('needs "middle", left out itself'),
    },
  ]);
});

const setup = () => {};
test.for([
  { name: "nothing", exported: undefined, seen: "exports nothing by default" },
  { name: "null", exported: null, seen: "exports null by default" },
  { name: "a function", exported: function myPlugin() {}, seen: "exports the function myPlugin by default" },
  { name: "another object", exported: { register: setup, on: 1 }, seen: "an object with register, on" },
  { name: "an empty object", exported: {}, seen: "an empty object" },
  { name: "an array", exported: [setup], seen: "exports an array" },
  { name: "no name", exported: { apiVersion: 1, setup }, seen: "the name nothing" },
  {
    name: "a name in capitals",
    exported: { name: "MyPlugin", apiVersion: 1, setup },
    seen: 'the name "MyPlugin"',
  },
  {
    name: "a setup that is no function",
    exported: { name: "x", apiVersion: 1, setup: {} },
    seen: "as setup",
  },
  {
    name: "needs that are no list",
    exported: { name: "x", apiVersion: 1, setup, needs: "y" },
    seen: '"y" as needs',
  },
  {
    name: "options that are no schema",
    exported: { name: "x", apiVersion: 1, setup, options: { a: 1 } },
    seen: "as options",
  },
])("drops a file that exports $name, and says so", ({ exported, seen }) => {
  const { ordered, diagnostics } = orderPlugins([loaded("bad", exported), plugin("good")]);
  expect(ordered.map(({ name }) => name)).toEqual(["good"]);
  expect(diagnostics).toMatchObject([
    { code: "plugin-invalid", level: "error", plugin: "bad", at: { file: "/plugins/bad.ts" } },
  ]);
  expect(diagnostics[0]?.message).toContain(seen);
  expect(diagnostics[0]?.fix).not.toBe("");
});

test.for([2, "1", "^2.0", "^1.4", undefined])("refuses the API version %s and names its own", (apiVersion) => {
  const { ordered, diagnostics } = orderPlugins([loaded("new", { name: "new", apiVersion, setup })]);
  expect(ordered).toEqual([]);
  expect(diagnostics).toMatchObject([
    { code: "plugin-api-version", plugin: "new", message: expect.stringContaining("this host speaks 1.0") },
  ]);
});

test.for([1, "^1.0"])("takes the API version %s", (apiVersion) => {
  expect(order([loaded("fine", { name: "fine", apiVersion, setup })])).toEqual({ names: "fine", codes: [] });
});

test("a plugin goes by the name of its definition", () => {
  expect(order([loaded("file-name", { name: "@acme/focus", apiVersion: 1, setup })]).names).toBe("@acme/focus");
});
