import { expect, test } from "vitest";
import { toolsContent, toolsKey, type PromptTool } from "./tools-content.js";

const read: PromptTool = {
  name: "read",
  effect: "read",
  snippet: "read a file",
  guidelines: ["Read before you edit.", "Give absolute paths."],
};
const edit: PromptTool = {
  name: "edit",
  effect: "write",
  snippet: "change a file",
  guidelines: ["Read before you edit."],
};
const silent: PromptTool = { name: "silent", effect: "read", guidelines: ["Call silent sparingly."] };

function names(tools: readonly PromptTool[], group: string): readonly string[] {
  const content = toolsContent(tools);
  const items = content?.kind === "items" ? content.items : [];
  return items.filter(({ attrs }) => attrs?.["group"] === group).map(({ text = "" }) => text);
}

test("PI-11 lists a tool only if it has a one-line snippet", () => {
  const blank = { ...read, name: "blank", snippet: "  " };
  const long = { ...read, name: "long", snippet: "two\nlines" };
  expect(toolsContent([blank, edit, long, silent])).toEqual({
    kind: "items",
    items: [
      { id: "edit", text: "change a file", attrs: { group: "tool", name: "edit" } },
      expect.objectContaining({ attrs: { group: "guideline" } }),
      expect.objectContaining({ attrs: { group: "guideline" } }),
      expect.objectContaining({ attrs: { group: "guideline" } }),
    ],
  });
});

test("PI-12 includes the guidelines of an active tool whether it is listed or not", () => {
  expect(names([silent], "tool")).toEqual([]);
  expect(names([silent], "guideline")).toEqual(["Call silent sparingly."]);
});

test("gives each guideline once, by its exact text, in the order of the tools", () => {
  const shouting = { ...silent, guidelines: ["READ BEFORE YOU EDIT."] };
  expect(names([read, edit, shouting], "guideline")).toEqual([
    "Read before you edit.",
    "Give absolute paths.",
    "READ BEFORE YOU EDIT.",
  ]);
});

test("has no section without snippets and guidelines", () => {
  expect(toolsContent([])).toBeNull();
  expect(toolsContent([{ name: "quiet", effect: "run" }])).toBeNull();
});

test("changes its key with every name, snippet and guideline, and with nothing else", () => {
  const keys = [
    toolsKey([read]),
    toolsKey([read, edit]),
    toolsKey([{ ...read, name: "look" }]),
    toolsKey([{ ...read, snippet: "look at a file" }]),
    toolsKey([{ ...read, guidelines: [] }]),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(toolsKey([{ ...read, effect: "run" }])).toBe(toolsKey([read]));
});
