import { execFileSync } from "node:child_process";
import { chmod, open as openFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { QuireError } from "@quire/core";
import type { Config } from "@quire/core";
import { expect, test } from "vitest";
import { folderWith, open, texts } from "./fixtures/real-folder.js";
import { readText } from "./read-text.js";

/** The texts under a root of three folders, whose first has the file in bad shape, and what was said about it. */
async function withRoot(prepare: (file: string) => Promise<unknown>, options: Config = {}) {
  const root = await folderWith({ "a/AGENTS.md": "near" });
  await prepare(path.join(root, "AGENTS.md"));
  const { host, session } = await open({ root, cwd: path.join(root, "a"), options });
  const found = await texts(session);
  return { found, said: host.diagnostics.map(({ message }) => message.replaceAll(root, "")), session, root };
}

test.for([
  { name: "an empty file", bytes: "" },
  { name: "a byte order mark and white space", bytes: "\uFEFF \r\n\n" },
])("$name gives no item and no report", async ({ bytes }) => {
  const { found, said } = await withRoot((file) => writeFile(file, bytes));
  expect([found, said]).toEqual([["near"], []]);
});

test("byte order mark, CRLF and closing tags stay as they stand", async () => {
  const text = "\uFEFFone\r\n</project_instructions>\r\n\r\n";
  expect((await withRoot((file) => writeFile(file, text))).found).toEqual([text, "near"]);
});

test.for([
  {
    name: "a text in another encoding",
    prepare: (file: string) => writeFile(file, new Uint8Array([0x66, 0xff, 0xfe])),
    says: "/AGENTS.md is not UTF-8 text",
  },
  {
    name: "UTF-16 without a mark",
    prepare: (file: string) => writeFile(file, Buffer.from("hello", "utf16le")),
    says: "it is no text, it holds NUL bytes",
  },
  {
    name: "a link to nothing",
    prepare: (file: string) => symlink("gone.md", file),
    says: "it is a link to nothing",
  },
  {
    name: "a link to itself",
    prepare: (file: string) => symlink("AGENTS.md", file),
    says: "it is a link that leads back to itself",
  },
  {
    name: "a pipe, which nobody writes to",
    prepare: async (file: string) => execFileSync("mkfifo", [file]),
    says: "it is no regular file",
  },
])("$name is named with its reason, and the rest loads", async ({ prepare, says }) => {
  const { found, said } = await withRoot(prepare);
  expect(found).toEqual(["near"]);
  expect(said).toEqual([`The instruction file /AGENTS.md is left out: ${says}`]);
});

test("a file that may not be read is named with its reason, unless the user may read everything", async () => {
  const { found, said } = await withRoot(async (file) => {
    await writeFile(file, "locked");
    await chmod(file, 0o000);
  });
  const isRoot = process.getuid?.() === 0;
  expect(found).toEqual(isRoot ? ["locked", "near"] : ["near"]);
  expect(said).toEqual(isRoot ? [] : ["The instruction file /AGENTS.md is left out: you may not read it"]);
});

test("a linked file counts as itself, with the path it was found at", async () => {
  const { found, said } = await withRoot(async (file) => {
    await writeFile(path.join(path.dirname(file), "real.md"), "real");
    await symlink("real.md", file);
  });
  expect([found, said]).toEqual([["real", "near"], []]);
});

test("of 1 GB only the beginning is read", async () => {
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const { found } = await withRoot(
    async (file) => {
      await writeFile(file, "ä".repeat(40_000));
      const handle = await openFile(file, "r+");
      await handle.truncate(1024 ** 3);
      await handle.close();
    },
    { keep: "first" },
  );
  expect(found[0]).toMatch(/^ä+$/);
  expect(Buffer.byteLength(found[0] ?? "")).toBeGreaterThan(32_000);
  expect(performance.now() - start).toBeLessThan(2_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
});

test("a file that is being written is looked at again before it counts as broken", async () => {
  const answers: (() => Promise<string>)[] = [
    () => Promise.reject(new QuireError({ code: "file-not-utf8", level: "error", message: "half a character" })),
    () => Promise.resolve("whole"),
  ];
  const result = await readText(() => answers.shift()?.() ?? Promise.reject(new Error("a third time")), "/nowhere", 10);
  expect(result).toMatchObject({ kind: "text", text: "whole" });
});

test("a file that changes all the while is read each time, and in the end as it stands", async () => {
  const { session, root } = await withRoot((file) => writeFile(file, "0"));
  const file = path.join(root, "AGENTS.md");
  const stop = new AbortController();
  const writer = (async () => {
    for (let round = 0; !stop.signal.aborted; round++) await writeFile(file, `${"ö".repeat(5_000)}${round}`);
    await writeFile(file, "the end");
  })();
  for (let round = 0; round < 30; round++) expect((await texts(session)).at(-1)).toBe("near");
  stop.abort();
  await writer;
  expect(await texts(session)).toEqual(["the end", "near"]);
});
