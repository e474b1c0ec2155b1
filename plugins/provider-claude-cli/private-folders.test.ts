import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { PrivateFolders } from "./private-folders.js";

afterEach(() => vi.unstubAllEnvs());

async function ownTmp(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "quire-folders-test-"));
  vi.stubEnv("TMPDIR", folder);
  return folder;
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
  if (child.pid === undefined) throw new Error("no process");
  return child.pid;
}

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test("MG-60 a folder and its files are for this user alone, and go when they are no longer needed", async () => {
  const tmp = await ownTmp();
  const folders = new PrivateFolders();
  const folder = await folders.create();
  await folders.fill(folder, { "system.txt": "secret words" });
  expect([await modeOf(folder), await modeOf(join(folder, "system.txt"))]).toEqual(["700", "600"]);
  await folders.remove(folder);
  expect(existsSync(folder)).toBe(false);
  await rm(tmp, { recursive: true });
});

test("MG-60 what killed processes left behind goes at the next start, and nothing else", async () => {
  const tmp = await ownTmp();
  const pid = await deadPid();
  const leave = async (name: string): Promise<string> => {
    await mkdir(join(tmp, name));
    await writeFile(join(tmp, name, "system.txt"), "left");
    return join(tmp, name);
  };
  const folders = new PrivateFolders();
  const live = await folders.create();
  const start = basename(live).split("-")[4] ?? "";
  const gone = [
    await leave(`quire-claude-cli-${pid}-${start}-abcDEF`),
    await leave(`quire-claude-cli-${pid}-m1x2y3-ghiJKL`),
    // Of a process that had this one's id before.
    await leave(`quire-claude-cli-${process.pid}-m1x2y3-abcDEF`),
  ];
  const kept = [
    live,
    // Of another host in this process, and of another process.
    await leave(`quire-claude-cli-${process.pid}-${start}-abcDEF`),
    await leave(`quire-claude-cli-${process.ppid}-m1x2y3-abcDEF`),
    await leave(`quire-claude-cli-${pid}-m1x2y3-notours`),
    await leave(`my-quire-claude-cli-${pid}-m1x2y3-abcDEF`),
  ];
  const file = join(tmp, `quire-claude-cli-${pid}-m1x2y3-afile1`);
  await writeFile(file, "no folder");
  await folders.sweep();
  expect(gone.map((path) => existsSync(path))).toEqual([false, false, false]);
  expect([...kept, file].map((path) => existsSync(path))).toEqual([true, true, true, true, true, true]);
  await rm(tmp, { recursive: true });
});

test("no clock makes a live folder a leftover", async () => {
  const tmp = await ownTmp();
  const folder = await new PrivateFolders().create();
  vi.useFakeTimers({ now: new Date("2199-01-01"), toFake: ["Date"] });
  await new PrivateFolders().sweep();
  vi.useRealTimers();
  expect(existsSync(folder)).toBe(true);
  await rm(tmp, { recursive: true });
});

test("sweeping where there is no temporary folder is no failure", async () => {
  vi.stubEnv("TMPDIR", "/no/such/folder");
  await expect(new PrivateFolders().sweep()).resolves.toBe(undefined);
});

test("a process that exits in the middle of a request takes its folder along", async () => {
  const tmp = await ownTmp();
  const folders = new PrivateFolders();
  const folder = await folders.create();
  const listeners = process.listeners("exit");
  listeners.at(-1)?.(0);
  expect(existsSync(folder)).toBe(false);
  await folders.remove(folder);
  expect(process.listeners("exit")).toHaveLength(listeners.length - 1);
  await rm(tmp, { recursive: true });
});
