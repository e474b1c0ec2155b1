import { expect, test } from "vitest";
import type { Place } from "@quire/core";
import { parseFrontMatter } from "@quire/loader";
import { findSkill, listSkills, readSkillFile, skillInstructions, skillsOptions } from "./index.js";

const skill = (name: string, description: string, more = "") =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\nDo ${name}.\n`;

function placeWith(files: Readonly<Record<string, string>>): Place {
  return {
    cwd: "/repo",
    projectRoot: "/repo",
    home: "/home/ada",
    quireHome: "/home/ada/.quire",
    trusted: true,
    env: () => undefined,
    childEnv: () => ({}),
    read: (file) => Promise.resolve(files[file] ?? null),
    list(folder) {
      const below = Object.keys(files).filter((file) => file.startsWith(`${folder}/`));
      const names = below.map((file) => file.slice(folder.length + 1).replace(/\/.*/, "/"));
      return Promise.resolve(below.length === 0 ? null : [...new Set(names)].sort());
    },
  };
}

const place = placeWith({
  "/repo/.quire/skills/a/SKILL.md": skill("a", "d".repeat(200)),
  "/repo/.quire/skills/b/SKILL.md": skill("b", "d".repeat(200)),
  "/repo/.quire/skills/c/SKILL.md": skill("c", "x", "disable-model-invocation: true\n"),
  "/repo/.quire/skills/d/SKILL.md": skill("d", "x"),
  "/repo/.quire/skills/e/SKILL.md": "---\nname: [\n---\n",
  "/repo/.quire/skills/a/notes.md": "Notes.",
});
const options = skillsOptions.parse({ skills: { budget: 256, off: ["d"] } }).skills;

test("lists every skill with what becomes of it, and what is wrong with the rest", async () => {
  const { skills, problems } = await listSkills(place, options, parseFrontMatter);
  expect(skills.map(({ name, state }) => [name, state])).toEqual([
    ["a", "listed"],
    ["b", "omitted"],
    ["c", "manual"],
    ["d", "off"],
  ]);
  expect(problems.map(({ code }) => code)).toEqual(["skill-invalid"]);
});

test("lists nothing when skills are off", async () => {
  const none = skillsOptions.parse({ skills: { enabled: false } }).skills;
  expect(await listSkills(place, none, parseFrontMatter)).toEqual({ skills: [], problems: [] });
});

test("shows a listed skill's instructions, and a file beside them", async () => {
  const { skills } = await listSkills(place, options, parseFrontMatter);
  const found = findSkill("a", skills);
  if (found === undefined) throw new Error("a is listed");
  expect(await skillInstructions(place, found, parseFrontMatter)).toMatch(/stand: notes\.md\n\nDo a\.$/);
  expect((await readSkillFile(place, found, "notes.md")).text).toBe("Notes.");
});
