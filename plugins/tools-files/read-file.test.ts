import { mkdir, open, symlink } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { maxImageBytes, readFileForModel } from "./read-file.js";
import { folderWith, toolContext } from "./tool-context.fixture.js";

async function read(
  files: Readonly<Record<string, string | Uint8Array>>,
  args: { path: string; offset?: number; limit?: number },
): Promise<unknown> {
  return readFileForModel(args, toolContext(await folderWith(files)));
}

test("numbers the lines from 1 and pads the numbers", async () => {
  const text = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join("\n");
  const answer = await read({ "a.txt": text }, { path: "a.txt" });
  expect(answer).toMatch(/^ 1 \| line 1\n/);
  expect(answer).toMatch(/\n10 \| line 10$/);
});

test("shows a range and says how to read on", async () => {
  const answer = await read({ "a.txt": "a\nb\nc\nd\n" }, { path: "a.txt", offset: 2, limit: 2 });
  expect(answer).toBe("2 | b\n3 | c\n[Lines 2 to 3 of 4; read on with offset 4]");
});

test("says nothing of more lines when the range ends with the file", async () => {
  expect(await read({ "a.txt": "a\nb\n" }, { path: "a.txt", offset: 1, limit: 2 })).toBe("1 | a\n2 | b");
});

test("stops at 2000 lines and at 64 KiB, and says so", async () => {
  const many = await read({ "a.txt": "x\n".repeat(2500) }, { path: "a.txt" });
  expect(many).toContain("[Lines 1 to 2000 of 2500; read on with offset 2001]");
  const wide = await read({ "a.txt": `${"y".repeat(1023)}\n`.repeat(100) }, { path: "a.txt" });
  expect(wide).toContain("[Lines 1 to 64 of 100; read on with offset 65]");
});

test("refuses an offset behind the end and names the number of lines", async () => {
  await expect(read({ "a.txt": "a\nb\n" }, { path: "a.txt", offset: 9 })).rejects.toThrow(
    /has 2 lines, so there is no line 9/,
  );
});

test("says that a file is empty", async () => {
  expect(await read({ "a.txt": "" }, { path: "a.txt" })).toBe("(the file is empty)");
});

test("shows CRLF lines without the return, and names CRLF and the byte order mark", async () => {
  const answer = await read({ "a.txt": "\uFEFFone\r\ntwo\r\n" }, { path: "a.txt" });
  expect(answer).toBe(
    "1 | one\n2 | two\n[Lines end in CRLF; edit keeps that by itself]\n" +
      "[The file starts with a byte order mark; edit keeps it]",
  );
});

test("cuts a very long line between characters and counts what it lost", async () => {
  const answer = await read({ "a.txt": `${"ä".repeat(1999)}😀${"z".repeat(50_000)}\nnext\n` }, { path: "a.txt" });
  expect(answer).toContain(`${"ä".repeat(1999)} … (50004 more bytes in this line)\n2 | next\n`);
  expect(answer).not.toContain("\uFFFD");
});

test("decodes a character that lies across two pieces of the file", async () => {
  const answer = await read({ "a.txt": `${"a\n".repeat(32767)}a€b\n` }, { path: "a.txt", offset: 32768 });
  expect(answer).toBe("32768 | a€b");
});

test("shows bytes that are no UTF-8 as replaced, and says so", async () => {
  const answer = await read({ "a.txt": Buffer.from([0x63, 0xe4, 0x0a]) }, { path: "a.txt" });
  expect(answer).toContain("1 | c\uFFFD");
  expect(answer).toContain("no UTF-8");
});

test.for([
  { name: "a.bin", bytes: Buffer.from([1, 2, 0, 4]), want: /a\.bin is a binary file \(4 bytes\)/ },
  { name: "a.txt", bytes: Buffer.from([0xff, 0xfe, 0x61, 0]), want: /UTF-16/ },
  { name: "a.pdf", bytes: Buffer.from("%PDF-1.7\n"), want: /binary/ },
])("refuses $name and says why", async ({ name, bytes, want }) => {
  await expect(read({ [name]: bytes }, { path: name })).rejects.toThrow(want);
});

test("gives an image as an image block, by its content and not its name", async () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  expect(await read({ "picture.dat": png }, { path: "picture.dat" })).toEqual([
    { type: "text", text: "picture.dat (image/png, 16 bytes)" },
    { type: "image", mime: "image/png", base64: png.toString("base64") },
  ]);
});

test("refuses an image that is too large to send", async () => {
  const large = Buffer.alloc(maxImageBytes + 1);
  large.write("GIF89a");
  await expect(read({ "a.gif": large }, { path: "a.gif" })).rejects.toThrow(/image-too-large/);
});

test("points to ls for a folder", async () => {
  await expect(read({ "src/a.ts": "" }, { path: "src" })).rejects.toThrow(/is a folder.*`ls`/);
});

test("does not wait at a pipe", async () => {
  const folder = await folderWith({});
  execFileSync("mkfifo", [join(folder, "pipe")]);
  await expect(readFileForModel({ path: "pipe" }, toolContext(folder))).rejects.toThrow(/pipe, socket/);
});

test("names near files for a missing one, and near folders for a missing folder", async () => {
  const files = { "src/parser.ts": "", "src/printer.ts": "" };
  await expect(read(files, { path: "src/parsre.ts" })).rejects.toThrow(/Did you mean .*src\/parser\.ts/);
  await expect(read(files, { path: "src/parser.js" })).rejects.toThrow(/Did you mean .*src\/parser\.ts/);
  await expect(read(files, { path: "scr/parser.ts" })).rejects.toThrow(/no .*\/scr\).*Did you mean .*\/src/);
});

test("takes absolute paths, paths below the home folder, and links", async () => {
  const folder = await folderWith({ "home/a.txt": "hello" });
  await mkdir(join(folder, "work"));
  await symlink(join(folder, "home", "a.txt"), join(folder, "work", "link"));
  const context = toolContext(join(folder, "work"), { home: join(folder, "home") });
  for (const path of ["~/a.txt", join(folder, "home/a.txt"), "../home/a.txt", "link"]) {
    expect(await readFileForModel({ path }, context)).toBe("1 | hello");
  }
});

test("reads the start of a file of one gigabyte without reading it whole", async () => {
  const folder = await folderWith({ "huge.txt": "first\n" });
  const handle = await open(join(folder, "huge.txt"), "r+");
  await handle.write("\n".repeat(16 * 1024), 6);
  await handle.truncate(1024 ** 3);
  await handle.close();
  const before = process.memoryUsage().rss;
  const answer = await readFileForModel({ path: "huge.txt", limit: 1 }, toolContext(folder));
  expect(answer).toBe("1 | first\n[Lines 1 to 1; read on with offset 2]");
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});

test("ends when the turn is aborted", async () => {
  const folder = await folderWith({ "a.txt": "x\n" });
  const signal = AbortSignal.abort(new Error("stopped"));
  await expect(readFileForModel({ path: "a.txt" }, toolContext(folder, { signal }))).rejects.toThrow("stopped");
});
