import { expect, test } from "vitest";
import { changePreview } from "./change-preview.js";

function preview(name: string, args: Readonly<Record<string, unknown>>, before: string | null = null) {
  const call = { type: "tool-call", id: "1", name, args } as const;
  return changePreview({ tool: `tools-files/${name}`, call, read: async () => before }, "/p/a.txt");
}

test("shows the lines an edit changes, without those around them", async () => {
  const args = { path: "a.txt", old_string: "one\ntwo\nthree", new_string: "one\n2\nthree" };
  expect(await preview("edit", args)).toEqual(["- two", "+ 2"]);
});

test("shows a new file whole and of a rewritten one what changes", async () => {
  const args = { path: "a.txt", content: "a\nb\n" };
  expect(await preview("write", args)).toEqual(["+ a", "+ b"]);
  expect(await preview("write", args, "a\nc\n")).toEqual(["- c", "+ b"]);
  expect(await preview("write", args, "a\nb\n")).toEqual([]);
});

test("shortens long changes and long lines, and shows nothing of other tools", async () => {
  const content = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
  const lines = await preview("write", { path: "a.txt", content });
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe("+ … 10 more lines");
  expect((await preview("write", { path: "a.txt", content: "x".repeat(500) }))[0]).toHaveLength(162);
  expect(await preview("read", { path: "a.txt" })).toEqual([]);
});
