import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { bundle } from "../../scripts/bundle.mjs";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** A small command with what makes bundling hard: a class two chunks share, zod, a late `import()` of a file. */
const sources: Readonly<Record<string, string>> = {
  "src/main.ts": `
    import { ShapeError, made } from "./shape.js";
    import text from "./words.md";
    export function run(launch: { importModule(url: string): Promise<unknown>; kind(name: "turn"): void }) {
      void (async () => {
        const { fail, schema } = await import("./lazy.js");
        if (process.env["TURN"]) launch.kind("turn");
        let same = false;
        try { fail(); } catch (error) { same = error instanceof ShapeError; }
        const outside = (await launch.importModule(process.env["OUTSIDE"]!)) as { default: string };
        console.log(JSON.stringify({
          same, made: made(), text, outside: outside.default, at: import.meta.url.slice(-8),
          jitless: (globalThis as any).__zod_globalConfig.jitless, parsed: schema.parse({ a: 1 }),
        }));
      })();
    }`,
  "src/lazy.ts": `
    import * as z from "zod";
    import { ShapeError } from "./shape.js";
    export const schema = z.object({ a: z.number() });
    export function fail(): never { throw new ShapeError("from a chunk"); }`,
  "src/shape.ts": `
    let count = 0;
    export const made = () => count;
    export class ShapeError extends Error { constructor(m: string) { super(m); count++; } }`,
  "src/words.md": "Ünder *one* roof\n",
  "outside.mjs": `export default "imported";`,
  "package.json": `{ "name": "small", "version": "9.8.7" }`,
};

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quire-bundle-"));
  for (const [name, text] of Object.entries(sources)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await mkdir(join(folder, "node_modules"));
  await import("node:fs").then(({ symlinkSync }) =>
    symlinkSync(join(root, "node_modules/zod"), join(folder, "node_modules/zod")),
  );
  await mkdir(join(folder, "bin"));
  await copyFile(join(root, "packages/cli/bin/agent.cjs"), join(folder, "bin/agent.cjs"));
  await build("9.8.7");
  return () => rm(folder, { recursive: true, force: true });
});

const build = (version: string) =>
  bundle({ entry: join(folder, "src/main.ts"), outdir: join(folder, "dist/bundle"), version });

async function start(home: string, more: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const env = { ...process.env, QUIRE_HOME: home, OUTSIDE: `file://${join(folder, "outside.mjs")}`, ...more };
  const { stdout, stderr } = await run(process.execPath, [join(folder, "bin/agent.cjs"), "x"], { env });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

const cached = async (home: string) => {
  const code = join(home, "cache/code");
  const [key = ""] = await readdir(code);
  return (await readdir(join(code, key))).toSorted();
};

test("keeps one copy of a class that two chunks share, cold and with a warm code cache", async () => {
  const home = await mkdtemp(join(tmpdir(), "quire-home-"));
  const want = {
    same: true,
    made: 1,
    text: "Ünder *one* roof\n",
    outside: "imported",
    at: "main.cjs",
    jitless: true,
    parsed: { a: 1 },
  };
  for (const _start of ["cold", "warm", "warm again"]) expect(await start(home)).toEqual(want);
  expect((await cached(home)).filter((name) => name.startsWith("pack.cjs"))).toEqual(["pack.cjs.other"]);
});

test("the shipped bundle holds one copy of core's errors, and none of what few starts need in its pack", async () => {
  const shipped = join(root, "packages/cli/dist/bundle");
  const texts = await Promise.all(
    (await readdir(shipped)).map(async (name) => ({ name, text: await readFile(join(shipped, name), "utf8") })),
  );
  const holders = (mark: string) => texts.filter(({ text }) => text.includes(mark)).map(({ name }) => name);
  expect(holders('Symbol.for("quire.error")')).toEqual(["pack.cjs"]);
  const pack = texts.find(({ name }) => name === "pack.cjs")?.text ?? "";
  expect(pack.split('Symbol.for("quire.error")')).toHaveLength(2);
  for (const late of ["_BaseAnthropic", "OPENAI_LOG", "LineEditor", "YAMLMap"]) {
    expect(holders(late)).not.toEqual([]);
    expect(pack).not.toContain(late);
  }
});

test("lets the cache of a whole turn replace that of a lesser run, and not the other way round", async () => {
  const home = await mkdtemp(join(tmpdir(), "quire-home-"));
  await start(home);
  await start(home, { TURN: "1" });
  const names = await cached(home);
  expect(names).toContain("pack.cjs.turn");
  const before = await stat(
    join(home, "cache/code", (await readdir(join(home, "cache/code")))[0] ?? "", "pack.cjs.turn"),
  );
  await start(home);
  await start(home, { TURN: "1" });
  expect(await cached(home)).toEqual(names);
  const after = await stat(
    join(home, "cache/code", (await readdir(join(home, "cache/code")))[0] ?? "", "pack.cjs.turn"),
  );
  expect(after.mtimeMs).toBe(before.mtimeMs);
});

test("keys the cache by the build and drops what is a month old", async () => {
  const home = await mkdtemp(join(tmpdir(), "quire-home-"));
  await start(home);
  const [first = ""] = await readdir(join(home, "cache/code"));
  expect(first).toContain(process.version);
  const longAgo = new Date(Date.now() - 40 * 24 * 3600 * 1000);
  await utimes(join(home, "cache/code", first), longAgo, longAgo);
  await build("9.8.8");
  await start(home);
  const left = await readdir(join(home, "cache/code"));
  expect(left).toHaveLength(1);
  expect(left).not.toContain(first);
});

test("survives a cache that holds rubbish or cannot be written", async () => {
  const home = await mkdtemp(join(tmpdir(), "quire-home-"));
  await start(home);
  const [key = ""] = await readdir(join(home, "cache/code"));
  await writeFile(join(home, "cache/code", key, "pack.cjs.other"), "rubbish");
  expect(await start(home)).toMatchObject({ same: true });
  expect((await readFile(join(home, "cache/code", key, "pack.cjs.other"))).length).toBeGreaterThan(100);
  const file = join(home, "file");
  await writeFile(file, "");
  expect(await start(join(file, "no-folder"))).toMatchObject({ same: true });
});

test("answers --version itself and says how to build what is not built", async () => {
  const launcher = join(folder, "bin/agent.cjs");
  expect((await run(process.execPath, [launcher, "--version"])).stdout).toBe("9.8.7\n");
  await rm(join(folder, "dist"), { recursive: true });
  const failure: unknown = await run(process.execPath, [launcher, "hi"]).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("npm run build") });
  expect((failure as { stderr: string }).stderr.trim().split("\n")).toHaveLength(1);
});

test("says on an old Node which one is needed", async () => {
  const text = await readFile(join(root, "packages/cli/bin/agent.cjs"), "utf8");
  const old = text
    .replace("process.versions.node", JSON.stringify("20.18.1"))
    .replace("process.version +", `"v20.18.1" +`);
  await writeFile(join(folder, "bin/old.cjs"), old);
  const failure: unknown = await run(process.execPath, [join(folder, "bin/old.cjs"), "hi"]).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({
    code: 1,
    stderr: "agent needs Node 20.19 or newer and this is v20.18.1. Install a newer Node.\n",
  });
});
