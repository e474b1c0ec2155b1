import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as core from "@quire/core";
import type { Config } from "@quire/core";
import { sha256 } from "@quire/core/host";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { tempFolder } from "../testing/temp-home.js";
import { importPlugin, preparePlugin, type ImportSettings } from "./import-plugin.js";
import { isFailure, type PluginSource } from "./plugin-source.js";

const importModule = (specifier: string): Promise<unknown> => import(specifier) as Promise<unknown>;

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Loads `entry` and gives back what the plugin carries in `facts`, beside the plugin itself. */
async function run(folder: string, entry: string, settings: ImportSettings, tier: PluginSource["tier"] = "user") {
  const source: PluginSource = { label: entry, file: join(folder, entry), tier };
  const prepared = await preparePlugin(source, settings);
  const result = await importPlugin(source, prepared, settings);
  if (isFailure(result)) return { failure: result, facts: {} as Config };
  const { facts } = result.plugin as unknown as { facts: Config };
  return { plugin: result.plugin, hash: result.hash, facts, prepared };
}

const plugin = (imports: string, facts: string): string =>
  `import { definePlugin } from "@quire/core";\n${imports}\nexport default { ...definePlugin({ name: "x", apiVersion: 1, setup() {} }), facts: { ${facts} } };\n`;

