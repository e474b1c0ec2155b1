import { expect, test } from "vitest";
import { environmentContent, environmentKey, type EnvironmentFacts } from "./facts.js";

const place: EnvironmentFacts = {
  cwd: "/repo/src",
  projectRoot: "/repo",
  platform: "linux (x64)",
  shell: "bash",
  today: "2026-03-04",
};

test("gives one line for each fact of the place", () => {
  expect(environmentContent(place)).toEqual({
    kind: "facts",
    facts: [
      ["working directory", "/repo/src"],
      ["project root", "/repo"],
      ["platform", "linux (x64)"],
      ["shell", "bash"],
      ["date", "2026-03-04"],
    ],
  });
});

test("shows only the facts that are chosen, under the labels given", () => {
  expect(environmentContent(place, [["today", "Today"]])).toEqual({
    kind: "facts",
    facts: [["Today", "2026-03-04"]],
  });
});

test("keeps a folder's name with a line break on one line", () => {
  expect(environmentContent({ ...place, cwd: "/a\nshell: zsh" }, [["cwd", "folder"]])).toEqual({
    kind: "facts",
    facts: [["folder", "/a\\nshell: zsh"]],
  });
});

test("has another key on another day and in another place, and the same key otherwise", () => {
  expect(environmentKey({ ...place })).toBe(environmentKey(place));
  expect(environmentKey({ ...place, today: "2026-03-05" })).not.toBe(environmentKey(place));
  expect(environmentKey({ ...place, cwd: "/repo" })).not.toBe(environmentKey(place));
});
