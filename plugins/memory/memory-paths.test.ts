import { expect, test } from "vitest";
import { memoryPaths } from "./memory-paths.js";

const place = {
  home: "/home/ada",
  quireHome: "/home/ada/.quire",
  projectRoot: "/work/my repo.git",
  env: (name: string) => ({ NOTES: "/notes", EMPTY: "" })[name],
};

test.for([
  {
    name: "a relative path from the project root",
    pattern: ".quire/MEMORY.md",
    want: ["/work/my repo.git/.quire/MEMORY.md"],
  },
  { name: "an absolute path as it is", pattern: "/etc/MEMORY.md", want: ["/etc/MEMORY.md"] },
  { name: "the user's home", pattern: "~/MEMORY.md", want: ["/home/ada/MEMORY.md"] },
  { name: "the host's own folder", pattern: "$QUIRE_HOME/MEMORY.md", want: ["/home/ada/.quire/MEMORY.md"] },
  { name: "a variable", pattern: "$NOTES/a.md", want: ["/notes/a.md"] },
  { name: "nothing by a variable that is not set", pattern: "$NOWHERE/a.md", want: [] },
  { name: "nothing by a variable that is empty", pattern: "$EMPTY/a.md", want: [] },
  {
    name: "a folder per project",
    pattern: "~/p/{project}/MEMORY.md",
    want: ["/home/ada/p/-work-my-repo-git/MEMORY.md"],
  },
])("finds $name", ({ pattern, want }) => expect(memoryPaths([pattern], place)).toEqual(want));

test("names a file once that two patterns name", () => {
  expect(memoryPaths(["/a/b.md", "/a/../a/b.md"], place)).toEqual(["/a/b.md"]);
});

test.for([
  {
    name: "the first alternative whose variable is set",
    patterns: [["$NOWHERE/a.md", "$NOTES/a.md", "~/a.md"]],
    want: ["/notes/a.md"],
  },
  { name: "the last one when no variable is", patterns: [["$NOWHERE/a.md", "~/a.md"]], want: ["/home/ada/a.md"] },
  { name: "none when no alternative names a file", patterns: [["$NOWHERE/a.md", "$EMPTY/a.md"]], want: [] },
])("takes $name", ({ patterns, want }) => expect(memoryPaths(patterns, place)).toEqual(want));
