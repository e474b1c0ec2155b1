import { expect, test } from "vitest";
import { lineDiff } from "./line-diff.js";

const lines = (...all: readonly string[]) => all.join("\n");

test("shows changed lines with their neighbours, and nothing for equal texts", () => {
  const before = lines("one", "two", "three", "four", "five", "six", "seven");
  const after = lines("one", "two", "three", "vier", "five", "six", "seven");
  expect(lineDiff(before, after, 1)).toBe(`${lines("  three", "- four", "+ vier", "  five", "…")}\n`);
  expect(lineDiff(before, before)).toBe("");
  expect(lineDiff("", "")).toBe("");
});

test("marks what stands between two changes as left out", () => {
  const before = lines("a", "b", "c", "d", "e", "f", "g");
  const after = lines("A", "b", "c", "d", "e", "f", "G");
  expect(lineDiff(before, after, 1)).toBe(`${lines("- a", "+ A", "  b", "…", "  f", "- g", "+ G")}\n`);
});

test.for([
  { name: "added at the start", before: "a\nb", after: "x\na\nb", want: "+ x\n  a\n  b\n" },
  { name: "removed at the end", before: "a\nb\nc", after: "a\nb", want: "  a\n  b\n- c\n" },
  { name: "all of it", before: "", after: "a\nb", want: "+ a\n+ b\n" },
  { name: "none of it left", before: "a", after: "", want: "- a\n" },
  { name: "a line moved", before: "a\nb\nc", after: "b\nc\na", want: "- a\n  b\n  c\n+ a\n" },
])("shows lines $name", ({ before, after, want }) => {
  expect(lineDiff(before, after)).toBe(want);
});

test("what is gone and what has come rebuild both texts, however they differ", () => {
  const words = ["a", "b", "c"];
  const text = (seed: number) =>
    Array.from({ length: 9 }, (_, at) => words[(seed * (at + 3) + at) % 3] ?? "").join("\n");
  for (let one = 0; one < 12; one++) {
    for (let other = 0; other < 12; other++) {
      const rows = lineDiff(text(one), text(other), 20).split("\n").slice(0, -1);
      const side = (sign: string) =>
        rows
          .filter((row) => row.startsWith(sign) || row.startsWith(" "))
          .map((row) => row.slice(2))
          .join("\n");
      if (text(one) === text(other)) expect(rows).toEqual([]);
      else expect([side("-"), side("+")]).toEqual([text(one), text(other)]);
    }
  }
});

test("very large texts are shown one after the other", () => {
  const many = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word}${at}`).join("\n");
  const rows = lineDiff(many("a"), many("b")).split("\n");
  expect(rows.slice(0, 3000).every((row) => row.startsWith("- "))).toBe(true);
});