describe.each(["esbuild", "jiti"] as const)("plugins by %s", (bundler) => {
  async function place(files: Readonly<Record<string, string>>) {
    const folder = await tempFolder();
    await write(folder, files);
    const settings: ImportSettings = { cacheFolder: join(folder, "cache"), version: "1", bundler, importModule };
    return { folder, settings };
  }

  test("understand enums, parameter properties and types", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(
        `import type { Nothing } from "./nowhere.js";
         enum Tone { Dry = "dry", Wet = "wet" }
         class Point { constructor(public readonly x: number) {} }
         const nothing: Nothing | null = null;`,
        `tone: Tone.Wet, x: new Point(3).x, nothing`,
      ),
    });
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({ tone: "wet", x: 3, nothing: null });
  });

  test("may hold helpers that import each other, TypeScript and .mjs alike", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(
        `import { ping } from "./ping.js"; import { even } from "./even.mjs";`,
        `ping: ping(3), even: even(4)`,
      ),
      "ping.ts": `import { pong } from "./pong.js"; export const ping = (n: number): string => (n === 0 ? "ping" : pong(n - 1));`,
      "pong.ts": `import { ping } from "./ping.js"; export const pong = (n: number): string => (n === 0 ? "pong" : ping(n - 1));`,
      "even.mjs": `import { odd } from "./odd.mjs"; export const even = (n) => (n === 0 ? true : odd(n - 1));`,
      "odd.mjs": `import { even } from "./even.mjs"; export const odd = (n) => (n === 0 ? false : even(n - 1));`,
    });
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({ ping: "pong", even: true });
  });

  test("may use CommonJS helpers, which require Node's modules, packages and each other", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(`import helper from "./helper.cjs";`, `...helper`),
      "helper.cjs": `const path = require("node:path"); module.exports = { base: path.basename(__filename), inner: require("./inner.cjs"), dep: require("dep").name, found: require.resolve("./inner.cjs") };`,
      "inner.cjs": `module.exports = __dirname;`,
      "node_modules/dep/package.json": `{ "name": "dep", "main": "./main.js" }`,
      "node_modules/dep/main.js": `exports.name = "a package";`,
    });
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({
      base: "helper.cjs",
      inner: folder,
      dep: "a package",
      found: join(folder, "inner.cjs"),
    });
  });

  test("may import lazily and await at the top level", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(
        `const now = await import("./lazy.js"); const later = () => import("./later.js");`,
        `now: now.default, later: (await later()).name`,
      ),
      "lazy.ts": `export default "lazy" as string;`,
      "later.ts": `export const name: string = "later";`,
    });
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({ now: "lazy", later: "later" });
  });

  test("see the place of their own files", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(
        `import { where } from "./lib/helper.js";`,
        `url: import.meta.url, dirname: import.meta.dirname, filename: import.meta.filename, where`,
      ),
      "lib/helper.ts": `export const where = [import.meta.url, import.meta.resolve("../entry.ts")];`,
    });
    const entry = join(folder, "entry.ts");
    const helper = join(folder, "lib/helper.ts");
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({
      url: pathToFileURL(entry).href,
      dirname: folder,
      filename: entry,
      where: [pathToFileURL(helper).href, pathToFileURL(entry).href],
    });
  });

  test("get packages from their own folder, by the rules of ES modules", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(`import { kind } from "dep"; import { sub } from "@scope/dep/sub";`, `kind, sub`),
      "node_modules/dep/package.json": `{ "name": "dep", "exports": { "import": "./i.mjs", "require": "./r.cjs" } }`,
      "node_modules/dep/i.mjs": `export const kind = "import";`,
      "node_modules/dep/r.cjs": `exports.kind = "require";`,
      "node_modules/@scope/dep/package.json": `{ "name": "@scope/dep", "type": "module", "exports": { "./sub": "./sub.js" } }`,
      "node_modules/@scope/dep/sub.js": `export const sub = import.meta.url;`,
    });
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({
      kind: "import",
      sub: pathToFileURL(join(folder, "node_modules/@scope/dep/sub.js")).href,
    });
  });

  test("show a changed helper at the next load in the same process, under another hash", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(`import { word } from "./helper.js";`, `word`),
      "helper.ts": `export const word = "one";`,
    });
    const first = await run(folder, "entry.ts", settings);
    await write(folder, { "helper.ts": `export const word = "two";` });
    const second = await run(folder, "entry.ts", settings);
    expect([first.facts, second.facts]).toEqual([{ word: "one" }, { word: "two" }]);
    expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(second.hash).not.toBe(first.hash);
    await write(folder, { "helper.ts": `export const word = "one";` });
    expect((await run(folder, "entry.ts", settings)).hash).toBe(first.hash);
  });

  test("share the host's own core, and its zod where they have none", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(
        `import { QuireError } from "@quire/core"; import { ConfigError } from "./helper.mjs"; import * as z from "zod"; import zed, { string } from "zod";`,
        `QuireError, ConfigError, object: z.object, string, zed: typeof zed.object`,
      ),
      "helper.mjs": `export { ConfigError } from "@quire/core";`,
    });
    const { facts } = await run(folder, "entry.ts", settings);
    expect(facts["QuireError"]).toBe(core.QuireError);
    expect(facts["ConfigError"]).toBe(core.ConfigError);
    expect(facts["object"]).toBe(z.object);
    expect(facts["string"]).toBe(z.string);
    expect(facts["zed"]).toBe("function");
  });

  test("use their own zod where they have one, and never their own core", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(`import { QuireError } from "@quire/core"; import { mine } from "zod";`, `QuireError, mine`),
      "node_modules/zod/package.json": `{ "name": "zod", "type": "module", "exports": "./index.js" }`,
      "node_modules/zod/index.js": `export const mine = "my own zod";`,
      "node_modules/@quire/core/package.json": `{ "name": "@quire/core", "type": "module", "exports": "./index.js" }`,
      "node_modules/@quire/core/index.js": `export const definePlugin = (x) => x; export class QuireError {}`,
    });
    const { facts } = await run(folder, "entry.ts", settings);
    expect(facts["mine"]).toBe("my own zod");
    expect(facts["QuireError"]).toBe(core.QuireError);
  });

  test.for([
    { file: "plugin.mjs", text: plugin("", `kind: "mjs"`), kind: "mjs" },
    { file: "plugin.js", text: plugin("", `kind: "js"`), kind: "js" },
    {
      file: "plugin.cjs",
      text: `const { QuireError } = require("@quire/core"); module.exports = { name: "x", apiVersion: 1, setup() {}, facts: { kind: QuireError.name } };`,
      kind: "QuireError",
    },
    {
      file: "compiled.cjs",
      text: `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = { name: "x", apiVersion: 1, setup() {}, facts: { kind: "compiled" } };`,
      kind: "compiled",
    },
  ])("may be written as $file", async ({ file, text, kind }) => {
    const { folder, settings } = await place({ [file]: text });
    expect((await run(folder, file, settings)).facts["kind"]).toBe(kind);
  });

  test.for([
    { name: "a named export only", text: `export const plugin = 1;`, seen: "it exports plugin" },
    { name: "a function", text: `export default () => {};`, seen: "it exports default" },
    { name: "no setup", text: `export default { name: "x", apiVersion: 1 };`, seen: "it exports default" },
    { name: "nothing", text: `export {};`, seen: "it exports nothing" },
  ])("are refused when they export $name", async ({ text, seen }) => {
    const { folder, settings } = await place({ "entry.ts": text });
    const { failure } = await run(folder, "entry.ts", settings);
    expect(failure).toMatchObject({
      code: "plugin-invalid",
      at: { kind: "plugin", file: join(folder, "entry.ts") },
      fix: expect.stringContaining("definePlugin") as string,
    });
    expect(failure?.message).toContain(seen);
  });

  test("are reported when they throw at import", async () => {
    const { folder, settings } = await place({
      "entry.ts": `import "./helper.js";\nexport default {};`,
      "helper.ts": `export const a = 1;\n\nthrow new Error("no key for the vault");`,
    });
    const { failure } = await run(folder, "entry.ts", settings);
    expect(failure).toMatchObject({ code: "plugin-import" });
    expect(failure?.message).toContain("no key for the vault");
  });

  test("are reported when a package they import is not installed", async () => {
    const { folder, settings } = await place({ "entry.ts": plugin(`import { a } from "not-there";`, `a`) });
    const { failure } = await run(folder, "entry.ts", settings);
    expect(failure?.message).toContain("not-there");
  });
});

