import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import agentsMd from "./index.js";
import { folderWith, open, texts } from "./fixtures/real-folder.js";

test("IO-34 brings the user's file, then every folder's from the project root to the working directory", async () => {
  const notes = path.join(await folderWith({ "notes.md": "notes" }), "notes.md");
  const root = await folderWith({
    "home/.quire/AGENTS.md": "user",
    "AGENTS.md": "root",
    "a/CLAUDE.md": "a",
    "a/b/AGENTS.override.md": "b",
    "a/b/AGENTS.md": "hidden",
  });
  const { session } = await open({ root, cwd: path.join(root, "a", "b"), options: { extra: [notes] } });
  expect(await texts(session)).toEqual(["user", "notes", "root", "a", "b"]);
});

test("IO-36 brings the root's file alone when the working directory is the root or outside it", async () => {
  const root = await folderWith({ "AGENTS.md": "root", "a/AGENTS.md": "a" });
  expect(await texts((await open({ root })).session)).toEqual(["root"]);
  const outside = await folderWith({ "AGENTS.md": "outside" });
  expect(await texts((await open({ root, cwd: outside })).session)).toEqual(["root"]);
});

test("sees an edit, a new file and a removed one at the next prompt", async () => {
  const root = await folderWith({ "AGENTS.md": "first" });
  const { session } = await open({ root });
  expect(await texts(session)).toEqual(["first"]);
  await writeFile(path.join(root, "AGENTS.md"), "second, and longer");
  expect(await texts(session)).toEqual(["second, and longer"]);
  await writeFile(path.join(root, "AGENTS.override.md"), "override");
  expect(await texts(session)).toEqual(["override"]);
});

test("keeps the nearest file within the budget, and says what it cut", async () => {
  const root = await folderWith({ "AGENTS.md": "r".repeat(5000), "a/AGENTS.md": "n".repeat(1000) });
  const { session } = await open({ root, cwd: path.join(root, "a"), options: { budget: 2048 } });
  const { text, diagnostics } = await session.prompt();
  expect(text).toContain(`\n\n${"n".repeat(1000)}`);
  expect(text).toMatch(/r\n\[Instruction files are cut here: together they may take 2048 bytes/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  expect(diagnostics).toMatchObject([{ code: "section-cut", section: "agents-md/files" }]);
  expect(diagnostics[0]?.message).toContain(path.join(root, "AGENTS.md"));
});

test("keeps a near file of 2,000 bytes whole beside a root file of 40,000, cut between two characters and told", async () => {
  const near = "n".repeat(2_000);
  const root = await folderWith({ "AGENTS.md": "é".repeat(20_000), "a/AGENTS.override.md": near });
  const { session } = await open({ root, cwd: path.join(root, "a") });
  const { text, pieces, diagnostics } = await session.prompt();
  expect(text.endsWith(`\n\n${near}`)).toBe(true);
  expect(text).toMatch(/\n\né+\n\[Instruction files are cut here/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_768);
  expect(Buffer.byteLength(text)).toBeGreaterThan(32_760);
  const file = path.join(root, "AGENTS.md");
  expect(pieces.filter(({ truncated }) => truncated)).toMatchObject([{ from: { kind: "file", file } }]);
  expect(diagnostics).toMatchObject([{ code: "section-cut", message: expect.stringContaining(file) }]);
});

test("reports a file that cannot be read once, and goes on", async () => {
  const root = await folderWith({ "AGENTS.md/x": "a folder", "a/AGENTS.md": "near" });
  const { host, session } = await open({ root, cwd: path.join(root, "a") });
  expect(await texts(session)).toEqual(["near"]);
  await writeFile(path.join(root, "a", "AGENTS.md"), "near, edited");
  expect(await texts(session)).toEqual(["near, edited"]);
  const found = host.diagnostics.filter(({ code }) => code === "instruction-file-unreadable");
  expect(found).toMatchObject([{ plugin: "agents-md", at: { file: path.join(root, "AGENTS.md") } }]);
});

test("reads nothing when it is off", async () => {
  const root = await folderWith({ "AGENTS.md": "root" });
  const { session } = await open({ root, options: { enabled: false } });
  const { text, leftOut } = await session.prompt();
  expect([text, leftOut]).toEqual(["", [{ section: "agents-md/files", why: "condition" }]]);
});

test.for([
  { name: "a relative extra file", options: { extra: ["notes.md"] } },
  { name: "a budget below 1 KiB", options: { budget: 10 } },
  { name: "a place without names", options: { places: [{ walk: "cwd" }] } },
  { name: "a place that is two", options: { places: [{ walk: "cwd", folder: "~/x", names: ["a.md"] }] } },
  { name: "a name that leads upwards", options: { places: [{ walk: "cwd", names: ["../a.md"] }] } },
  { name: "a name with two stars", options: { places: [{ walk: "cwd", names: ["*/*.md"] }] } },
  { name: "a relative folder", options: { places: [{ folder: "notes", names: ["a.md"] }] } },
  { name: "an option that does not exist", options: { bugdet: 4096 } },
])("refuses $name", ({ options }) => {
  expect(agentsMd.options?.["~standard"].validate({ instruction_files: options })).toHaveProperty("issues");
});
