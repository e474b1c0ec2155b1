import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeFinder, platformOf, projectRootOf, quireHomeOf, shellOf } from "./place.js";
import { tempFolder } from "./testing/temp-home.js";

test.for([
  { name: "a folder", make: (path: string) => mkdir(path) },
  { name: "a worktree's file", make: (path: string) => writeFile(path, "gitdir: /elsewhere") },
  { name: "a dangling link", make: (path: string) => symlink("/nowhere/at/all", path) },
])("IO-15 the project root is the nearest folder upwards with .git as $name", async ({ make }) => {
  const root = await tempFolder();
  const deep = join(root, "outer/inner/deep");
  await mkdir(deep, { recursive: true });
  await make(join(root, "outer/.git"));
  expect(projectRootOf(deep)).toBe(join(root, "outer"));
  expect(projectRootOf(join(root, "outer"))).toBe(join(root, "outer"));
  await make(join(root, "outer/inner/.git"));
  expect(projectRootOf(deep)).toBe(join(root, "outer/inner"));
});

test("IO-15 without a .git entry the project root is the working directory", async () => {
  const deep = join(await tempFolder(), "a/b");
  await mkdir(deep, { recursive: true });
  expect(projectRootOf(deep)).toBe(deep);
});

test("IO-16 the platform is os (arch)", () => {
  expect(platformOf("linux", "x64")).toBe("linux (x64)");
  expect(platformOf("darwin", "arm64")).toBe("darwin (arm64)");
  expect(platformOf()).toBe(`${process.platform} (${process.arch})`);
});

test("IO-17 the shell is the stem of the interpreter that runs commands", async () => {
  const folder = await tempFolder();
  const system = ["/bin", "/usr/bin"];
  const program = join(folder, "bash");
  await writeFile(program, "#!/bin/sh\n");
  expect(shellOf({ PATH: folder }, [])).toBe("(none)");
  await chmod(program, 0o755);
  expect(shellOf({ PATH: `/nowhere:${folder}` }, [])).toBe("bash");
  expect(shellOf({ PATH: "relative:.:" }, [])).toBe("(none)");
  expect(shellOf({}, [])).toBe("(none)");
  expect(shellOf({}, [...system, folder])).toBe("bash");
});

test("QUIRE_HOME is taken as it is, from ~, or from where the user types", () => {
  const at = (value?: string) => quireHomeOf(value === undefined ? {} : { QUIRE_HOME: value }, "/home/me", "/typed");
  expect([at(), at(""), at("/abs"), at("~/own"), at("rel")]).toEqual([
    "/home/me/.quire",
    "/home/me/.quire",
    "/abs",
    "/home/me/own",
    "/typed/rel",
  ]);
});

test("a place knows its project and whether it is the trusted one, and only real variables", async () => {
  const root = await tempFolder();
  for (const name of ["one/sub", "one/.git", "two/.git"]) await mkdir(join(root, name), { recursive: true });
  const place = placeFinder({
    home: "/home/me",
    quireHome: "/home/me/.quire",
    environment: { EDITOR: "vi" },
    trustedRoot: join(root, "one"),
  });
  expect(place(join(root, "one/sub"))).toMatchObject({
    cwd: join(root, "one/sub"),
    projectRoot: join(root, "one"),
    trusted: true,
  });
  expect(place(join(root, "two"))).toMatchObject({ projectRoot: join(root, "two"), trusted: false });
  expect(place(root).env("EDITOR")).toBe("vi");
  expect(place(root).env("toString")).toBeUndefined();
});
