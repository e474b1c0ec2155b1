import { expect, test } from "vitest";
import { parseFrontMatter } from "@quire/loader";
import { loadOutputStyle } from "./output-style.js";

const user = "/home/ada/.claude/output-styles/teacher.md";

function load(files: Readonly<Record<string, string>>, read?: () => Promise<string | null>) {
  const place = {
    home: "/home/ada",
    projectRoot: "/repo",
    trusted: true,
    read: read ?? ((file: string) => Promise.resolve(files[file] ?? null)),
  };
  return loadOutputStyle("teacher", place, parseFrontMatter);
}

test("takes name and text from the file, and drops the rules for coding unless it keeps them", async () => {
  const { style } = await load({ [user]: "---\nname: The Teacher\n---\nExplain.\n" });
  expect(style).toEqual({ name: "The Teacher", file: user, text: "Explain.", line: 4, keepsCodingRules: false });
  const kept = await load({ [user]: "---\nkeep-coding-instructions: true\n---\nExplain.\n" });
  expect(kept.style).toMatchObject({ name: "teacher", keepsCodingRules: true });
});

test.for([
  { name: "a missing file", files: {}, why: /there is no \/repo\/.*teacher\.md and no \/home/ },
  { name: "a file without text", files: { [user]: "---\nname: x\n---\n \n" }, why: /it has no text/ },
  {
    name: "broken front matter",
    files: { [user]: "---\nname: [x\n---\nText.\n" },
    why: /front matter|flow|bracket|\]/i,
  },
])("names $name", async ({ files, why }) => {
  const { style, problem } = await load(files);
  expect(style).toBeUndefined();
  expect(problem).toMatchObject({ code: "output-style-missing", level: "warn" });
  expect(problem?.message).toMatch(why);
});

test("names a file that cannot be read", async () => {
  const { problem } = await load({}, () => Promise.reject(new Error("EACCES: permission denied")));
  expect(problem?.message).toContain("permission denied");
});
