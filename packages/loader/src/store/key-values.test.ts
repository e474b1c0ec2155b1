import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "../testing/temp-home.js";
import { withLock } from "./file-lock.js";
import { keyValues } from "./key-values.js";

test("values survive, each plugin and each session has its own", async () => {
  const folder = await tempFolder();
  await keyValues(folder, "todo", null).set("list", ["a", { b: 1 }]);
  await keyValues(folder, "@acme/focus", null).set("list", 2);
  await keyValues(folder, "todo", "s1").set("list", null);
  expect(await keyValues(folder, "todo", null).get("list")).toEqual(["a", { b: 1 }]);
  expect(await keyValues(folder, "@acme/focus", null).get("list")).toBe(2);
  expect(await keyValues(folder, "todo", "s1").get("list")).toBeNull();
  expect(await keyValues(folder, "todo", "s2").get("list")).toBeUndefined();
  expect(await keyValues(folder, "todo", null).get("toString")).toBeUndefined();
});

test("undefined takes a key away", async () => {
  const folder = await tempFolder();
  const values = keyValues(folder, "todo", null);
  await values.set("a", 1);
  await values.set("__proto__", 2);
  await values.set("a", undefined);
  expect(await values.get("a")).toBeUndefined();
  expect(await values.get("__proto__")).toBe(2);
});

test("changes at once all hold, and leave no other file behind", async () => {
  const folder = await tempFolder();
  const [one, two] = [keyValues(folder, "todo", null), keyValues(folder, "todo", null)];
  const keys = Array.from({ length: 30 }, (_, index) => `k${index}`);
  await Promise.all(keys.map((key, index) => (index % 2 === 0 ? one : two).set(key, index)));
  expect(await Promise.all(keys.map((key) => one.get(key)))).toEqual(keys.map((_, index) => index));
  expect(await readdir(join(folder, "todo"))).toEqual(["user.json"]);
  expect((await stat(join(folder, "todo/user.json"))).mode & 0o777).toBe(0o600);
});

test("a store that is no JSON is told, and not overwritten", async () => {
  const folder = await tempFolder();
  const values = keyValues(folder, "todo", null);
  await values.set("a", 1);
  const file = join(folder, "todo/user.json");
  await writeFile(file, "{ broken");
  await expect(values.set("b", 2)).rejects.toMatchObject({ diagnostic: { code: "store-invalid", at: { file } } });
  await expect(values.get("a")).rejects.toMatchObject({ diagnostic: { code: "store-invalid" } });
  expect(await readFile(file, "utf8")).toBe("{ broken");
});

test("two processes keep each other's keys", async () => {
  const folder = await tempFolder();
  const script = join(folder, "writer.mjs");
  const bundle = join(folder, "key-values.mjs");
  const { build } = await import("esbuild");
  await build({
    entryPoints: [fileURLToPath(new URL("./key-values.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["quire-source"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    outfile: bundle,
  });
  await writeFile(
    script,
    `import { keyValues } from "./key-values.mjs";
     const values = keyValues(${JSON.stringify(folder)}, "todo", null);
     for (let index = 0; index < 40; index++) await values.set(process.argv[2] + index, index);`,
  );
  const processes = ["a", "b", "c"].map((name) => spawn(process.execPath, [script, name], { stdio: "inherit" }));
  const codes = await Promise.all(processes.map(async (each) => ((await once(each, "exit")) as [number])[0]));
  expect(codes).toEqual([0, 0, 0]);
  const stored = JSON.parse(await readFile(join(folder, "todo/user.json"), "utf8")) as object;
  expect(Object.keys(stored)).toHaveLength(120);
});

test("work under a lock does not overlap, and an error gives the lock back", async () => {
  const file = join(await tempFolder(), "x.lock");
  let running = 0;
  const work = async (): Promise<void> => {
    expect(++running).toBe(1);
    await new Promise((done) => setTimeout(done, 5));
    running--;
  };
  await Promise.all([withLock(file, work), withLock(file, work), withLock(file, work)]);
  await expect(withLock(file, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  await withLock(file, work);
});

test("a lock that a living process keeps ends in an error that says so", async () => {
  const file = join(await tempFolder(), "x.lock");
  await writeFile(file, JSON.stringify({ pid: process.ppid }));
  await expect(withLock(file, async () => {}, 50)).rejects.toMatchObject({ diagnostic: { code: "lock-timeout" } });
});
