import { join } from "node:path";
import { ConfigError, definePlugin, type PluginDefinition, type QuireError } from "@quire/core";
import { expect, test } from "vitest";
import * as z from "zod";
import type { Builtin } from "../contract.js";
import { builtin, tempHome } from "../testing/temp-home.js";

async function failure(run: Promise<unknown>) {
  const error: unknown = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return (error as QuireError).diagnostic;
}

test("scopes merge: objects at every depth, lists and values by the higher scope", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": `model: a/user
tools: { only: [read, edit], off: [code] }
permissions: { mode: ask, allow: ["read(*)"], deep: { a: 1, b: 1 } }
`,
    "project/.quire/config.yaml": `model: a/project
tools: { only: [grep] }
permissions: { allow: [], deep: { b: 2 } }
`,
  });
  const loaded = await place.load({ trust: true, config: { permissions: { mode: "plan" }, layout: "mine" } });
  expect(loaded.config.merged).toEqual({
    preset: "quire",
    layout: "mine",
    prompt: { prefix: "frozen" },
    model: "a/project",
    tools: { only: ["grep"], off: ["code"] },
    permissions: { mode: "plan", allow: [], deep: { a: 1, b: 2 } },
  });
  expect(loaded.config.scopes.map(({ scope }) => scope)).toEqual(["defaults", "user", "project", "flags"]);
  expect(loaded.host.config).toEqual(loaded.config.merged);
});

test("every value knows where it was written", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": `# mine
model: a/user
permissions:
  allow:
    - one
    - two
  mode: ask
plugins:
  "@acme/v1.2":
    options: { tone: dry }
`,
    "project/.quire/config.yaml": `permissions:\n  mode: edit\n`,
  });
  const { config } = await place.load({ trust: true, config: { layout: "mine" } });
  const user = join(place.quireHome, "config.yaml");
  const project = join(place.project, ".quire/config.yaml");
  expect(config.origin("permissions.mode")).toEqual({ kind: "config", file: project, line: 2 });
  expect(config.origin("permissions.allow")).toEqual({ kind: "config", file: user, line: 4 });
  expect(config.origin("permissions.allow.1")).toEqual({ kind: "config", file: user, line: 6 });
  expect(config.origin("plugins.@acme/v1.2.options.tone")).toEqual({ kind: "config", file: user, line: 10 });
  expect(config.origin("layout")).toEqual({ kind: "flag" });
  expect(config.origin("prompt.prefix")).toEqual({ kind: "host" });
  expect(config.origin("permissions.none")).toBeUndefined();
  expect(config.origin("nothing")).toBeUndefined();
});

test("the files that may count are listed, whether they exist or are used", async () => {
  const place = await tempHome({ "project/.quire/config.yaml": "model: a/b\n" });
  const files = async (trust: boolean) => (await place.load({ trust })).config.files;
  const user = { scope: "user", file: join(place.quireHome, "config.yaml"), exists: false, used: false };
  const project = { scope: "project", file: join(place.project, ".quire/config.yaml"), exists: true };
  expect(await files(false)).toEqual([user, { ...project, used: false }]);
  expect(await files(true)).toEqual([user, { ...project, used: true }]);
});

test("IO-22 IO-23 -c names the only config file, relative to the working directory", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": "model: a/user\nlayout: from-user\n",
    "project/.quire/config.yaml": "model: a/project\n",
    "project/ci.yaml": "model: a/ci\n",
  });
  const loaded = await place.load({ configFile: "ci.yaml", trust: true }, { typedAt: place.root });
  expect(loaded.config.merged).toMatchObject({ model: "a/ci", layout: "quire" });
  expect(loaded.config.files).toEqual([
    { scope: "user", file: join(place.project, "ci.yaml"), exists: true, used: true },
  ]);
  expect(loaded.untrusted).toEqual([]);
});

test("a -c file that does not exist is an error", async () => {
  const place = await tempHome();
  expect(await failure(place.load({ configFile: "gone.yaml" }))).toMatchObject({
    code: "config-missing",
    message: expect.stringContaining(join(place.project, "gone.yaml")) as string,
  });
});

test("an empty config file, and keys without a value, say nothing", async () => {
  const place = await tempHome({ "home/.quire/config.yaml": "# nothing yet\n" });
  expect((await place.load()).config.merged).toMatchObject({ layout: "quire" });
  await place.write({ "home/.quire/config.yaml": "\uFEFFlayout:\nmodel: a/b\n" });
  expect((await place.load()).config.merged).toMatchObject({ layout: "quire", model: "a/b" });
});

test.for([
  { name: "broken YAML", text: "model: a/b\nlayout: [1, 2\n\n", line: 2, what: "YAML" },
  { name: "a tab", text: "tools:\n\toff: [a]\n", line: 2, what: "spaces, never with tabs" },
  { name: "a key twice", text: "model: a\nmodel: b\n", line: 2, what: "unique" },
  { name: "a list", text: "- a\n- b\n", line: 1, what: "a list" },
  { name: "bytes that are no text", text: new Uint8Array([0x6d, 0xff, 0xfe]), line: 1, what: "UTF-8" },
  {
    name: "an alias without an anchor",
    text: "model: *nowhere\n",
    line: 1,
    what: "nowhere",
  },
  {
    name: "a wrong choice",
    text: "model: a/b\nprompt:\n  prefix: frosen\n",
    line: 3,
    what: '`prompt.prefix` is "frosen", and frozen or rebuilt is wanted',
    fix: "Did you mean `frozen`?",
  },
  {
    name: "a form that fits none of several",
    text: "instructions: [a]\n",
    line: 1,
    what: "`instructions` is a list, and a text, or a mapping with `file` is wanted",
  },
  {
    name: "a misspelt key of a mapping that is one form of several",
    text: "instructions:\n  flie: a.md\n",
    line: 2,
    what: "`instructions.flie` is no known key",
    fix: "Did you mean `file`? Known here: file",
  },
  {
    name: "a misspelt key of profiles",
    text: "profiles: { path: [a] }\n",
    line: 1,
    what: "`profiles.path` is no known key",
    fix: "Did you mean `paths`? Known here: paths, primary_paths, inject",
  },
  {
    name: "an unknown nested key",
    text: "tools:\n  ofg: [a]\n",
    line: 2,
    what: "`tools.ofg` is no known key",
    fix: "Did you mean `off`? Known here: only, off",
  },
  {
    name: "a text for a list",
    text: "disable: memory\n",
    line: 1,
    what: '`disable` is "memory", and a list is wanted',
  },
  { name: "a wrong item", text: "tools:\n  only:\n    - read\n    - 3\n", line: 4, what: "`tools.only.1` is 3" },
  { name: "too small a number", text: "prompt: { max_tokens: 0 }\n", line: 1, what: "a number above 0" },
  { name: "a list of plugins", text: "plugins:\n  - a\n", line: 1, what: "`plugins` is a list, and a mapping" },
  {
    name: "an unknown key of a plugin's entry",
    text: "plugins:\n  a:\n    optoins: {}\n",
    line: 3,
    what: "`plugins.a.optoins` is no known key",
    fix: "Did you mean `options`?",
  },
  {
    name: "an unknown way to edit a section",
    text: "sections:\n  base/rules: { apend: x }\n",
    line: 2,
    what: "`sections.base/rules.apend` is no known key",
    fix: "Did you mean `append`?",
  },
  {
    name: "two ways to edit a section that exclude each other",
    text: "sections:\n  base/rules: { text: x, use: y }\n",
    line: 2,
    what: "one of `text`, `file` and `use`",
  },
  {
    name: "a number for a section",
    text: "sections:\n  base/rules: 12\n",
    line: 2,
    what: "`sections.base/rules` is 12, and `false`, a text, or a mapping",
  },
  { name: "an empty model", text: 'model: ""\n', line: 1, what: "a text that is not empty" },
  { name: "an unknown preset", text: "preset: pie\n", line: 1, what: 'no preset "pie"', fix: "There are: quire" },
  {
    name: "an unknown key",
    text: "model: a/b\npermisions:\n  mode: ask\n",
    line: 2,
    what: "`permisions` is no known key",
    fix: "Did you mean `permissions`?",
  },
])("$name in config is told with file and line", async ({ text, line, what, fix }) => {
  const place = await tempHome({ "home/.quire/config.yaml": text });
  const found = await failure(place.load());
  expect(found.at).toEqual({ kind: "config", file: join(place.quireHome, "config.yaml"), line });
  expect(found.message).toContain(what);
  expect(found.fix).toContain(fix ?? "");
  expect(found.fix).not.toBe("");
});

test("a config file that is a folder is told without a stack", async () => {
  for (const folder of ["home", "project"]) {
    const place = await tempHome({ [`${folder}/.quire/config.yaml/x`]: "" });
    expect(await failure(place.load())).toMatchObject({
      code: "config-unreadable",
      at: { file: join(place.root, folder, ".quire/config.yaml") },
    });
  }
});

test("an unknown preset in a flag is told, too", async () => {
  const place = await tempHome();
  expect(await failure(place.load({ config: { preset: "pie" } }))).toMatchObject({ at: { kind: "flag" } });
});

test("keys belong to plugins that name them, loaded or disabled, built in or not", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": "disable: [permissions]\npermissions: { mode: ask }\nlint: { level: 1 }\n",
    "home/.quire/plugins/lint.ts": `export default { name: "lint", apiVersion: 1, configKeys: ["lint"], setup() {} };`,
  });
  expect((await place.load()).diagnostics).toEqual([]);
});

test("an unknown key is only reported while a plugin that might own it is not loaded", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": "lint: { level: 1 }\n",
    "home/.quire/plugins/lint.ts": `throw new Error("broken");`,
  });
  const { diagnostics } = await place.load();
  expect(diagnostics.map(({ code, level }) => [code, level])).toEqual([
    ["config-key-unknown", "warn"],
    ["plugin-import", "error"],
  ]);
});

test("values cannot reach the prototype of objects", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": "permissions: { __proto__: { polluted: true } }\n",
    "project/.quire/config.yaml": "permissions: { __proto__: { polluted: true } }\n",
  });
  await place.load({ trust: true }, { builtins: [builtin("permissions", ["permissions"])] });
  expect(({} as Readonly<Record<string, unknown>>)["polluted"]).toBeUndefined();
});

test("what config says to a built-in plugin is checked by its schema, with file and line", async () => {
  const options = z.object({
    permissions: z
      .strictObject({ mode: z.enum(["ask", "edit"]), allow: z.array(z.string()) })
      .partial()
      .optional(),
    depth: z.int().optional(),
  });
  const guard = definePlugin({ name: "guard", apiVersion: 1, configKeys: ["permissions"], options, setup: () => {} });
  const builtins: readonly Builtin[] = [
    { name: "guard", configKeys: ["permissions"], load: () => Promise.resolve(guard as PluginDefinition) },
  ];
  for (const [text, line, what] of [
    ["model: a/b\npermissions:\n  mode: aks\n", 3, "permissions.mode"],
    ["permissions:\n  allow:\n    - a\n    - 2\n", 4, "permissions.allow.1"],
    ["permissions:\n  allow: []\n  mdoe: ask\n", 1, "mdoe"],
    ["plugins:\n  guard:\n    options:\n      depth: deep\n", 4, "plugins.guard.options.depth"],
  ] as const) {
    const place = await tempHome({ "home/.quire/config.yaml": text });
    const found = await failure(place.load({}, { builtins }));
    expect(found.at).toEqual({ kind: "config", file: join(place.quireHome, "config.yaml"), line });
    expect(found.message).toContain(what);
  }
  const place = await tempHome();
  const flags = { config: { permissions: { mode: "aks" } } };
  expect((await failure(place.load(flags, { builtins }))).at).toEqual({ kind: "flag" });
});
