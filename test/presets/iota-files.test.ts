import { mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import iota from "@quire/plugin-preset-iota";
import { expect, test } from "vitest";
import { projectRootOf } from "../../packages/loader/src/place.js";
import { openPreset, type PresetHostOptions } from "../support/preset-host.js";
import { fullFiles, type FileMap } from "./fixture.js";

const marker = "<!-- AGENTS.md chain truncated at 32 KiB -->";

async function chainOf(files: FileMap, options: PresetHostOptions = {}) {
  const host = await openPreset(iota, { files, strict: false, ...options, config: { iota: { workspace: true } } });
  return { host, ...(await host.session.prompt()) };
}

test("IO-34 brings each AGENTS.md from the project root to the working directory, and no other name", async () => {
  const files = {
    "/AGENTS.md": "above the root",
    "/home/ada/AGENTS.md": "home",
    "/home/ada/.quire/AGENTS.md": "user",
    "/repo/AGENTS.md": "root",
    "/repo/CLAUDE.md": "another name",
    "/repo/packages/AGENTS.override.md": "another name",
    "/repo/packages/app/AGENTS.md": "app",
    "/repo/packages/app/src/AGENTS.md": "below",
  };
  expect((await chainOf(files)).text).toBe("root\n\napp");
});

test("IO-35 each loses its last newlines, a blank line stands between two, and nothing wraps or changes them", async () => {
  const files = {
    "/repo/AGENTS.md": "<a> & @b.md `c`\n\n\n",
    "/repo/packages/AGENTS.md": "  two\r\n\r\n",
    "/repo/b.md": "b",
  };
  expect((await chainOf(files)).text).toBe("<a> & @b.md `c`\n\n  two");
});

test("IO-36 takes the root's file alone when the working directory is the root or outside it", async () => {
  const files = { "/repo/AGENTS.md": "root", "/other/AGENTS.md": "other" };
  for (const cwd of ["/repo", "/other"]) expect((await chainOf(files, { place: { cwd } })).text).toBe("root");
});

test("IO-37 stands behind the instructions, or straight behind the harness", async () => {
  const files = { "/repo/AGENTS.md": "Chain." };
  const config = { iota: { workspace: true, tools: { ask: true }, binary: "/b" } };
  const withWords = await openPreset(iota, { files, config, instructions: "Words." });
  expect((await withWords.session.prompt()).text).toMatch(/\n<\/instructions>\n\nChain\.$/);
  const without = await openPreset(iota, { files, config });
  expect((await without.session.prompt()).text).toMatch(/\n<\/environment>\n\nChain\.$/);
});

test("IO-38 IO-40 IO-41 caps the chain at 32 KiB, between two characters, with the marker at the cut", async () => {
  const files = {
    "/repo/AGENTS.md": "é".repeat(10_000),
    "/repo/packages/AGENTS.md": "ü".repeat(10_000),
    "/repo/packages/app/AGENTS.md": "never",
  };
  const { text, diagnostics } = await chainOf(files);
  expect(text).toMatch(/^é{10000}\n\nü+\n<!-- AGENTS\.md chain truncated at 32 KiB -->$/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_768);
  expect(Buffer.byteLength(text)).toBeGreaterThan(32_764);
  expect(diagnostics).toContainEqual(expect.objectContaining({ code: "section-cut", section: "agents-md/files" }));
});

test("IO-39 stops reading one file at that size", async () => {
  const { text } = await chainOf({ "/repo/AGENTS.md": "x".repeat(100_000) });
  expect(text).toBe(`${"x".repeat(32_768 - marker.length - 1)}\n${marker}`);
});

test("IO-42 names a file that cannot be read, and counts it", async () => {
  const files = { "/repo/AGENTS.md": "bad\0file", "/repo/packages/app/AGENTS.md": "app" };
  const { host, text, sections } = await chainOf(files);
  expect(text).toBe("app");
  expect(host.diagnostics).toContainEqual(
    expect.objectContaining({
      code: "instruction-file-unreadable",
      message: expect.stringContaining("/repo/AGENTS.md"),
    }),
  );
  const content = sections.find(({ name }) => name === "agents-md/files")?.content;
  expect(content?.kind === "items" ? content.items.map(({ id }) => id) : []).toEqual([
    "/repo/AGENTS.md",
    "/repo/packages/app/AGENTS.md",
  ]);
});

test("IO-10 IO-50 what has changed between turns is read anew, files and skills alike", async () => {
  const { host } = await chainOf({ "/repo/AGENTS.md": "before" });
  host.write("/repo/AGENTS.md", "after");
  host.write("/repo/.agents/skills/a/SKILL.md", "---\nname: a\ndescription: A.\n---\n");
  expect((await host.session.prompt()).text).toMatch(/^after\n\n[^]*<name>a<\/name>/);
});

test("every byte of a file answers to it, at its place", async () => {
  const { pieces } = await chainOf(fullFiles);
  const fromFiles = pieces.filter(({ section, from }) => section === "agents-md/files" && from.kind === "file");
  expect(fromFiles.map(({ from }) => from.file)).toEqual([
    "/repo/AGENTS.md",
    "/repo/packages/AGENTS.md",
    "/repo/packages/app/AGENTS.md",
  ]);
  expect(fromFiles.at(-1)?.text).toBe("The app is a <main> & nothing else.");
});

test("IO-11 after a resume a request carries what is composed now", async () => {
  const { host, text } = await chainOf({ "/repo/AGENTS.md": "before" });
  await host.session.send("hello", new AbortController().signal).result;
  host.write("/repo/AGENTS.md", "now");
  const resumed = await host.open({ cwd: "/repo/packages/app", resume: host.session.info.id });
  expect([text, (await resumed.prompt()).text]).toEqual(["before", "now"]);
});

test.for([
  { name: "a folder", make: (entry: string) => mkdir(entry) },
  { name: "the file of a worktree", make: (entry: string) => writeFile(entry, "gitdir: /elsewhere\n") },
  { name: "a link to nothing", make: (entry: string) => symlink("/nowhere/at/all", entry) },
])("IO-15 the project root is the nearest folder upwards with a .git entry: $name", async ({ make }) => {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "iota-root-")));
  const deep = path.join(root, "a/b");
  await mkdir(deep, { recursive: true });
  expect(projectRootOf(deep)).toBe(deep);
  await make(path.join(root, ".git"));
  expect(projectRootOf(deep)).toBe(root);
  await make(path.join(root, "a/.git"));
  expect(projectRootOf(deep)).toBe(path.join(root, "a"));
});
