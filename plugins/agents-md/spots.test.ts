import { expect, test } from "vitest";
import { agentsMdOptions } from "./options.js";
import { foldersBetween, spotsOf, type SpotPlace } from "./spots.js";

const place: SpotPlace = {
  cwd: "/repo/packages/core",
  projectRoot: "/repo",
  home: "/home/ada",
  quireHome: "/home/ada/.quire",
  env: () => undefined,
};

/** Where a rule set looks, in order: folder and names. */
function spots(options: object, at: Partial<SpotPlace> = {}): readonly string[] {
  const rules = agentsMdOptions.parse({ instruction_files: options }).instruction_files;
  return spotsOf({ ...place, ...at }, rules).map(({ folder, names }) => `${folder}: ${names.join(" ")}`);
}

test("looks at the user's file, the extra ones, then at every folder from the project root down", () => {
  const names = "AGENTS.override.md AGENTS.md CLAUDE.md";
  expect(spots({ extra: ["/notes/b.md", "/notes/a.md"] })).toEqual([
    "/home/ada/.quire: AGENTS.md",
    "/notes: b.md",
    "/notes: a.md",
    `/repo: ${names}`,
    `/repo/packages: ${names}`,
    `/repo/packages/core: ${names}`,
  ]);
});

test.for([
  { walk: "cwd", want: ["/repo/packages/core: A.md"] },
  { walk: "project-root", want: ["/repo: A.md", "/repo/packages: A.md", "/repo/packages/core: A.md"] },
  { walk: "filesystem-root", want: ["/: A.md", "/repo: A.md", "/repo/packages: A.md", "/repo/packages/core: A.md"] },
])("walks from $walk to the working directory", ({ walk, want }) => {
  expect(spots({ places: [{ walk, names: ["A.md"] }] })).toEqual(want);
});

test.for([
  { name: "home", folder: "~/.pi/agent", want: ["/home/ada/.pi/agent: A.md"] },
  { name: "a variable that is set", folder: "$MC_HOME/prompts", want: ["/mc/prompts: A.md"] },
  { name: "a variable that begins with ~", folder: "$TILDE", want: ["/home/ada/own: A.md"] },
  { name: "a variable that is not set: nowhere", folder: "$OTHER/x", want: [] },
  { name: "the first of a list that is set", folder: ["$OTHER", "$MC_HOME", "~/.magi"], want: ["/mc: A.md"] },
  { name: "the last of a list when none is set", folder: ["$OTHER", "~/.magi"], want: ["/home/ada/.magi: A.md"] },
])("finds the folder by $name", ({ folder, want }) => {
  const values: Readonly<Record<string, string>> = { MC_HOME: "/mc", TILDE: "~/own" };
  expect(spots({ places: [{ folder, names: ["A.md"] }] }, { env: (name) => values[name] })).toEqual(want);
});

test("CC-18 puts the managed files below a root that can be set, and only them", () => {
  const places = [
    { folder: "/etc/claude-code", names: ["CLAUDE.md"] },
    { folder: "~/.claude", names: ["CLAUDE.md"] },
  ];
  expect(spots({ places, system_root: "/mnt/image" })).toEqual([
    "/mnt/image/etc/claude-code: CLAUDE.md",
    "/home/ada/.claude: CLAUDE.md",
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
