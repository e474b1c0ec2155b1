import { symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { folderWith, itemsOf, open, shown, texts } from "./fixtures/real-folder.js";

const walk = (names: readonly string[], more: object = {}) => ({ places: [{ walk: "project-root", names, ...more }] });

test("IO-34 takes of each folder the first file of its names, the root's first", async () => {
  const root = await folderWith({
    "AGENTS.md": "root",
    "CLAUDE.md": "not this",
    "a/AGENTS.override.md": "a",
    "a/AGENTS.md": "not this",
    "a/b/CLAUDE.md": "b",
    "c/AGENTS.md": "not on the way",
  });
  const { session } = await open({ root, cwd: path.join(root, "a/b") });
  expect(await shown(session, root)).toEqual([
    ["AGENTS.md", "root"],
    ["a/AGENTS.override.md", "a"],
    ["a/b/CLAUDE.md", "b"],
  ]);
});

test("CC-18 takes every name of a folder, a star in its last part included, sorted", async () => {
  const root = await folderWith({
    "CLAUDE.md": "one",
    ".claude/CLAUDE.md": "two",
    ".claude/rules/b.md": "four",
    ".claude/rules/a.md": "three",
    ".claude/rules/c.txt": "no",
    ".claude/rules/deep/d.md": "no",
    "CLAUDE.local.md": "five",
  });
  const names = ["CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/*.md"];
  const places = [
    { walk: "cwd", names, take: "all", scope: "project" },
    { walk: "cwd", names: ["CLAUDE.local.md"], scope: "local" },
  ];
  const { session } = await open({ root, options: { places } });
  expect(await texts(session)).toEqual(["one", "two", "three", "four", "five"]);
  const section = (await session.prompt()).sections.find(({ name }) => name === "agents-md/files");
  expect(itemsOf(section).map(({ attrs }) => attrs?.["scope"])).toEqual([...Array(4).fill("project"), "local"]);
});

test("gives each item its path, its scope and the file as origin", async () => {
  const root = await folderWith({ "AGENTS.md": "x\n" });
  const { session } = await open({ root });
  const file = path.join(root, "AGENTS.md");
  const section = (await session.prompt()).sections.find(({ name }) => name === "agents-md/files");
  expect(itemsOf(section)).toEqual([
    { id: file, text: "x\n", attrs: { path: file, scope: "project" }, origin: { kind: "file", file, line: 1 } },
  ]);
});

test("takes a file once that stands at two places or is linked from another", async () => {
  const root = await folderWith({ "AGENTS.md": "one", "a/x.md": "x" });
  await symlink("../AGENTS.md", path.join(root, "a/AGENTS.md"));
  const cwd = path.join(root, "a");
  expect(await shown((await open({ root, cwd })).session, root)).toEqual([["AGENTS.md", "one"]]);
  const twice = { extra: [path.join(root, "AGENTS.md")] };
  expect(await texts((await open({ root, options: twice })).session)).toEqual(["one"]);
});

test("MG-28 reports an extra file that is missing or has another ending, and takes the rest in the order given", async () => {
  const root = await folderWith({ "b.md": "b", "a.md": "a", "c.txt": "c" });
  const extra = ["b.md", "gone.md", "c.txt", "a.md"].map((name) => path.join(root, name));
  const options = { extra, places: [{ extra: true, endings: [".md"] }] };
  const { host, session } = await open({ root, options });
  expect(await texts(session)).toEqual(["b", "a"]);
  expect(host.diagnostics.map(({ message }) => message.replace(root, ""))).toEqual([
    "The instruction file /gone.md is left out: it does not exist",
    "The instruction file /c.txt is left out: its name does not end in .md",
  ]);
});

test("IO-42 counts a file that cannot be read as an item without text, and names it", async () => {
  const root = await folderWith({ "AGENTS.md/x": "a folder", "a/AGENTS.md": "near" });
  const options = { ...walk(["AGENTS.md"]), count_unreadable: true };
  const { host, session } = await open({ root, cwd: path.join(root, "a"), options });
  expect(await shown(session, root)).toEqual([
    ["AGENTS.md", ""],
    ["a/AGENTS.md", "near"],
  ]);
  expect(host.diagnostics).toMatchObject([{ code: "instruction-file-unreadable" }]);
  expect(host.diagnostics[0]?.message).toMatch(/AGENTS\.md is left out: it is a folder$/);
});

test("PI-50 reports a file that another of its folder hides, when asked", async () => {
  const root = await folderWith({ "AGENTS.md": "one", "CLAUDE.md": "two" });
  await symlink("AGENTS.md", path.join(root, "AGENTS.MD"));
  const rules = walk(["AGENTS.md", "AGENTS.MD", "CLAUDE.md"]);
  const quiet = await open({ root, options: rules });
  expect(await texts(quiet.session)).toEqual(["one"]);
  expect(quiet.host.diagnostics).toEqual([]);
  const { host, session } = await open({ root, options: { ...rules, report_hidden: true } });
  expect(await texts(session)).toEqual(["one"]);
  expect(host.diagnostics).toMatchObject([
    { code: "instruction-file-hidden", at: { file: path.join(root, "CLAUDE.md") } },
  ]);
});

test("a link out of an untrusted project is left out with its target named; a trusted one is followed", async () => {
  const elsewhere = path.join(await folderWith({ "secret.md": "secret" }), "secret.md");
  const root = await folderWith({ "a/AGENTS.md": "near" });
  await symlink(elsewhere, path.join(root, "AGENTS.md"));
  const cwd = path.join(root, "a");
  const { host, session } = await open({ root, cwd });
  expect(await texts(session)).toEqual(["near"]);
  expect(host.diagnostics).toMatchObject([{ code: "instruction-file-outside" }]);
  expect(host.diagnostics[0]?.message).toContain(elsewhere);
  expect(await texts((await open({ root, cwd, trusted: true })).session)).toEqual(["secret", "near"]);
});
