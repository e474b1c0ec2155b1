import { expect, test } from "vitest";
import { enabledSkills, skillCatalog } from "./catalog.js";
import type { Skill } from "./skill.js";

const release: Skill = {
  name: "release",
  handle: "release",
  description: "Makes a release.",
  file: "/skills/release/SKILL.md",
  folder: "/skills/release",
  scope: "project",
  owner: "project",
  isAutomatic: true,
};
const bare: Skill = { ...release, name: "bare", description: "" };
const options = { budget: 32_768, entry_bytes: 0, load: "tool", show_empty: false } as const;
const texts = { intro: "intro", empty: "none" };

function named(skills: readonly Skill[], changed: Partial<Parameters<typeof skillCatalog>[1]> = {}) {
  const { content, omitted } = skillCatalog(skills, { ...options, ...changed }, texts);
  const items = content?.kind === "items" ? content.items : [];
  return { listed: items.map(({ id }) => id), omitted: omitted.map(({ name }) => name), content };
}

test("MG-40 shows only enabled names, and descriptions that are not empty", () => {
  const skills = enabledSkills([release, bare, { ...release, name: "old" }], ["old"]);
  const { content } = skillCatalog(skills, options, texts);
  expect(content?.kind === "items" ? content.items.map(({ id, text }) => [id, text]) : []).toEqual([
    ["release", "Makes a release."],
    ["bare", undefined],
  ]);
});

test("gives the layout all that an entry may show", () => {
  expect(skillCatalog([release], options, texts).content).toEqual({
    kind: "items",
    intro: "intro",
    items: [
      {
        id: "release",
        text: "Makes a release.",
        attrs: {
          name: "release",
          handle: "release",
          description: "Makes a release.",
          path: "/skills/release/SKILL.md",
          location: "/skills/release/SKILL.md",
          scope: "project",
        },
        origin: { kind: "file", file: "/skills/release/SKILL.md" },
      },
    ],
  });
});

test("MG-42 names an address instead of the file where skills are read by address", () => {
  const { content } = skillCatalog([release], { ...options, load: "url" }, texts);
  expect(content).toMatchObject({ items: [{ attrs: { location: "skill://release", path: release.file } }] });
});

test("PI-21 leaves out what only the user may start, and is nothing when nothing is left", () => {
  expect(named([{ ...release, isAutomatic: false }]).content).toBeNull();
  expect(named([]).content).toBeNull();
});

test("CA-37 says that there are no skills where the options ask for it", () => {
  expect(named([], { show_empty: true }).content).toEqual({ kind: "items", items: [], empty: "none" });
});

test("IO-47 passes over an entry larger than what is left, still tries smaller ones, and counts", () => {
  const sized = (name: string, bytes: number): Skill => ({ ...release, name, description: "d".repeat(bytes - 1) });
  const { listed, omitted, content } = named([sized("a", 150), sized("b", 200), sized("c", 100), sized("d", 7)], {
    budget: 256,
  });
  expect(listed).toEqual(["a", "c"]);
  expect(omitted).toEqual(["b", "d"]);
  expect(content).toMatchObject({ omitted: 2 });
});

test.for([
  { name: "fits exactly", description: "d".repeat(155), entry_bytes: 0, listed: ["a", "b"] },
  { name: "is one byte too large", description: "d".repeat(156), entry_bytes: 0, listed: ["a"] },
  { name: "is too large with its markup", description: "d".repeat(146), entry_bytes: 5, listed: ["a"] },
  { name: "is too large once its signs are escaped", description: "<".repeat(39), entry_bytes: 0, listed: ["a"] },
  { name: "is too large in bytes, not in characters", description: "é".repeat(78), entry_bytes: 0, listed: ["a"] },
])("IO-47 counts the bytes an entry takes: one that $name", ({ description, entry_bytes, listed }) => {
  const skills = ["d".repeat(99), description].map((text, index) => ({
    ...release,
    name: ["a", "b"][index] ?? "",
    description: text,
  }));
  expect(named(skills, { budget: 256, entry_bytes }).listed).toEqual(listed);
});
