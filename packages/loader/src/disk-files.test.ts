import { execFileSync } from "node:child_process";
import { mkdir, open, rename, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFiles } from "./disk-files.js";
import { tempFolder } from "./testing/temp-home.js";

test("a file is read whole, or up to a limit", async () => {
  const file = join(await tempFolder(), "a");
  const text = "0123456789".repeat(50_000);
  await writeFile(file, text);
  expect(Buffer.from((await diskFiles.read(file)) ?? []).toString()).toBe(text);
  expect(Buffer.from((await diskFiles.read(file, 100_001)) ?? []).toString()).toBe(text.slice(0, 100_001));
  expect(await diskFiles.read(file, 0)).toHaveLength(0);
  expect(await diskFiles.read(file, 10_000_000)).toHaveLength(text.length);
});

test("a limit keeps a huge file out of memory", async () => {
  const file = join(await tempFolder(), "huge");
  await (await open(file, "w")).close();
  await truncate(file, 1024 * 1024 * 1024);
  const before = process.memoryUsage();
  expect(await diskFiles.read(file, 1000)).toHaveLength(1000);
  const after = process.memoryUsage();
  expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).toBeLessThan(8_000_000);
});

test("what does not exist is null, what cannot be read is an error", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "file"), "");
  for (const path of ["gone", "file/below"]) {
    expect(await diskFiles.read(join(folder, path))).toBeNull();
    expect(await diskFiles.list(join(folder, path))).toBeNull();
    expect(await diskFiles.stamp(join(folder, path))).toBe("absent");
  }
  await expect(diskFiles.read(folder)).rejects.toMatchObject({ code: "EISDIR" });
  expect(await diskFiles.list(join(folder, "file"))).toBeNull();
});

test("pipes and devices are no files, and nothing waits for them", async () => {
  const folder = await tempFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  await symlink("/dev/zero", join(folder, "device"));
  await expect(diskFiles.read(pipe)).rejects.toThrow("pipe or a device");
  await expect(diskFiles.read(join(folder, "device"))).rejects.toThrow("pipe or a device");
});

test("a link to itself is an error to read, and has a stamp", async () => {
  const folder = await tempFolder();
  await symlink("loop", join(folder, "loop"));
  await expect(diskFiles.read(join(folder, "loop"))).rejects.toMatchObject({ code: "ELOOP" });
  expect(await diskFiles.stamp(join(folder, "loop"))).toBe("unreadable ELOOP");
  expect(await diskFiles.list(folder)).toEqual(["loop"]);
});

test("names that no file can have are absent", async () => {
  for (const name of ["x".repeat(5000), "a\0b"]) {
    expect(await diskFiles.read(`/tmp/${name}`)).toBeNull();
    expect(await diskFiles.stamp(`/tmp/${name}`)).toBe("absent");
  }
});

test("a listing marks folders and links to them, and is sorted by code point", async () => {
  const folder = await tempFolder();
  for (const name of ["b", "a", "B", "é", "\u{1F600}", "\uFF5E", "a-b", "a.b"]) await writeFile(join(folder, name), "");
  await mkdir(join(folder, "c"));
  await symlink("c", join(folder, "link-to-folder"));
  await symlink("a", join(folder, "link-to-file"));
  await symlink("nowhere", join(folder, "link-to-nothing"));
  expect(await diskFiles.list(folder)).toEqual([
    "B",
    "a",
    "a-b",
    "a.b",
    "b",
    "c/",
    "link-to-file",
    "link-to-folder/",
    "link-to-nothing",
    "é",
    "\uFF5E",
    "\u{1F600}",
  ]);
});

test("a stamp changes with every change of a file or folder, and with no other", async () => {
  const folder = await tempFolder();
  const file = join(folder, "a");
  const stamps: string[] = [await diskFiles.stamp(file)];
  const note = async (path = file): Promise<void> => void stamps.push(await diskFiles.stamp(path));
  await writeFile(file, "one");
  await note();
  await writeFile(file, "two");
  await note();
  await utimes(file, 1, 1);
  await note();
  await writeFile(join(folder, "b"), "two");
  await utimes(join(folder, "b"), 1, 1);
  await rename(join(folder, "b"), file);
  await note();
  await note(folder);
  await writeFile(join(folder, "c"), "");
  await note(folder);
  expect(new Set(stamps).size).toBe(stamps.length);
  expect(await diskFiles.stamp(file)).toBe(await diskFiles.stamp(file));
});
