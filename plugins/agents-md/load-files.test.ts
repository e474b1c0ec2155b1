import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { chainOf } from "./chain.js";
import { instructionItems, loadFiles } from "./load-files.js";

const names = ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"];
const place = {
  async read(file: string, options?: { readonly maxBytes?: number }) {
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (bytes === null) return null;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, options?.maxBytes));
  },
};

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "instruction-files-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  return root;
}

async function load(root: string, cwd = root, maxBytes = 32_768) {
  const chain = chainOf({ cwd, projectRoot: root, quireHome: path.join(root, "home") }, [], {
    names,
    from: "project-root",
  });
  return await loadFiles(place, chain, new Set(), maxBytes);
}

test("IO-34 takes of each folder the first file of three names, the root's first", async () => {
  const root = await folderWith({
    "AGENTS.md": "root",
    "CLAUDE.md": "not this",
    "a/AGENTS.override.md": "a",
    "a/AGENTS.md": "not this",
    "a/b/CLAUDE.md": "b",
    "c/AGENTS.md": "not on the way",
  });
  const { files, problems } = await load(root, path.join(root, "a", "b"));
  expect(files.map(({ text }) => text)).toEqual(["root", "a", "b"]);
  expect(problems).toEqual([]);
});

test("IO-36 takes the root's file alone when the working directory is outside the root", async () => {
  const root = await folderWith({ "AGENTS.md": "root" });
  const other = await folderWith({ "AGENTS.md": "other" });
  expect((await load(root, other)).files.map(({ text }) => text)).toEqual(["root"]);
});

test("copies the text as it stands, byte order mark and line ends included", async () => {
  const root = await folderWith({ "AGENTS.md": "\uFEFFone\r\n</project_instructions>\r\n\r\n" });
  expect((await load(root)).files[0]?.text).toBe("\uFEFFone\r\n</project_instructions>\r\n\r\n");
});

test("gives no item for an empty file, and does not look for another name beside it", async () => {
  const root = await folderWith({ "AGENTS.override.md": "\uFEFF \n", "AGENTS.md": "overridden" });
  const { files, problems } = await load(root);
  expect([files, problems]).toEqual([[], []]);
  expect(instructionItems(files, "intro")).toBeNull();
});

test("reports what cannot be read, with its name, and loads the rest", async () => {
  const root = await folderWith({
    "AGENTS.md/inside.txt": "a folder",
    "CLAUDE.md": "instead",
    "a/AGENTS.md": new Uint8Array([0x66, 0xff, 0xfe]),
    "a/b/AGENTS.md": "nearest",
  });
  const { files, problems } = await load(root, path.join(root, "a", "b"));
  expect(files.map(({ text }) => text)).toEqual(["instead", "nearest"]);
  expect(problems[0]?.message).toContain("it is a folder");
  expect(problems.map(({ code, at }) => [code, at?.file])).toEqual([
    ["instruction-file-unreadable", path.join(root, "AGENTS.md")],
    ["instruction-file-unreadable", path.join(root, "a", "AGENTS.md")],
  ]);
});

test("reports a missing file only when the user named it", async () => {
  const missing = path.join(await folderWith({}), "notes.md");
  expect((await loadFiles(place, [[missing]], new Set([missing]), 1024)).problems).toHaveLength(1);
  expect((await loadFiles(place, [[missing]], new Set(), 1024)).problems).toEqual([]);
});

test("stops reading a file just above the limit, so that the cut is noticed", async () => {
  const root = await folderWith({ "AGENTS.md": "x".repeat(5000) });
  const text = (await load(root, root, 1024)).files[0]?.text ?? "";
  expect(text.length).toBeGreaterThan(1024);
  expect(text.length).toBeLessThanOrEqual(1028);
});

test("takes a file once that is on the way twice", async () => {
  const root = await folderWith({ "AGENTS.md": "one" });
  const file = path.join(root, "AGENTS.md");
  const { files } = await loadFiles(place, [[file], [file]], new Set(), 1024);
  expect(files).toHaveLength(1);
});

test("makes an item of each file, named by its path, with the file as origin", () => {
  expect(instructionItems([{ path: "/r/AGENTS.md", text: "x\n" }], "intro")).toEqual({
    kind: "items",
    intro: "intro",
    items: [
      {
        id: "/r/AGENTS.md",
        text: "x\n",
        attrs: { path: "/r/AGENTS.md" },
        origin: { kind: "file", file: "/r/AGENTS.md" },
      },
    ],
  });
});
