import type { Piece } from "@quire/core";
import { expect, test } from "vitest";
import { characterAt, explainStretch, findText } from "./explain.js";

const pieces: readonly Piece[] = [
  { text: "Wer fragt? Ä", from: { kind: "plugin", plugin: "base" }, section: "base/identity" },
  { text: "\n\n", from: { kind: "layout", plugin: "base" } },
  { text: "Be kind.\nBe brief.", from: { kind: "file", file: "/a.md", line: 3 }, section: "agents-md/files" },
];
const text = pieces.map((piece) => piece.text).join("");
const total = Buffer.byteLength(text);

test("every byte has exactly one author, and the parts add up", () => {
  for (let at = 0; at < total; at++) {
    const found = explainStretch(pieces, { start: at, end: at + 1 });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ start: at, end: at + 1 });
  }
  const whole = explainStretch(pieces, { start: 0, end: total });
  expect(whole.map((part) => part.text).join("")).toBe(text);
  expect(whole.map(({ section }) => section)).toEqual(["base/identity", null, "agents-md/files"]);
});

test("a stretch over several authors is cut where they meet", () => {
  const [stretch] = findText(text, "Ä\n\nBe kind");
  expect(stretch).toEqual({ start: 11, end: 22 });
  const found = explainStretch(pieces, stretch ?? { start: 0, end: 0 });
  expect(found.map((part) => [part.text, part.index])).toEqual([
    ["Ä", 11],
    ["\n\n", 0],
    ["Be kind", 0],
  ]);
});

test("finds every place of a text, signs of patterns taken as they are", () => {
  expect(findText("a.b a+b a.b", "a.b")).toEqual([
    { start: 0, end: 3 },
    { start: 8, end: 11 },
  ]);
  expect(findText("no (such) {thing} here/there", "(such) {thing} here/there")).toHaveLength(1);
  expect(findText("anything", "")).toEqual([]);
});

test("a text that a terminal has wrapped is found by its words", () => {
  expect(findText("Be\n  kind.\nBe brief.", "Be kind.")).toEqual([{ start: 0, end: 10 }]);
  expect(findText("Be kind. Be\nkind.", "Be kind.")).toEqual([{ start: 0, end: 8 }]);
});

test("an offset inside a character means the whole of it", () => {
  expect(characterAt("aÄ€😀", 0)).toEqual({ start: 0, end: 1 });
  expect(characterAt("aÄ€😀", 2)).toEqual({ start: 1, end: 3 });
  for (const at of [6, 7, 8, 9]) expect(characterAt("aÄ€😀", at)).toEqual({ start: 6, end: 10 });
  expect(characterAt("aÄ€😀", 10)).toBeNull();
});
