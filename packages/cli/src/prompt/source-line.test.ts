import { expect, test } from "vitest";
import { sourceLine } from "./source-line.js";

const file = "---\nname: x\n---\nBe kind.\nBe <brief>.\nBe true.\n";
const body = "Be kind.\nBe <brief>.\nBe true.\n";

test.for([
  { name: "the line the piece starts at", from: 4, source: body, place: "Be true", want: 6 },
  { name: "the line of an escaped text", from: 4, source: "Be kind.\nBe &lt;brief&gt;.", place: "&lt;", want: 5 },
  {
    name: "the whole piece when its beginning was cut",
    from: 1,
    source: "Be <brief>.\nBe true.\n",
    place: "true",
    want: 6,
  },
  { name: "the file when no line is known", from: undefined, source: "Be true.", place: "true", want: 6 },
  { name: "the line alone when nothing else fits", from: 1, source: "…\nBe true. And more.", place: "…", want: 1 },
])("counts from $name", ({ from, source, place, want }) => {
  const origin = { kind: "file", file: "/x.md", ...(from === undefined ? {} : { line: from }) } as const;
  expect(sourceLine(origin, source, source.indexOf(place), file)).toBe(want);
});

test("keeps the counted line when the file is gone or says something else", () => {
  const origin = { kind: "file", file: "/x.md", line: 4 } as const;
  expect(sourceLine(origin, body, body.indexOf("Be true"), null)).toBe(6);
  expect(sourceLine(origin, body, body.indexOf("Be true"), "all new\n")).toBe(6);
  expect(sourceLine({ kind: "plugin", plugin: "base" }, "Text.", 0, null)).toBeUndefined();
});
