import type { SectionContent } from "@quire/core";
import { expect, test } from "vitest";
import { frameAround, plainText, sectionText } from "./section-text.js";

const items: SectionContent = {
  kind: "items",
  intro: "Tools:",
  items: [{ id: "read", text: "reads a file" }, { id: "bash" }],
};

test("plain text is the content without any layout", () => {
  expect(plainText({ kind: "text", text: "As it is.\n" })).toBe("As it is.\n");
  expect(
    plainText({
      kind: "facts",
      facts: [
        ["cwd", "/a"],
        ["shell", "bash"],
      ],
    }),
  ).toBe("cwd: /a\nshell: bash");
  expect(plainText(items)).toBe("Tools:\n\nreads a file\n\nbash");
  expect(plainText({ kind: "items", items: [], empty: "None." })).toBe("None.");
});

test("a frame is what stands around a text", () => {
  expect(frameAround("<tools>\nprobe\n</tools>", "probe")).toEqual({ before: "<tools>\n", after: "\n</tools>" });
  expect(frameAround("something else", "probe")).toBeUndefined();
  expect(frameAround("", "")).toBeUndefined();
});

test("entries keep the signs of the layout, and what encloses them is taken away", () => {
  const frame = { before: "<tools>\n", after: "\n</tools>" };
  const rendered = "<tools>\nTools:\n\n- read: reads a file\n- bash\n</tools>";
  const want = { text: "Tools:\n\n- read: reads a file\n- bash", isExact: true };
  expect(sectionText(items, rendered, frame, "fence")).toEqual(want);
  expect(sectionText(items, rendered, frame, "entities")).toEqual(want);
});

test("a text is taken raw, whatever the layout makes of it", () => {
  const content = { kind: "text", text: "1 < 2" } as const;
  expect(sectionText(content, "<x>\n1 &lt; 2\n</x>", undefined, "entities")).toEqual({ text: "1 < 2", isExact: true });
});

test.for([
  { name: "another frame", frame: { before: "<other>\n", after: "\n</other>" }, escape: "fence" },
  { name: "no frame", frame: undefined, escape: "raw" },
  { name: "signs that would be escaped", frame: { before: "", after: "" }, escape: "entities" },
] as const)("says so when the layout would write the text in another way: $name", ({ frame, escape }) => {
  const rendered = "<tool name='read'>reads a file</tool>";
  expect(sectionText(items, rendered, frame, escape)).toEqual({
    text: "Tools:\nread: reads a file\nbash",
    isExact: false,
  });
});
