import { expect, test } from "vitest";
import { bySimilarity } from "./similar-names.js";

test("puts the most similar names first and keeps the order of the rest", () => {
  expect(bySimilarity("relase", ["zoom", "bugs", "release"])).toEqual(["release", "zoom", "bugs"]);
  expect(bySimilarity("PDF", ["xlsx", "pdf-forms", "pdf"])).toEqual(["pdf", "pdf-forms", "xlsx"]);
});
