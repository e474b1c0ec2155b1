import { join } from "node:path";
import { expect, test } from "vitest";
import type { Loaded } from "../contract.js";
import { builtin, tempHome } from "../testing/temp-home.js";

const plugin = (name: string, more = ""): string =>
  `import { definePlugin } from "@quire/core";\nexport default definePlugin({ name: "${name}", apiVersion: 1, ${more} setup() {} });\n`;
const throwing = `throw new Error("must not be imported");`;

const names = (loaded: Loaded): readonly string[] =>
  loaded.host.plugins.filter(({ tier }) => tier !== "builtin").map(({ tier, name }) => `${tier} ${name}`);
const codes = (loaded: Loaded): readonly string[] => loaded.diagnostics.map(({ code }) => code);

test("plugins are found in the user's folder: files, and packages that name their entries", async () => {
  const place = await tempHome({
    "home/.quire/plugins/b.ts": plugin("b"),
    "home/.quire/plugins/a.mjs": plugin("a"),
    "home/.quire/plugins/c.js": plugin("c"),
    "home/.quire/plugins/types.d.ts": "export {};",
    "home/.quire/plugins/notes.md": "no plugin",
    "home/.quire/plugins/helpers/index.ts": throwing,
    "home/.quire/plugins/pack/package.json": `{ "version": "1.2.3", "quire": { "plugins": ["./one.ts", "./two.ts"] } }`,
    "home/.quire/plugins/pack/one.ts": plugin("one"),
    "home/.quire/plugins/pack/two.ts": plugin("two"),
    "home/.quire/plugins/@acme/focus/package.json": `{ "name": "@acme/focus", "quire": { "plugins": ["./index.ts"] } }`,
    "home/.quire/plugins/@acme/focus/index.ts": plugin("@acme/focus"),
    "home/.quire/plugins/node_modules/dep/index.ts": throwing,
  });
  const loaded = await place.load();
  expect(names(loaded)).toEqual([
    "installed @acme/focus",
    "installed one",
    "installed two",
    "user a",
    "user b",
    "user c",
  ]);
  expect(loaded.host.plugins.find(({ name }) => name === "two")).toMatchObject({
    version: "1.2.3",
    file: join(place.quireHome, "plugins/pack/two.ts"),
  });
  expect(loaded.diagnostics).toEqual([]);
});

test("config names plugins by path, relative to its own file, and by the name of an installed one", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": `plugins:\n  "./mine/lint.ts": { options: { level: 2 } }\n  "@acme/focus": { options: { tone: dry } }\n  ~/far.ts: {}\n`,
    "home/.quire/mine/lint.ts": plugin("lint"),
    "home/far.ts": plugin("far"),
    "home/.quire/plugins/node_modules/@acme/focus/package.json": `{ "name": "@acme/focus", "version": "2.0.0", "main": "./main.js", "type": "module" }`,
    "home/.quire/plugins/node_modules/@acme/focus/main.js": plugin("@acme/focus"),
  });
  const loaded = await place.load();
  expect(names(loaded)).toEqual(["installed @acme/focus", "user lint", "user far"]);
  expect(loaded.host.config["plugins"]).toEqual({
    "@acme/focus": { options: { tone: "dry" } },
    lint: { options: { level: 2 } },
    far: {},
  });
  expect(loaded.config.origin("plugins.@acme/focus.options.tone")).toEqual({
    kind: "config",
    file: join(place.quireHome, "config.yaml"),
    line: 3,
  });
});

test("config gives options to built-in plugins and to plugins found in the folder, by name", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": `plugins:\n  base: { options: { a: 1 } }\n  found: { options: { b: 2 }, required: true }\n`,
    "home/.quire/plugins/some-file.ts": plugin("found"),
  });
  const loaded = await place.load();
  expect(loaded.diagnostics).toEqual([]);
  expect(loaded.requiredMissing).toEqual([]);
  expect(loaded.host.plugins.find(({ name }) => name === "found")).toMatchObject({ required: true });
  expect(loaded.host.config["plugins"]).toMatchObject({ base: { options: { a: 1 } }, found: { options: { b: 2 } } });
});

