import { expect, test } from "vitest";
import { skillsOptions } from "./options.js";
import { skillRoots } from "./roots.js";

const place = {
  home: "/home/ada",
  quireHome: "/home/ada/.quire",
  projectRoot: "/repo",
  cwd: "/repo/packages/core",
  trusted: true,
  env: (name: string) => (name === "MC_HOME" ? "/mc" : undefined),
};

function foldersOf(skills: object, changed: Partial<typeof place> = {}) {
  const roots = skillRoots({ ...place, ...changed }, skillsOptions.parse({ skills }).skills);
  return roots.map(({ folder, scope }) => [folder, scope]);
}

test("ranks the project's folders above the configured ones, and these above the user's", () => {
  expect(foldersOf({ paths: ["/shared", "~/more"] })).toEqual([
    ["/home/ada/.agents/skills", "user"],
    ["/home/ada/.quire/skills", "user"],
    ["/shared", "user"],
    ["/home/ada/more", "user"],
    ["/repo/.agents/skills", "project"],
    ["/repo/.quire/skills", "project"],
  ]);
});

test("looks at a folder once, as the project's, when the home folder is the project", () => {
  expect(foldersOf({}, { projectRoot: "/home/ada", cwd: "/home/ada" })).toEqual([
    ["/home/ada/.agents/skills", "project"],
    ["/home/ada/.quire/skills", "project"],
  ]);
});

test("MG-43 home skills, then the configured paths in order, then the repository's", () => {
  const roots = [{ folder: ["$MC_HOME/skills", "~/.magi-code/skills"] }, ".agents/skills"];
  expect(foldersOf({ roots, paths: ["/b", "/a"] })).toEqual([
    ["/mc/skills", "user"],
    ["/b", "user"],
    ["/a", "user"],
    ["/repo/.agents/skills", "project"],
  ]);
  expect(foldersOf({ roots }, { env: () => undefined })[0]).toEqual(["/home/ada/.magi-code/skills", "user"]);
});

test("IO-46 keeps the order of the options, with paths behind the last of the user's roots", () => {
  const roots = [".agents/skills", "~/.iota/skills", "~/.agents/skills"];
  expect(foldersOf({ roots, paths: ["/more"] }).map(([folder]) => folder)).toEqual([
    "/repo/.agents/skills",
    "/home/ada/.iota/skills",
    "/home/ada/.agents/skills",
    "/more",
  ]);
});

test.for([
  { under: "project", want: ["/repo/s"] },
  { under: "cwd", want: ["/repo/packages/core/s"] },
  { under: "ancestors", want: ["/repo/s", "/repo/packages/s", "/repo/packages/core/s"] },
])("starts a relative folder under $under", ({ under, want }) => {
  const roots = [{ folder: "s", under, scope: "local" }];
  expect(foldersOf({ roots })).toEqual(want.map((folder) => [folder, "local"]));
});

test("marks a root that wants trust in a project without it", () => {
  const options = skillsOptions.parse({ skills: { roots: [{ folder: ".pi/skills", trusted: true }] } }).skills;
  expect(skillRoots(place, options)[0]).not.toHaveProperty("isUntrusted");
  expect(skillRoots({ ...place, trusted: false }, options)).toMatchObject([{ isUntrusted: true }]);
});

test("refuses a configured path that is neither absolute nor in the home folder", () => {
  expect(skillsOptions.safeParse({ skills: { paths: ["more"] } }).error?.issues[0]?.message).toContain("absolute");
});
