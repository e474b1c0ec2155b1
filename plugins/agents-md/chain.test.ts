import { expect, test } from "vitest";
import { chainOf, defaultRules, foldersBetween } from "./chain.js";

const place = { cwd: "/repo/packages/core", projectRoot: "/repo", quireHome: "/home/ada/.quire" };

test("IO-34 looks at every folder from the project root to the working directory, the root first", () => {
  expect(chainOf(place, []).slice(1)).toEqual([
    ["/repo/AGENTS.override.md", "/repo/AGENTS.md", "/repo/CLAUDE.md"],
    ["/repo/packages/AGENTS.override.md", "/repo/packages/AGENTS.md", "/repo/packages/CLAUDE.md"],
    ["/repo/packages/core/AGENTS.override.md", "/repo/packages/core/AGENTS.md", "/repo/packages/core/CLAUDE.md"],
  ]);
});

test.for([
  { name: "equal to the root", cwd: "/repo" },
  { name: "outside the root", cwd: "/elsewhere/deep" },
  { name: "beside the root, with a name that begins like it", cwd: "/repository" },
])("IO-36 looks at the root alone when the working directory is $name", ({ cwd }) => {
  expect(foldersBetween("/repo", cwd)).toEqual(["/repo"]);
});

test("goes down into a folder whose name begins with two dots", () => {
  expect(foldersBetween("/repo", "/repo/..cache")).toEqual(["/repo", "/repo/..cache"]);
});

test("puts the user's own file first, then the extra ones, then the project's", () => {
  const chain = chainOf({ ...place, cwd: "/repo" }, ["/notes/a.md", "/notes/b.md"]);
  expect(chain.slice(0, 3)).toEqual([["/home/ada/.quire/AGENTS.md"], ["/notes/a.md"], ["/notes/b.md"]]);
});

test.for([
  { from: "working-directory" as const, folders: ["/repo/packages/core"] },
  { from: "filesystem-root" as const, folders: ["/", "/repo", "/repo/packages", "/repo/packages/core"] },
])("follows other rules given as data: from the $from", ({ from, folders }) => {
  const chain = chainOf(place, [], { names: ["X.md"], from });
  expect(chain).toEqual(folders.map((folder) => [`${folder === "/" ? "" : folder}/X.md`]));
  expect(defaultRules.from).toBe("project-root");
});
