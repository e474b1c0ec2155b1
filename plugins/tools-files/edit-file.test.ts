import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editFileForModel } from "./edit-file.js";
import { folderWith, toolContext } from "./tool-context.fixture.js";

interface Change {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

async function edit(before: string | Uint8Array, change: Change): Promise<{ after: string; answer: string }> {
  const folder = await folderWith({ "a.ts": before });
  const args = { path: "a.ts", old_string: change.old, new_string: change.new, replace_all: change.all };
  const answer = await editFileForModel(args, toolContext(folder));
  return { after: await readFile(join(folder, "a.ts"), "utf8"), answer };
}

test("replaces one place and shows the lines around it", async () => {
  const { after, answer } = await edit("a\nb\nc\nd\ne\n", { old: "c\n", new: "C\nCC\n" });
  expect(after).toBe("a\nb\nC\nCC\nd\ne\n");
  expect(answer).toBe(
    [
      "Changed a.ts in 1 place:",
      "    1   a",
      "    2   b",
      "    3 - c",
      "    3 + C",
      "    4 + CC",
      "    5   d",
      "    6   e",
    ].join("\n"),
  );
});

test("shows a deleted line as deleted", async () => {
  const { answer } = await edit("a\nb\nc\n", { old: "b\n", new: "" });
  expect(answer).toBe("Changed a.ts in 1 place:\n    1   a\n    2 - b\n    2   c");
});

test("takes $ and backslashes as they are", async () => {
  const { after } = await edit("price", { old: "price", new: "$& $1 \\n $$" });
  expect(after).toBe("$& $1 \\n $$");
});

test("replaces every place when asked, and counts them", async () => {
  const { after, answer } = await edit("x x\nx\nx\nx\n", { old: "x", new: "yy", all: true });
  expect(after).toBe("yy yy\nyy\nyy\nyy\n");
  expect(answer).toContain("in 5 places");
  expect(answer).toContain("(2 more places are not shown)");
});

test("keeps CRLF when the model writes bare line feeds", async () => {
  const { after } = await edit("a\r\nb\r\nc\r\n", { old: "a\nb", new: "A\nX\nB" });
  expect(after).toBe("A\r\nX\r\nB\r\nc\r\n");
  const inserted = await edit("a\r\nb\r\n", { old: "b", new: "b\nc" });
  expect(inserted.after).toBe("a\r\nb\r\nc\r\n");
});

test("finds a text given with CRLF in a file that has bare line feeds", async () => {
  expect((await edit("a\nb\n", { old: "a\r\nb", new: "c\r\nd" })).after).toBe("c\nd\n");
});

test("keeps each place's own line ends in a file that mixes them", async () => {
  const { after } = await edit("a\r\nb\n-\na\nb\n", { old: "a\nb", new: "A\nB", all: true });
  expect(after).toBe("A\r\nB\n-\nA\nB\n");
});

test("turns CRLF into line feeds when that is what is asked", async () => {
  expect((await edit("a\r\nb\r\n", { old: "\r\n", new: "\n", all: true })).after).toBe("a\nb\n");
});

test("keeps the byte order mark and the mode", async () => {
  const folder = await folderWith({ "a.sh": "\uFEFFone\n" });
  await chmod(join(folder, "a.sh"), 0o755);
  const args = { path: "a.sh", old_string: "one", new_string: "two" };
  await editFileForModel(args, toolContext(folder));
  expect(await readFile(join(folder, "a.sh"), "utf8")).toBe("\uFEFFtwo\n");
  expect((await stat(join(folder, "a.sh"))).mode & 0o777).toBe(0o755);
});

test("works on what is on the disk now", async () => {
  const folder = await folderWith({ "a.ts": "one\ntwo\n" });
  const change = (old: string, by: string): Promise<string> =>
    editFileForModel({ path: "a.ts", old_string: old, new_string: by }, toolContext(folder));
  await change("one", "1");
  await writeFile(join(folder, "a.ts"), "changed outside\n1\ntwo\n");
  await change("two", "2");
  expect(await readFile(join(folder, "a.ts"), "utf8")).toBe("changed outside\n1\n2\n");
});

test.for([
  {
    name: "names the nearest line",
    old: "const vlaue = 1;",
    want: /nearest line is 2: "  const value = 1;"/,
  },
  {
    name: "sees other indentation",
    old: "function f() {\n\tconst value",
    want: /Line 1 .*other spaces, tabs/,
  },
  {
    name: "sees line numbers",
    old: "1 | function f() {\n2 |   const",
    want: /line numbers that read prints/,
  },
  {
    name: "shows where it parts",
    old: "  const value = 1;\n  const b",
    want: /line 3 is "}" where .*const b/,
  },
  { name: "says when nothing is like it", old: "zzzzqqqq", want: /No line of the file is like it/ },
])("absent text: $name", async ({ old, want }) => {
  await expect(edit("function f() {\n  const value = 1;\n}\n", { old, new: "x" })).rejects.toThrow(want);
});

test("names count and lines of a text that is not unique, and leaves the file alone", async () => {
  const folder = await folderWith({ "a.ts": "x\ny\nx\n" });
  const args = { path: "a.ts", old_string: "x", new_string: "z" };
  await expect(editFileForModel(args, toolContext(folder))).rejects.toThrow(/occurs 2 times.*lines 1, 3/);
  expect(await readFile(join(folder, "a.ts"), "utf8")).toBe("x\ny\nx\n");
});

test("refuses an empty text, an equal text, bytes that are no UTF-8, and a missing file", async () => {
  await expect(edit("a", { old: "", new: "b" })).rejects.toThrow(/old_string is empty/);
  await expect(edit("a", { old: "a", new: "a" })).rejects.toThrow(/are equal/);
  await expect(edit(Buffer.from([0xe4, 0x61]), { old: "a", new: "b" })).rejects.toThrow(/not UTF-8/);
  await expect(edit(Buffer.from([0, 0x61]), { old: "a", new: "b" })).rejects.toThrow(/binary/);
  const missing = { path: "b.ts", old_string: "a", new_string: "b" };
  await expect(editFileForModel(missing, toolContext(await folderWith({ "a.ts": "" })))).rejects.toThrow(
    /no file b\.ts/,
  );
});

test("searches the nearest line of a large file in little time", async () => {
  const before = Array.from({ length: 60_000 }, (_, index) => `  const value${index} = compute(${index});`);
  const started = Date.now();
  await expect(edit(before.join("\n"), { old: "const value77 = compote(77);", new: "x" })).rejects.toThrow(
    /nearest line/,
  );
  expect(Date.now() - started).toBeLessThan(5000);
});
