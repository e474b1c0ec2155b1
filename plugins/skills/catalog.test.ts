import { expect, test } from "vitest";
import { catalogContent, enabledSkills } from "./catalog.js";
import type { Skill } from "./skill.js";

const release: Skill = {
  name: "release",
  description: "Makes a release.",
  file: "/skills/release/SKILL.md",
  folder: "/skills/release",
  scope: "project",
  isAutomatic: true,
};
const bare: Skill = { ...release, name: "bare", description: "" };

test("MG-40 shows only enabled names, and descriptions that are not empty", () => {
  const skills = enabledSkills([release, bare, { ...release, name: "old" }], ["old"]);
  const content = catalogContent(skills, "intro");
  expect(content?.kind === "items" ? content.items.map(({ id, text }) => [id, text]) : []).toEqual([
    ["release", "Makes a release."],
    ["bare", undefined],
  ]);
});

test("gives the layout name, description, path and scope of each", () => {
  expect(catalogContent([release], "intro")).toEqual({
    kind: "items",
    intro: "intro",
    items: [
      {
        id: "release",
        text: "Makes a release.",
        attrs: {
          name: "release",
          description: "Makes a release.",
          path: "/skills/release/SKILL.md",
          scope: "project",
        },
        origin: { kind: "file", file: "/skills/release/SKILL.md" },
      },
    ],
  });
});

test("leaves out what only the user may start, and is nothing when nothing is left", () => {
  expect(catalogContent([{ ...release, isAutomatic: false }], "intro")).toBeNull();
  expect(catalogContent([], "intro")).toBeNull();
});
