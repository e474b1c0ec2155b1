import { readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { findFilesForModel } from "./find-files.js";
import { grepForModel } from "./grep-files.js";
import { listFolderForModel } from "./list-folder.js";
import { createOverflow } from "./overflow.js";
import { folderWith, toolContext } from "./tool-context.fixture.js";

const project = {
  ".git/config": "x",
  ".gitignore": "dist\n",
  "dist/out.ts": "needle",
  "src/a.ts": "first\nconst needle = 1;\r\n",
  "src/b.test.ts": "no\nNEEDLE\n",
  "src/deep/c.ts": "needle needle\n",
  "README.md": "the needle\n",
};

test("ls lists sorted names with sizes, links and hidden entries", async () => {
  const folder = await folderWith({ "b.txt": "12345", ".env": "", "a/x": "" });
  await symlink("b.txt", join(folder, "c"));
  const answer = await listFolderForModel({}, toolContext(folder), createOverflow());
  expect(answer).toBe(".env (0 bytes)\na/\nb.txt (5 bytes)\nc -> b.txt");
});

test("ls speaks of empty folders, files and missing paths", async () => {
  const folder = await folderWith({ "b.txt": "12345" });
  const ls = (path: string): Promise<string> => listFolderForModel({ path }, toolContext(folder), createOverflow());
  expect(await ls("b.txt")).toBe("b.txt is a file of 5 bytes; use `read` to see it");
  await expect(ls("c.txt")).rejects.toThrow(/Did you mean .*b\.txt/);
});

test("ls puts what is too long into a private file", async () => {
  const files = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`file-${index}`, ""]));
  const answer = await listFolderForModel({}, toolContext(await folderWith(files)), createOverflow());
  const file = /\[1000 of 1200 entries are shown; all of them stand in (.+)\]$/.exec(answer)?.[1] ?? "";
  expect((await readFile(file, "utf8")).trim().split("\n")).toHaveLength(1200);
  expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
});

test.for([
  { pattern: "*.ts", want: "src/a.ts\nsrc/b.test.ts\nsrc/deep/c.ts" },
  { pattern: "src/*.ts", want: "src/a.ts\nsrc/b.test.ts" },
  { pattern: "./src/**/*.{ts,js}", want: "src/a.ts\nsrc/b.test.ts\nsrc/deep/c.ts" },
  { pattern: "deep", want: "src/deep/" },
  { pattern: ".git*", want: ".gitignore" },
  { pattern: "/README.md", want: "README.md" },
  { pattern: "nothing", want: "Nothing below . matches nothing" },
])("find matches $pattern", async ({ pattern, want }) => {
  const context = toolContext(await folderWith(project));
  expect(await findFilesForModel({ pattern }, context, createOverflow())).toBe(want);
});

test("find answers with paths that other tools take, also outside of the working folder", async () => {
  const folder = await folderWith(project);
  const context = toolContext(join(folder, "src/deep"), { projectRoot: folder });
  const find = (path: string): Promise<string> =>
    findFilesForModel({ pattern: "*.ts", path }, context, createOverflow());
  expect(await find(".")).toBe("c.ts");
  expect(await find("..")).toBe(`${folder}/src/a.ts\n${folder}/src/b.test.ts\nc.ts`);
  await expect(find(join(folder, "README.md"))).rejects.toThrow(/not a folder/);
  await expect(findFilesForModel({ pattern: "*a".repeat(30) }, context, createOverflow())).rejects.toThrow(
    /glob-invalid/,
  );
});

function grep(folder: string, args: { pattern: string; path?: string; glob?: string }): Promise<string> {
  return grepForModel(args, toolContext(folder), createOverflow());
}

