import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import type { Config, ResolvedSection } from "@quire/core";
import { createHost } from "@quire/core/host";
import type { Host, LoadedPlugin, Session } from "@quire/core/host";
import { diskFiles, parseFrontMatter } from "@quire/loader";
import agentsMd from "./index.js";

/** A layout that shows each item under its id, and a provider that is never asked. */
const bare = definePlugin({
  name: "bare",
  apiVersion: 1,
  setup(host) {
    host.layouts.register({
      name: "bare",
      slots: [{ slot: "project" }],
      escape: "raw",
      render: (section, p) => p.body(section),
    });
    host.providers.register({
      name: "silent",
      api: "none",
      caps: () => ({
        contextTokens: 100_000,
        outputTokens: 1000,
        images: false,
        contextRole: "user",
        cache: { ttlSeconds: 300, read: 0.1, write: 1.25 },
      }),
      project: () => ({ url: "", headers: {}, body: null }),
      async *stream() {
        yield { type: "end", stop: "end" };
      },
    });
  },
});

interface Opened {
  readonly host: Host;
  readonly session: Session;
}

async function open(root: string, cwd: string, instructionFiles: Config = {}): Promise<Opened> {
  const host = await createHost({
    plugins: [agentsMd, bare].map((plugin): LoadedPlugin => ({
      name: plugin.name,
      version: "1.0.0",
      hash: plugin.name,
      tier: "builtin",
      plugin,
    })),
    config: { model: "silent/one", layout: "bare", instruction_files: instructionFiles },
    files: diskFiles,
    log: { append: () => Promise.resolve(), read: async function* () {} },
    place: (place) => ({
      cwd: place,
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
  return { host, session: await host.open({ cwd, persist: false }) };
}

async function projectWith(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "agents-md-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  return root;
}

function texts(section: ResolvedSection | undefined): readonly string[] {
  const content = section?.content;
  return content?.kind === "items" ? content.items.map(({ text = "" }) => text) : [];
}

async function shown(session: Session): Promise<readonly string[]> {
  const prompt = await session.prompt();
  return texts(prompt.sections.find(({ name }) => name === "agents-md/files"));
}

test("IO-34 brings the user's file, then every folder's from the project root to the working directory", async () => {
  const notes = path.join(await projectWith({ "notes.md": "notes" }), "notes.md");
  const root = await projectWith({
    "home/.quire/AGENTS.md": "user",
    "AGENTS.md": "root",
    "a/CLAUDE.md": "a",
    "a/b/AGENTS.override.md": "b",
    "a/b/AGENTS.md": "hidden",
  });
  const { session } = await open(root, path.join(root, "a", "b"), { extra: [notes] });
  expect(await shown(session)).toEqual(["user", "notes", "root", "a", "b"]);
});

test("IO-36 brings the root's file alone when the working directory is the root or outside it", async () => {
  const root = await projectWith({ "AGENTS.md": "root", "a/AGENTS.md": "a" });
  expect(await shown((await open(root, root)).session)).toEqual(["root"]);
  const outside = await projectWith({ "AGENTS.md": "outside" });
  expect(await shown((await open(root, outside)).session)).toEqual(["root"]);
});

test("sees an edit, a new file and a removed one at the next prompt", async () => {
  const root = await projectWith({ "AGENTS.md": "first" });
  const { session } = await open(root, root);
  expect(await shown(session)).toEqual(["first"]);
  await writeFile(path.join(root, "AGENTS.md"), "second, and longer");
  expect(await shown(session)).toEqual(["second, and longer"]);
  await writeFile(path.join(root, "AGENTS.override.md"), "override");
  expect(await shown(session)).toEqual(["override"]);
});

test("keeps the nearest file within the budget, and says what it cut", async () => {
  const root = await projectWith({ "AGENTS.md": "r".repeat(5000), "a/AGENTS.md": "n".repeat(1000) });
  const { session } = await open(root, path.join(root, "a"), { budget: 2048 });
  const { text, diagnostics } = await session.prompt();
  expect(text).toContain(`\n\n${"n".repeat(1000)}`);
  expect(text).toMatch(/r\n\[Instruction files are cut here: together they may take 2048 bytes/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  expect(diagnostics).toMatchObject([{ code: "section-cut", section: "agents-md/files" }]);
  expect(diagnostics[0]?.message).toContain(path.join(root, "AGENTS.md"));
});

test("reports a file that cannot be read once, and goes on", async () => {
  const root = await projectWith({ "AGENTS.md/x": "a folder", "a/AGENTS.md": "near" });
  const { host, session } = await open(root, path.join(root, "a"));
  expect(await shown(session)).toEqual(["near"]);
  await writeFile(path.join(root, "a", "AGENTS.md"), "near, edited");
  expect(await shown(session)).toEqual(["near, edited"]);
  const found = host.diagnostics.filter(({ code }) => code === "instruction-file-unreadable");
  expect(found).toMatchObject([{ plugin: "agents-md", at: { file: path.join(root, "AGENTS.md") } }]);
});

test("reads nothing when it is off", async () => {
  const root = await projectWith({ "AGENTS.md": "root" });
  const { session } = await open(root, root, { enabled: false });
  const { text, leftOut } = await session.prompt();
  expect([text, leftOut]).toEqual(["", [{ section: "agents-md/files", why: "condition" }]]);
});

test.for([
  { name: "a relative extra file", options: { extra: ["notes.md"] } },
  { name: "a budget below 1 KiB", options: { budget: 10 } },
  { name: "an option that does not exist", options: { bugdet: 4096 } },
])("refuses $name", ({ options }) => {
  expect(agentsMd.options?.["~standard"].validate({ instruction_files: options })).toHaveProperty("issues");
});