test("the order of config ranks plugins of one tier", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": `plugins:\n  ./plugins/c.ts: {}\n  a: {}\n  second: {}\n  first: {}\n`,
    "home/.quire/plugins/a.ts": plugin("a"),
    "home/.quire/plugins/b.ts": plugin("b"),
    "home/.quire/plugins/c.ts": plugin("c"),
  });
  const loaded = await place.load({}, { builtins: ["first", "between", "second"].map((name) => builtin(name)) });
  expect(loaded.host.plugins.map(({ name }) => name)).toEqual(["second", "between", "first", "c", "b", "a"]);
});

test("a typed plugin may be a file, a folder, a package of the user's, or a built-in one that config switched off", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": "disable: [memory, ./lint.ts]\n",
    "home/.quire/plugins/node_modules/pack/index.js": `export default { name: "pack", apiVersion: 1, setup() {} };`,
    "home/.quire/plugins/node_modules/pack/package.json": `{ "type": "module" }`,
    "home/.quire/lint.ts": plugin("lint"),
    "work/folder/index.ts": plugin("folder"),
    "work/one.cjs": `module.exports = { name: "one", apiVersion: 1, setup() {} };`,
  });
  const loaded = await place.load(
    { plugins: ["./folder", "one.cjs", "pack", "memory", join(place.quireHome, "lint.ts")] },
    { typedAt: join(place.root, "work"), builtins: [builtin("memory")] },
  );
  expect(names(loaded)).toEqual(["flags folder", "flags one", "flags pack", "flags lint"]);
  expect(loaded.host.plugins.map(({ name }) => name)).toContain("memory");
  expect(loaded.diagnostics).toEqual([]);
});

test("a typed file wins over the same file in config and over a plugin of its name", async () => {
  const place = await tempHome({
    "home/.quire/plugins/focus.ts": plugin("focus"),
    "home/.quire/plugins/lint.ts": plugin("lint"),
    "work/focus.ts": plugin("focus", 'configKeys: ["new"],'),
    "work/base.ts": plugin("base"),
  });
  const loaded = await place.load(
    { plugins: ["focus.ts", "base.ts", join(place.quireHome, "plugins/lint.ts")] },
    { typedAt: join(place.root, "work") },
  );
  expect(loaded.host.plugins.map(({ tier, name }) => `${tier} ${name}`)).toEqual([
    "builtin permissions",
    "flags focus",
    "flags base",
    "flags lint",
  ]);
  expect(loaded.diagnostics.map(({ code, level, plugin }) => [code, level, plugin])).toEqual([
    ["plugin-overridden", "info", "focus"],
    ["plugin-overridden", "info", "base"],
  ]);
});

test("what is disabled by name, path or package is not imported", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": `disable: [one, ./plugins/two.ts, "@acme/pack", four]\n`,
    "home/.quire/plugins/one.ts": throwing,
    "home/.quire/plugins/two.ts": throwing,
    "home/.quire/plugins/pack/package.json": `{ "name": "@acme/pack", "quire": { "plugins": ["./index.ts"] } }`,
    "home/.quire/plugins/pack/index.ts": throwing,
    "home/.quire/plugins/differently-called.ts": plugin("four"),
    "home/.quire/plugins/five.ts": plugin("five"),
  });
  const loaded = await place.load();
  expect(names(loaded)).toEqual(["user five"]);
  expect(loaded.diagnostics).toEqual([]);
});

test("--no-plugin all leaves the built-in ones and those that are typed beside it", async () => {
  const place = await tempHome({
    "home/.quire/plugins/one.ts": throwing,
    "work/two.ts": plugin("two"),
  });
  const flags = { noPlugins: ["all"], plugins: ["two.ts"] };
  const loaded = await place.load(flags, { typedAt: join(place.root, "work") });
  expect(loaded.host.plugins.map(({ name }) => name)).toEqual(["base", "permissions", "two"]);
});

test("switching off what is not there is reported with the nearest name", async () => {
  const place = await tempHome({ "home/.quire/config.yaml": "disable:\n  - permisions\n" });
  const loaded = await place.load({ noPlugins: ["bse"] });
  expect(loaded.diagnostics).toMatchObject([
    {
      code: "plugin-unknown",
      level: "warn",
      at: { kind: "config", file: join(place.quireHome, "config.yaml"), line: 2 },
      fix: 'Did you mean "permissions"?',
    },
    { code: "plugin-unknown", at: { kind: "flag" }, fix: 'Did you mean "base"?' },
  ]);
});