test("grep shows file, line and text, without what is ignored", async () => {
  const folder = await folderWith(project);
  expect(await grep(folder, { pattern: "needle" })).toBe(
    "README.md:1: the needle\nsrc/a.ts:2: const needle = 1;\nsrc/deep/c.ts:1: needle needle",
  );
  expect(await grep(folder, { pattern: "(?i)^needle$", glob: "*.test.ts" })).toBe("src/b.test.ts:2: NEEDLE");
  expect(await grep(folder, { pattern: "needle", path: "dist" })).toBe("dist/out.ts:1: needle");
  expect(await grep(folder, { pattern: "needle", path: "src/a.ts" })).toBe("src/a.ts:2: const needle = 1;");
  expect(await grep(folder, { pattern: "\\p{Lu}{6}" })).toBe("src/b.test.ts:2: NEEDLE");
});

test("grep says that nothing matches and that patterns do not span lines", async () => {
  const answer = await grep(await folderWith(project), { pattern: "first\\nconst" });
  expect(answer).toBe("No line in . matches first\\nconst; a pattern never spans lines");
});

test("grep counts what it did not search", async () => {
  const folder = await folderWith({
    "a.bin": Buffer.from([0, 1]),
    "large.txt": Buffer.alloc(9 * 1024 * 1024, "a"),
    "b.txt": "aa",
  });
  expect(await grep(folder, { pattern: "a" })).toBe(
    "b.txt:1: aa\n[Not searched, over 8 MiB: large.txt]\n[Not searched, binary: 1 files]",
  );
});

test("grep shows the part of a long line that matches", async () => {
  const folder = await folderWith({ "min.js": `${"a".repeat(5000)}needle${"b".repeat(5000)}` });
  const answer = await grep(folder, { pattern: "needle" });
  expect(answer).toContain("needle");
  expect(answer.length).toBeLessThan(600);
});

test("grep explains a pattern that is no regular expression", async () => {
  await expect(grep(await folderWith(project), { pattern: "foo(" })).rejects.toThrow(
    /pattern-invalid.*foo\(.*backslash/,
  );
});

test("grep cuts long answers and keeps all matches in a file", async () => {
  const folder = await folderWith({ "a.txt": "match\n".repeat(3000) });
  const answer = await grep(folder, { pattern: "match" });
  const file = /\[1000 of 3000 matching lines are shown; all of them stand in (.+)\]/.exec(answer)?.[1] ?? "";
  expect((await readFile(file, "utf8")).split("\n")[2999]).toBe("a.txt:3000: match");
});

test("grep stops at ten thousand matches and says so", async () => {
  const folder = await folderWith({ "a.txt": "m\n".repeat(12_000) });
  expect(await grep(folder, { pattern: "m" })).toContain("[The search stopped at 10000 matches; narrow it]");
});

const catastrophe = "^(a+)+$";
const bait = `${"a".repeat(60)}!`;

test("grep gives up a file on which the pattern does not end, and the host goes on meanwhile", async () => {
  const folder = await folderWith({ "a.txt": "ok\n", "b.txt": bait, "c.txt": "aaa" });
  let ticks = 0;
  const clock = setInterval(() => ticks++, 10);
  const answer = await grepForModel({ pattern: catastrophe }, toolContext(folder), createOverflow(), {
    maxMsPerFile: 2000,
  }).catch((error: unknown) => String(error));
  clearInterval(clock);
  expect(answer).toMatch(/pattern-slow.*b\.txt.*repeats inside repeats/);
  expect(ticks).toBeGreaterThan(10);
});

test("grep keeps what it found before the file on which the pattern does not end", async () => {
  const folder = await folderWith({ "a.txt": "aaa\n", "b.txt": bait, "c.txt": "aaa" });
  const limits = { maxMsPerFile: 2000 };
  const args = { pattern: catastrophe };
  expect(await grepForModel(args, toolContext(folder), createOverflow(), limits)).toBe(
    "a.txt:1: aaa\n[The search stopped at b.txt: the pattern did not finish there]",
  );
});

test("grep ends a pattern that does not end when the turn is aborted", async () => {
  const folder = await folderWith({ "b.txt": bait });
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error("stopped")), 200);
  const context = toolContext(folder, { signal: controller.signal });
  const started = Date.now();
  await expect(grepForModel({ pattern: catastrophe }, context, createOverflow())).rejects.toThrow("stopped");
  expect(Date.now() - started).toBeLessThan(8000);
});
