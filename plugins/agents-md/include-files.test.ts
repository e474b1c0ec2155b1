import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { folderWith, itemsOf, open, shown, texts, type OpenAt } from "./fixtures/real-folder.js";

/** The files of the prompt by their names relative to the root, and the codes of what was said. */
async function names(at: OpenAt) {
  const { host, session } = await open(at);
  const found = (await shown(session, at.root)).map(([name]) => name);
  return { found, codes: host.diagnostics.map(({ code }) => code) };
}

test("CC-22 puts an included file before the one that includes it, and its own includes before it", async () => {
  const root = await folderWith({
    "AGENTS.md": "See @docs/style.md and @docs/../notes.txt.",
    "docs/style.md": "Read @deep/more.md first.",
    "docs/deep/more.md": "More.",
    "notes.txt": "Notes.",
  });
  const { session } = await open({ root });
  expect((await shown(session, root)).map(([name]) => name)).toEqual([
    "docs/deep/more.md",
    "docs/style.md",
    "notes.txt",
    "AGENTS.md",
  ]);
  const section = (await session.prompt()).sections.find(({ name }) => name === "agents-md/files");
  expect(itemsOf(section)[0]?.attrs).toEqual({
    path: path.join(root, "docs/deep/more.md"),
    scope: "project",
    "included-by": path.join(root, "docs/style.md"),
  });
});

test("CC-23 ends a circle and takes no file twice, under whatever name", async () => {
  const root = await folderWith({
    "AGENTS.md": "@a.md @b.md @AGENTS.md @link.md",
    "a.md": "@b.md",
    "b.md": "@a.md @AGENTS.md",
  });
  await symlink("a.md", path.join(root, "link.md"));
  expect(await names({ root })).toEqual({ found: ["b.md", "a.md", "AGENTS.md"], codes: [] });
});

test("leaves a file of the chain at its own place, whoever includes it", async () => {
  const root = await folderWith({ "AGENTS.md": "@a/AGENTS.md", "a/AGENTS.md": "near" });
  expect((await names({ root, cwd: path.join(root, "a") })).found).toEqual(["AGENTS.md", "a/AGENTS.md"]);
});

test("CC-24 says nothing of a target that is not there, a folder or a link to nothing", async () => {
  const root = await folderWith({ "AGENTS.md": "@gone.md @scope/README @folder.md @link.md", "folder.md/x": "" });
  await symlink("nothing.md", path.join(root, "link.md"));
  expect(await names({ root })).toEqual({ found: ["AGENTS.md"], codes: [] });
});

test("CC-25 reports a text file that is none", async () => {
  const root = await folderWith({ "AGENTS.md": "@a.md @b.md", "a.md": new Uint8Array([0xff]), "b.md": "b" });
  expect(await names({ root })).toEqual({ found: ["b.md", "AGENTS.md"], codes: ["instruction-include-unreadable"] });
});

test("CC-21 includes nothing that stands in code or in a comment", async () => {
  const root = await folderWith({ "AGENTS.md": "`@a.md` <!-- @a.md -->\n```\n@a.md\n```\n", "a.md": "a" });
  expect((await names({ root })).found).toEqual(["AGENTS.md"]);
});

test("CC-20 follows five steps by default, and says where it stopped", async () => {
  const steps = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((step) => [`${step}.md`, `@${step + 1}.md`]));
  const root = await folderWith({ "AGENTS.md": "@1.md", ...steps });
  expect(await names({ root })).toEqual({
    found: ["5.md", "4.md", "3.md", "2.md", "1.md", "AGENTS.md"],
    codes: ["instruction-include-deep"],
  });
  expect((await names({ root, options: { include_depth: 1 } })).found).toEqual(["1.md", "AGENTS.md"]);
});

test("a project's file reaches outside only with trust", async () => {
  const outside = await folderWith({ "x.md": "secret" });
  const root = await folderWith({ "AGENTS.md": `@${outside}/x.md @~/own.md @link.md @.git/config.md` });
  await symlink(path.join(outside, "x.md"), path.join(root, "link.md"));
  const home = path.join(await folderWith(), "home");
  await mkdir(path.join(root, ".git"));
  await writeFile(path.join(root, ".git/config.md"), "password");
  await mkdir(home);
  const untrusted = await names({ root });
  expect(untrusted.found).toEqual(["AGENTS.md"]);
  expect(new Set(untrusted.codes)).toEqual(new Set(["instruction-include-outside"]));
  const { session } = await open({ root, trusted: true });
  expect(await texts(session)).toContain("secret");
});

test("the user's own file reaches anywhere, and what it brings from a project does not", async () => {
  const outside = await folderWith({ "x.md": "far", "y.md": "farther" });
  const root = await folderWith({ "project.md": `@${outside}/y.md` });
  await mkdir(path.join(root, "home/.quire"), { recursive: true });
  await writeFile(path.join(root, "home/.quire/AGENTS.md"), `@${outside}/x.md @${root}/project.md @~/note.md`);
  await writeFile(path.join(root, "home/note.md"), "from home");
  const { host, session } = await open({ root });
  const found = await texts(session);
  expect(found).toContain("far");
  expect(found).toContain("from home");
  expect(found).not.toContain("farther");
  expect(host.diagnostics.map(({ code }) => code)).toEqual(["instruction-include-outside"]);
});

test("sees a change of an included file, and one that appears, at the next prompt", async () => {
  const root = await folderWith({ "AGENTS.md": "@a.md @b.md", "a.md": "first" });
  const { session } = await open({ root });
  expect((await texts(session))[0]).toBe("first");
  await writeFile(path.join(root, "a.md"), "second, and longer");
  await writeFile(path.join(root, "b.md"), "new");
  expect((await texts(session)).slice(0, 2)).toEqual(["second, and longer", "new"]);
});

test("follows no include when it is off", async () => {
  const root = await folderWith({ "AGENTS.md": "@a.md", "a.md": "a" });
  expect((await names({ root, options: { includes: false } })).found).toEqual(["AGENTS.md"]);
});

test("follows so many files and no more, and says so", async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`n${index}.md`, "x"]));
  const root = await folderWith({
    "AGENTS.md": Object.keys(many)
      .map((name) => `@${name}`)
      .join("\n"),
    ...many,
  });
  const { found, codes } = await names({ root });
  expect(found.length).toBeLessThanOrEqual(202);
  expect(codes).toEqual(["instruction-include-deep"]);
});