test("one plugin's failure is one diagnostic that names it, and the others load", async () => {
  const place = await tempHome({
    "home/.quire/plugins/bad-import.ts": `throw new Error("boom");`,
    "home/.quire/plugins/bad-syntax.ts": `export default {;`,
    "home/.quire/plugins/bad-export.ts": `export const a = 1;`,
    "home/.quire/plugins/good.ts": plugin("good"),
    "home/.quire/config.yaml": `plugins:\n  ./gone.ts: {}\n  "@acme/focsu": {}\n  ./readme.md: {}\n  ./empty: {}\n`,
    "home/.quire/readme.md": "text",
    "home/.quire/empty/a.txt": "text",
  });
  const loaded = await place.load({ plugins: ["nowhere.ts"] }, { builtins: [builtin("base"), builtin("focus")] });
  expect(names(loaded)).toEqual(["user good"]);
  const plugins = join(place.quireHome, "plugins");
  expect(
    loaded.diagnostics
      .map(({ code, plugin, at }) => [code, plugin, at?.line])
      .sort((a, b) => (String(a) < String(b) ? -1 : 1)),
  ).toEqual([
    ["plugin-import", join(plugins, "bad-import.ts"), 1],
    ["plugin-invalid", join(plugins, "bad-export.ts"), undefined],
    ["plugin-missing", "./empty", 5],
    ["plugin-missing", "./gone.ts", 2],
    ["plugin-missing", "./readme.md", 4],
    ["plugin-missing", "@acme/focsu", 3],
    ["plugin-missing", "nowhere.ts", undefined],
    ["plugin-syntax", join(plugins, "bad-syntax.ts"), 1],
  ]);
  expect(loaded.diagnostics.every(({ level, fix }) => level === "error" && fix !== undefined)).toBe(true);
});

test("a built-in plugin that cannot be imported is reported, and the others load", async () => {
  const place = await tempHome();
  const broken = { name: "broken", configKeys: [], load: () => Promise.reject(new Error("no chunk")) };
  const loaded = await place.load({}, { builtins: [builtin("base"), broken] });
  expect(loaded.host.plugins.map(({ name }) => name)).toEqual(["base"]);
  expect(loaded.diagnostics).toMatchObject([
    { code: "plugin-import", plugin: "broken", fix: expect.stringContaining("--no-plugin broken") as string },
  ]);
});

test.for([
  { name: "is missing", config: "./gone.ts", files: {}, what: "There is no file" },
  {
    name: "throws",
    config: "./guard.ts",
    files: { "home/.quire/guard.ts": "throw new Error('locked');" },
    what: "locked",
  },
  { name: "is named and not there", config: "@acme/guard", files: {}, what: "There is no plugin" },
  {
    name: "is disabled in config",
    config: "./guard.ts",
    files: { "home/.quire/guard.ts": plugin("guard") },
    more: "disable: [guard]\n",
    what: "switched off",
  },
])("a required plugin that $name is missed", async ({ config, files, more = "", what }) => {
  const place = await tempHome({
    ...(files as Readonly<Record<string, string>>),
    "home/.quire/config.yaml": `${more}plugins:\n  "${config}": { required: true }\n`,
  });
  const loaded = await place.load();
  expect(loaded.requiredMissing).toMatchObject([{ code: "plugin-required", level: "error", plugin: config }]);
  expect(loaded.requiredMissing[0]?.message).toContain(what);
});

test("a required plugin that the command line switches off is not missed", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": `plugins:\n  "./guard.ts": { required: true }\n`,
    "home/.quire/guard.ts": plugin("guard"),
  });
  for (const noPlugins of [["all"], ["guard"], ["./guard.ts"]]) {
    const loaded = await place.load({ noPlugins }, { typedAt: place.quireHome });
    expect(names(loaded)).toEqual([]);
    expect(loaded.requiredMissing).toEqual([]);
  }
});

test("without config and foreign plugins neither esbuild nor jiti is imported", async () => {
  const place = await tempHome();
  const imported: string[] = [];
  const importModule = (url: string): Promise<unknown> => {
    imported.push(url);
    return import(url) as Promise<unknown>;
  };
  await place.load({}, { importModule });
  expect(imported).toEqual([]);
});

test("a plugin that lies in two places is loaded once", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": `plugins:\n  ./plugins/one.ts: {}\n  "~/.quire/plugins/one.ts": {}\n`,
    "home/.quire/plugins/one.ts": plugin("one"),
  });
  const loaded = await place.load();
  expect(names(loaded)).toEqual(["user one"]);
  expect(codes(loaded)).toEqual([]);
});
