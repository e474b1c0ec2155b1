import { chmod, mkdir, mkdtemp, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import type { Config } from "@quire/core";
import { createHost } from "@quire/core/host";
import type { Host, LoadedPlugin, Prompt, Session } from "@quire/core/host";
import { diskFiles, parseFrontMatter } from "@quire/loader";
import { fakeProvider } from "@quire/testkit";
import memory from "./index.js";

const bareLayout = definePlugin({
  name: "bare",
  apiVersion: 1,
  setup: (host) =>
    host.layouts.register({ name: "bare", slots: [{ slot: "memory" }], render: (section, p) => p.body(section) }),
});

interface Opened {
  readonly host: Host;
  readonly session: Session;
  readonly root: string;
  readonly notes: string;
}

/** A session in a new folder with these files, on the real disk. */
async function open(files: Readonly<Record<string, string | Uint8Array>>, options: Config = {}): Promise<Opened> {
  const root = await mkdtemp(path.join(tmpdir(), "memory-"));
  await mkdir(path.join(root, ".quire"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  const host = await createHost({
    plugins: [memory, bareLayout, fakeProvider({ replies: () => "ok" })].map((plugin): LoadedPlugin => ({
      name: plugin.name,
      version: "1.0.0",
      hash: plugin.name,
      tier: "builtin",
      plugin,
    })),
    config: { layout: "bare", memory: options },
    files: diskFiles,
    log: { append: () => Promise.resolve(), read: async function* () {} },
    place: (cwd) => ({
      cwd,
      projectRoot: root,
      home: path.join(root, "home"),
      quireHome: path.join(root, "home", ".quire"),
      trusted: false,
      env: () => undefined,
      platform: "linux (x64)",
      shell: "bash",
    }),
    frontMatter: parseFrontMatter,
  });
  const session = await host.open({ cwd: root, persist: false });
  return { host, session, root, notes: path.join(root, ".quire", "MEMORY.md") };
}

/** What the section shows of each file, its marker included. */
function shown(prompt: Prompt): readonly string[] {
  const content = prompt.sections.find(({ name }) => name === "memory/files")?.content;
  return content?.kind === "items" ? content.items.map(({ text = "", cut = "" }) => text + cut) : [];
}

function reported({ host }: Opened): readonly (readonly [code: string, message: string])[] {
  return host.diagnostics.map(({ code, message }) => [code, message]);
}

test("shows the user's notes, then the project's, each as it stands but for its end, and with its file as source", async () => {
  const opened = await open({ "home/.quire/MEMORY.md": "\uFEFFuser\r\nnote\r\n", ".quire/MEMORY.md": "project\n" });
  const prompt = await opened.session.prompt();
  expect(shown(prompt)).toEqual(["\uFEFFuser\r\nnote", "project"]);
  expect(prompt.text).toMatch(/earlier sessions[^]*user\r\nnote\n\nproject$/);
  expect(prompt.pieces.map(({ from }) => from.file).filter((file) => file !== undefined)).toEqual([
    path.join(opened.root, "home", ".quire", "MEMORY.md"),
    opened.notes,
  ]);
  expect(reported(opened)).toEqual([]);
});

test("is silent when there is no file, and shows one that comes later", async () => {
  const opened = await open({});
  const none = await opened.session.prompt();
  expect([none.text, none.leftOut]).toEqual(["", [{ section: "memory/files", why: "empty" }]]);
  await writeFile(opened.notes, "later");
  expect(shown(await opened.session.prompt())).toEqual(["later"]);
  await writeFile(opened.notes, "changed");
  expect(shown(await opened.session.prompt())).toEqual(["changed"]);
  expect(reported(opened)).toEqual([]);
});

test("CC-29 cuts at 200 lines and says so in the text and as a diagnostic", async () => {
  const lines = Array.from({ length: 201 }, (_, index) => `note ${index + 1}`);
  const opened = await open({ ".quire/MEMORY.md": lines.join("\n") });
  const prompt = await opened.session.prompt();
  expect(shown(prompt)[0]).toBe(
    `${lines.slice(0, 200).join("\n")}\n[${opened.notes} is cut here: the first 200 lines of it are shown. Read the file itself if its rest matters, and keep it shorter.]`,
  );
  expect(prompt.pieces.some(({ truncated, from }) => truncated === true && from.file === opened.notes)).toBe(true);
  expect(reported(opened)).toEqual([
    ["memory-file-cut", `The memory file ${opened.notes} is too long: the first 200 lines are shown`],
  ]);
  await opened.session.prompt();
  expect(opened.host.diagnostics).toHaveLength(1);
});

test("CC-29 cuts at 25,000 bytes between characters when they are met before 200 lines", async () => {
  const opened = await open({ ".quire/MEMORY.md": `${"x".repeat(24_999)}ä${"\n".repeat(300)}` });
  const [text = ""] = shown(await opened.session.prompt());
  expect(text.slice(0, 25_000)).toBe(`${"x".repeat(24_999)}\n`);
  expect(text.slice(25_000)).toContain("the first 25000 bytes");
  expect(reported(opened).map(([code]) => code)).toEqual(["memory-file-cut"]);
});

test("CC-29 leaves a file of exactly 200 lines and 25,000 bytes whole", async () => {
  const content = `${"x".repeat(24_601)}${"y\n".repeat(199)}z`;
  const opened = await open({ ".quire/MEMORY.md": content });
  expect([Buffer.byteLength(content), content.split("\n").length]).toEqual([25_000, 200]);
  expect(shown(await opened.session.prompt())).toEqual([content]);
  expect(reported(opened)).toEqual([]);
});

test("never reads a file of 1 GB whole", async () => {
  const opened = await open({ ".quire/MEMORY.md": "x".repeat(30_000) });
  await truncate(opened.notes, 1024 ** 3);
  const before = process.memoryUsage().rss;
  const [text = ""] = shown(await opened.session.prompt());
  expect(text.slice(0, 25_001)).toBe(`${"x".repeat(25_000)}\n`);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
});

test.for([
  { name: "a folder", code: "memory-file-unreadable", why: "it is a folder", make: (file: string) => mkdir(file) },
  {
    name: "a link to nothing",
    code: "memory-file-unreadable",
    why: "it is a link to nothing",
    make: (file: string) => symlink("gone.md", file),
  },
  {
    name: "a link to itself",
    code: "memory-file-unreadable",
    why: "it is a link to itself",
    make: (file: string) => symlink("MEMORY.md", file),
  },
  {
    name: "a file that is not UTF-8",
    code: "memory-file-unreadable",
    why: "not UTF-8",
    make: (file: string) => writeFile(file, new Uint8Array([0x66, 0xff, 0xfe])),
  },
  {
    name: "a binary file",
    code: "memory-file-unreadable",
    why: "it is not text",
    make: (file: string) => writeFile(file, "a\0b"),
  },
  {
    name: "an empty file",
    code: "memory-file-empty",
    why: "it is empty",
    make: (file: string) => writeFile(file, "\uFEFF \r\n"),
  },
])("reports $name and loads the other", async ({ code, why, make }) => {
  const opened = await open({ "home/.quire/MEMORY.md": "user" });
  await make(opened.notes);
  expect(shown(await opened.session.prompt())).toEqual(["user"]);
  expect(opened.host.diagnostics).toMatchObject([{ code, plugin: "memory", at: { file: opened.notes } }]);
  expect(opened.host.diagnostics[0]?.message).toContain(why);
});

test("reports a file that may not be read, unless nothing is forbidden to this user", async () => {
  const opened = await open({ ".quire/MEMORY.md": "secret" });
  await chmod(opened.notes, 0o000);
  const isRoot = process.getuid?.() === 0;
  expect(shown(await opened.session.prompt())).toEqual(isRoot ? ["secret"] : []);
  expect(reported(opened).map(([code]) => code)).toEqual(isRoot ? [] : ["memory-file-unreadable"]);
});

test("follows a link to a file, and names the link", async () => {
  const opened = await open({ "notes.md": "linked" });
  await symlink("../notes.md", opened.notes);
  const prompt = await opened.session.prompt();
  expect(shown(prompt)).toEqual(["linked"]);
  expect(prompt.pieces.some(({ from }) => from.file === opened.notes)).toBe(true);
});

test("reads the files that config names, as far as config says", async () => {
  const opened = await open({ "a.md": "one\ntwo", ".quire/MEMORY.md": "not this" }, { paths: ["a.md"], max_lines: 1 });
  expect(shown(await opened.session.prompt())[0]).toMatch(/^one\n\[/);
});

test("reads nothing when it is off", async () => {
  const { session } = await open({ ".quire/MEMORY.md": "notes" }, { enabled: false });
  expect((await session.prompt()).leftOut).toEqual([{ section: "memory/files", why: "condition" }]);
});

test("stands in the prompts of those whom config names", async () => {
  const { session } = await open({ ".quire/MEMORY.md": "notes" }, { audience: ["main"] });
  expect(shown(await session.prompt())).toEqual(["notes"]);
  expect((await session.prompt({ audience: "subagent" })).leftOut).toEqual([
    { section: "memory/files", why: "audience" },
  ]);
});

test.for([
  { name: "no path at all", options: { paths: [""] } },
  { name: "a limit that holds no sentence", options: { max_bytes: 10 } },
  { name: "an option that does not exist", options: { max_line: 10 } },
])("refuses $name", ({ options }) => {
  expect(memory.options?.["~standard"].validate({ memory: options })).toHaveProperty("issues");
});
