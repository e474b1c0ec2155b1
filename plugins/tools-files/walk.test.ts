import { execFileSync } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "./tool-context.fixture.js";
import { walk } from "./walk.js";

async function paths(start: string, fallbackRoot = start): Promise<readonly string[]> {
  const found: string[] = [];
  const signal = new AbortController().signal;
  const options = { fallbackRoot, signal, onUnreadable: (path: string) => found.push(`!${path}`) };
  for await (const { path, kind } of walk(start, options)) found.push(kind === "folder" ? `${path}/` : path);
  return found;
}

/** What git itself lists: tracked or not ignored. */
function gitFiles(folder: string): readonly string[] {
  const output = execFileSync("git", ["ls-files", "--others", "--exclude-standard"], { cwd: folder });
  return output.toString().trim().split("\n").sort();
}

test("names folders before what they hold, sorted, without .git", async () => {
  const folder = await folderWith({ "b/x": "", "b/a": "", "a.txt": "", ".git/config": "", ".hidden": "" });
  expect(await paths(folder)).toEqual([".hidden", "a.txt", "b/", "b/a", "b/x"]);
});

test("ignores exactly what git ignores, nested files and the exclude file included", async () => {
  const folder = await folderWith({
    ".gitignore": "\uFEFFbuild\n*.log\n!keep.log\n/top.txt\ndocs/*\n!docs/keep.md\n# comment\nCaSe\n\\!bang\n",
    "build/out.js": "",
    "a.log": "",
    "keep.log": "",
    "top.txt": "",
    "sub/top.txt": "",
    "sub/.gitignore": "!build\n*.tmp\n",
    "sub/build/kept.js": "",
    "sub/build/deep/kept.js": "",
    "sub/build/deep/not.log": "",
    "sub/a.tmp": "",
    "docs/gone.md": "",
    "docs/keep.md": "",
    case: "",
    CaSe: "",
    "!bang": "",
    "secret/a": "",
    "we[i]rd/.gitignore": "x\n",
    "we[i]rd/x": "",
    "we[i]rd/y": "",
  });
  execFileSync("git", ["init", "-q"], { cwd: folder });
  await writeFile(join(folder, ".git/info/exclude"), "secret\n");
  const files = (await paths(folder)).filter((path) => !path.endsWith("/"));
  expect([...files].sort()).toEqual(gitFiles(folder));
  expect(files).toContain("sub/build/deep/kept.js");
});

test("knows the rules of the repository when it starts in a subfolder or a linked worktree", async () => {
  const folder = await folderWith({ ".gitignore": "*.log\n", "a.txt": "", "sub/x.log": "", "sub/y.txt": "" });
  const git = (...args: readonly string[]): void => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
    execFileSync("git", [...who, ...args], { cwd: folder, stdio: "ignore" });
  };
  git("init", "-q");
  git("add", ".");
  git("commit", "-m", "first");
  git("worktree", "add", "tree");
  await writeFile(join(folder, ".git/info/exclude"), "y.txt\ntree\n");
  expect(await paths(join(folder, "sub"))).toEqual([]);
  await writeFile(join(folder, "tree/sub/z.log"), "");
  expect(await paths(join(folder, "tree/sub"))).toEqual([]);
  expect(await paths(join(folder, "tree"))).toEqual([".gitignore", "a.txt", "sub/"]);
});

test("shows an ignored folder to whoever names it", async () => {
  const folder = await folderWith({
    ".git/config": "",
    ".gitignore": "node_modules\n",
    "node_modules/dep/index.js": "",
  });
  expect(await paths(folder)).toEqual([".gitignore"]);
  expect(await paths(join(folder, "node_modules"))).toEqual(["dep/", "dep/index.js"]);
  expect(await paths(join(folder, "node_modules/dep"))).toEqual(["index.js"]);
});

test("honours .gitignore outside of a repository, from the fallback root on", async () => {
  const folder = await folderWith({ ".gitignore": "*.log\n", "sub/a.log": "", "sub/b": "" });
  expect(await paths(join(folder, "sub"), folder)).toEqual(["b"]);
});

test("does not follow links, so a loop ends", async () => {
  const folder = await folderWith({ "a/file": "" });
  await symlink("..", join(folder, "a/up"));
  await symlink(".", join(folder, "self"));
  expect(await paths(folder)).toEqual(["a/", "a/file", "a/up", "self"]);
});

test("reports a folder that cannot be read and goes on", async () => {
  const folder = await folderWith({ z: "" });
  // A path longer than the system allows is readable for nobody, not even for root as a closed folder would be.
  const name = "d".repeat(200);
  const script = `for step in $(seq 25); do mkdir ${name} && cd -P ${name} || exit 1; done`;
  execFileSync("bash", ["-c", script], { cwd: folder });
  const found = await paths(folder);
  expect(found.filter((path) => path.startsWith("!"))).toHaveLength(1);
  expect(found.at(-1)).toBe("z");
});
