import { expect, test } from "vitest";
import { conditionalLines } from "./conditional-lines.js";

const text = "- always\n[read] - with read\n  and its second line\n[bash] - with bash\n- at the end [read] stays\n";

test("keeps lines without a mark, and of the marked ones those whose name is there", () => {
  expect(conditionalLines(text, new Set(["read"]))).toBe(
    "- always\n- with read\n  and its second line\n- at the end [read] stays",
  );
  expect(conditionalLines(text, new Set())).toBe("- always\n- at the end [read] stays");
});
