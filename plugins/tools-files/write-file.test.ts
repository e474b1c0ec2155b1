import { chmod, lstat, mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, toolContext } from "./tool-context.fixture.js";
import { writeFileForModel } from "./write-file.js";

test("makes a file with its folders and says that it is new", async () => {
  const folder = await folderWith({});
  const answer = await writeFileForModel({ path: "a/b/c.txt", content: "one\ntwo\n" }, toolContext(folder));
  expect(answer).toBe("Created a/b/c.txt: 2 lines, 8 bytes");
  expect(await readFile(join(folder, "a/b/c.txt"), "utf8")).toBe("one\ntwo\n");
});

test("replaces a file, keeps its mode and leaves no draft behind", async () => {
  const folder = await folderWith({ "run.sh": "old" });
  await chmod(join(folder, "run.sh"), 0o751);
  const answer = await writeFileForModel({ path: "run.sh", content: "ä" }, toolContext(folder));
  expect(answer).toBe("Replaced run.sh: 1 line, 2 bytes (before: 3 bytes)");
  expect((await stat(join(folder, "run.sh"))).mode & 0o777).toBe(0o751);
  expect(await readdir(folder)).toEqual(["run.sh"]);
});

test("writes through a link and keeps it, also when its target is not there yet", async () => {
  const folder = await folderWith({ "real/a.txt": "old" });
  await symlink("real/a.txt", join(folder, "link"));
  await symlink("real/new.txt", join(folder, "dangling"));
  await writeFileForModel({ path: "link", content: "new" }, toolContext(folder));
  await writeFileForModel({ path: "dangling", content: "made" }, toolContext(folder));
  expect((await lstat(join(folder, "link"))).isSymbolicLink()).toBe(true);
  expect((await lstat(join(folder, "dangling"))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder, "real/a.txt"), "utf8")).toBe("new");
  expect(await readFile(join(folder, "real/new.txt"), "utf8")).toBe("made");
});

test("refuses folders, pipes and loops of links with a reason", async () => {
  const folder = await folderWith({});
  await mkdir(join(folder, "dir"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  await symlink("loop", join(folder, "loop"));
  const write = (path: string): Promise<string> => writeFileForModel({ path, content: "x" }, toolContext(folder));
  await expect(write("dir")).rejects.toThrow(/is a folder/);
  await expect(write("pipe")).rejects.toThrow(/pipe/);
  await expect(write("loop")).rejects.toThrow(/form a loop/);
  await expect(write("a\0b")).rejects.toThrow(/NUL/);
});

test("says when a part of the path is a file", async () => {
  const folder = await folderWith({ a: "file" });
  await expect(writeFileForModel({ path: "a/b", content: "x" }, toolContext(folder))).rejects.toThrow(
    /a part of the path is a file/,
  );
});
