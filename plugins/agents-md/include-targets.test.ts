import { expect, test } from "vitest";
import { includeTargets, resolveTarget } from "./include-targets.js";

test("CC-20 finds a name, a relative path, one from home and an absolute one", () => {
  expect(includeTargets("@name.md, @./a/b.txt and @../up.md.\n(@~/notes/x.md) @/abs/y.json")).toEqual([
    "name.md",
    "./a/b.txt",
    "../up.md",
    "~/notes/x.md",
    "/abs/y.json",
  ]);
  expect(resolveTarget("a/b.md", "/repo/docs", "/home/ada")).toBe("/repo/docs/a/b.md");
  expect(resolveTarget("~/x.md", "/repo", "/home/ada")).toBe("/home/ada/x.md");
  expect(resolveTarget("/abs/y.md", "/repo", "/home/ada")).toBe("/abs/y.md");
});

test.for([
  { name: "punctuation at the end", text: "See @a.md, @b.md; @c.md! (@d.md) @e.md.", want: ["a", "b", "c", "d", "e"] },
  { name: "emphasis and headings", text: "# @a.md\n**@b.md** _@c.md_ > @d.md", want: ["a", "b", "c", "d"] },
  { name: "an anchor", text: "@a.md#part", want: ["a"] },
  { name: "one name twice", text: "@a.md @a.md", want: ["a"] },
])("takes a target without $name", ({ text, want }) => {
  expect(includeTargets(text)).toEqual(want.map((name) => `${name}.md`));
});

test("takes a space with a backslash before it as part of a name", () => {
  expect(includeTargets("@my\\ notes.md rest")).toEqual(["my notes.md"]);
});

test.for([
  "mail ada@example.md",
  "import @scope/package",
  "@types/node",
  "@param name",
  "@Injectable()",
  "user@host:file.md",
  "a/@b.md",
  "`@code.md`",
  "```\n@fence.md\n```",
  "<!-- @comment.md -->",
])("CC-21 finds no include in %j", (text) => {
  expect(includeTargets(text)).toEqual([]);
});

test.for(["@logo.png", "@a.pdf", "@tool.exe", "@.env", "@.env.local", "@~/.ssh/id_rsa", "@folder/", "@data.bin"])(
  "CC-25 refuses %j, whose ending is not one of a text",
  (text) => expect(includeTargets(text)).toEqual([]),
);

test("CC-25 knows the text files that have no ending", () => {
  expect(includeTargets("@README and @Makefile, @docs/LICENSE")).toEqual(["README", "Makefile", "docs/LICENSE"]);
});
