import { expect, test } from "vitest";
import { skillRoots } from "./roots.js";

const place = { home: "/home/ada", quireHome: "/home/ada/.quire", projectRoot: "/repo" };

test("ranks the project's folders above the configured ones, and these above the user's", () => {
  expect(skillRoots(place, ["/shared", "~/more"])).toEqual([
    { folder: "/home/ada/.agents/skills", scope: "user" },
    { folder: "/home/ada/.quire/skills", scope: "user" },
    { folder: "/shared", scope: "user" },
    { folder: "/home/ada/more", scope: "user" },
    { folder: "/repo/.agents/skills", scope: "project" },
    { folder: "/repo/.quire/skills", scope: "project" },
  ]);
});

test("looks at a folder once, with its higher rank, when the home folder is the project", () => {
  expect(skillRoots({ ...place, projectRoot: "/home/ada" }, [])).toEqual([
    { folder: "/home/ada/.agents/skills", scope: "project" },
    { folder: "/home/ada/.quire/skills", scope: "project" },
  ]);
});