describe("bundles", () => {
  async function place(files: Readonly<Record<string, string>>) {
    const folder = await tempFolder();
    await write(folder, files);
    const imported: string[] = [];
    const settings: ImportSettings = {
      cacheFolder: join(folder, "cache"),
      version: "1",
      importModule: (specifier) => {
        imported.push(specifier);
        return importModule(specifier);
      },
    };
    return { folder, settings, imported };
  }

  test("are named by the hash of their bytes and reused without esbuild while no input changes", async () => {
    const { folder, settings, imported } = await place({
      "entry.ts": plugin(`import { word } from "./helper.js";`, `word`),
      "helper.ts": `export const word = "one";`,
    });
    const cold = await run(folder, "entry.ts", settings);
    expect(imported).toContain("esbuild");
    const file = join(folder, "cache/plugins", `${cold.hash}.mjs`);
    expect(sha256(await readFile(file))).toBe(cold.hash);
    imported.length = 0;
    const warm = await run(folder, "entry.ts", settings);
    expect(warm.hash).toBe(cold.hash);
    expect(imported).toEqual([pathToFileURL(file).href]);
  });

  test.for([
    { name: "another host", change: async () => {}, version: "2" },
    { name: "a damaged bundle", change: spoilBundles, version: "1" },
    {
      name: "a package.json nearby",
      change: (folder: string) => write(folder, { "package.json": `{ "type": "module" }` }),
      version: "1",
    },
    {
      name: "a zod of its own",
      change: (folder: string) =>
        write(folder, {
          "node_modules/zod/package.json": `{ "name": "zod", "type": "module", "exports": "./index.js" }`,
          "node_modules/zod/index.js": `export const object = 1;`,
        }),
      version: "1",
    },
  ])("are made anew for $name", async ({ change, version }) => {
    const { folder, settings, imported } = await place({
      "entry.ts": plugin(`import { object } from "zod";`, `object`),
    });
    await run(folder, "entry.ts", settings);
    await change(folder);
    imported.length = 0;
    expect((await run(folder, "entry.ts", { ...settings, version })).failure).toBeUndefined();
    expect(imported).toContain("esbuild");
  });

  test("serve from a temporary folder where the cache cannot be written", async () => {
    const { folder, settings } = await place({ "entry.ts": plugin("", `ok: true`), cache: "a file is in the way" });
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({ ok: true });
  });

  test("give way to jiti where esbuild cannot be imported or run", async () => {
    const { folder, settings } = await place({ "entry.ts": plugin("", `ok: true as boolean`) });
    for (const library of [
      () => Promise.reject(new Error("Cannot find package 'esbuild'")),
      () => Promise.resolve({ build: () => Promise.reject(new Error("spawn ENOENT")) }),
    ]) {
      const without: ImportSettings = {
        ...settings,
        importModule: (specifier) => (specifier === "esbuild" ? library() : importModule(specifier)),
      };
      const { facts, prepared } = await run(folder, "entry.ts", without);
      expect(prepared).toBeNull();
      expect(facts).toEqual({ ok: true });
    }
    expect(existsSync(join(folder, "cache/plugins"))).toBe(false);
  });

  test("name file and line of a syntax error, in a helper too", async () => {
    const { folder, settings } = await place({
      "entry.ts": `import "./helper.js";\nexport default 1;`,
      "helper.ts": `export const a = 1;\nexport const b = ;\n`,
    });
    const { failure } = await run(folder, "entry.ts", settings);
    expect(failure).toMatchObject({
      code: "plugin-syntax",
      at: { kind: "plugin", file: join(folder, "helper.ts"), line: 2 },
    });
    expect(failure?.message).toContain('Unexpected ";"');
  });

  test("name the line of the plugin's own file where it throws at import", async () => {
    const { folder, settings } = await place({
      "entry.ts": `import { vault } from "./lib/helper.js";\nexport default vault;`,
      "lib/helper.ts": `interface A {\n  a: 1;\n}\nexport const vault: A = open();\nfunction open(): A {\n  throw new Error("locked");\n}\n`,
    });
    const { failure } = await run(folder, "entry.ts", settings);
    expect(failure?.at).toEqual({ kind: "plugin", file: join(folder, "lib/helper.ts"), line: 6 });
  });

  test("refuse what is missing in the host's core, and every path inside it", async () => {
    const { folder, settings } = await place({
      "a.ts": `import { doorbell } from "@quire/core";\nexport default doorbell;`,
      "b.ts": `import { createHost } from "@quire/core/host";\nexport default createHost;`,
    });
    const [a, b] = [await run(folder, "a.ts", settings), await run(folder, "b.ts", settings)];
    expect(a.failure?.message).toContain("doorbell");
    expect(b.failure?.message).toContain("no path inside it");
    expect(b.failure?.at).toMatchObject({ line: 1 });
  });

  test("of a project take packages in, so that the hash covers all code", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(`import { kind } from "dep";`, `kind`),
      "node_modules/dep/package.json": `{ "name": "dep", "exports": { "import": "./i.mjs" } }`,
      "node_modules/dep/i.mjs": `export const kind = "first";`,
    });
    const outside = await run(folder, "entry.ts", settings);
    const whole = await run(folder, "entry.ts", settings, "project");
    await write(folder, { "node_modules/dep/i.mjs": `export const kind = "second";` });
    const changed = await run(folder, "entry.ts", settings, "project");
    expect((await run(folder, "entry.ts", settings)).hash).toBe(outside.hash);
    expect([whole.facts, changed.facts]).toEqual([{ kind: "first" }, { kind: "second" }]);
    expect(changed.hash).not.toBe(whole.hash);
  });

  test("require packages under the conditions of require, and leave names to their files", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(
        `import helper from "./helper.cjs"; import { createRequire } from "node:module";
         const __dirname = "own"; const require = createRequire(import.meta.url);`,
        `helper, __dirname, missing: import.meta.resolve("./none.txt"), required: typeof require("./helper.cjs")`,
      ),
      "helper.cjs": `module.exports = require("dep").kind;`,
      "node_modules/dep/package.json": `{ "name": "dep", "exports": { "import": "./i.mjs", "require": "./r.cjs" } }`,
      "node_modules/dep/i.mjs": `export const kind = "import";`,
      "node_modules/dep/r.cjs": `exports.kind = "require";`,
    });
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({
      helper: "require",
      required: "string",
      __dirname: "own",
      missing: pathToFileURL(join(folder, "none.txt")).href,
    });
  });

  test("may import JSON, whose change is seen", async () => {
    const { folder, settings } = await place({
      "entry.ts": plugin(`import data from "./data.json";`, `data`),
      "data.json": `\uFEFF{ "a": 1 }`,
    });
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({ data: { a: 1 } });
    await write(folder, { "data.json": `{ "a": 2 }` });
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({ data: { a: 2 } });
  });

  test("follow the paths of a tsconfig, and files with a first line for the shell", async () => {
    const { folder, settings } = await place({
      "tsconfig.json": `{ "compilerOptions": { "paths": { "~lib/*": ["./lib/*"] } } }`,
      "entry.ts": `#!/usr/bin/env node\n${plugin(`import { word } from "~lib/word";`, `word, url: import.meta.url`)}`,
      "lib/word.ts": `export const word = "found";`,
    });
    expect((await run(folder, "entry.ts", settings)).facts).toEqual({
      word: "found",
      url: pathToFileURL(join(folder, "entry.ts")).href,
    });
  });
});

async function spoilBundles(folder: string): Promise<void> {
  const cache = join(folder, "cache/plugins");
  for (const name of await readdir(cache)) {
    if (name.endsWith(".mjs")) await writeFile(join(cache, name), "export default 'spoilt';");
    else if (name.endsWith(".map")) await rm(join(cache, name));
  }
}
