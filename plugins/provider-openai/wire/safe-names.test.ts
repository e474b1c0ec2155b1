import { expect, test } from "vitest";
import { safeName, uniqueNames } from "./safe-names.js";

const rule = { forbidden: /[^A-Za-z0-9_-]/g, maxLength: 24 };

test.for([
  { name: "read", want: "read" },
  { name: "mcp.files/read", want: "mcp_files_read" },
  { name: "🙂", want: "__" },
  { name: "", want: "_" },
  { name: "a".repeat(24), want: "a".repeat(24) },
])("keeps what the vendor takes of $name", ({ name, want }) => {
  expect(safeName(name, rule)).toBe(want);
});

test("tells long names apart that begin alike", () => {
  const names = ["x", "y"].map((end) => safeName("a-long-beginning-of-a-name-" + end, rule));
  expect(names[0]).toMatch(/^a-long-beginnin_[0-9a-f]{8}$/);
  expect(names[0]).not.toBe(names[1]);
  expect(names.map((name) => name.length)).toEqual([24, 24]);
});

test("numbers what comes twice, within the length, and the same way each time", () => {
  const names = ["a", "a.", "a_", "a", "a_2", "b".repeat(30), "b".repeat(30)];
  const give = () => {
    const unique = uniqueNames(rule);
    return names.map((name) => unique(name));
  };
  const given = give();
  expect(given.slice(0, 5)).toEqual(["a", "a_", "a__2", "a_2", "a_2_2"]);
  expect(new Set(given).size).toBe(names.length);
  expect(given.every(({ length }) => length <= 24)).toBe(true);
  expect(give()).toEqual(given);
});
