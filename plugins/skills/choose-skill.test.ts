import { expect, test } from "vitest";
import { findSkill, nearestNames } from "./choose-skill.js";
import type { Skill } from "./skill.js";

function skills(...names: readonly string[]): readonly Skill[] {
  return names.map((name) => ({
    name,
    handle: name.toLowerCase().replaceAll(" ", "-"),
    description: "",
    file: `/skills/${name}/SKILL.md`,
    folder: `/skills/${name}`,
    scope: "user",
    owner: "user",
    isAutomatic: true,
  }));
}

test("puts the most similar names first and keeps the order of the rest", () => {
  expect(nearestNames("relase", skills("zoom", "bugs", "release"))).toBe("release, zoom, bugs");
  expect(nearestNames("PDF", skills("xlsx", "pdf-forms", "pdf"))).toBe("pdf, pdf-forms, xlsx");
});

test("finds a skill by its name first, then by its handle", () => {
  expect(findSkill("make-release", skills("Make Release"))?.name).toBe("Make Release");
  expect(findSkill(" Make Release ", skills("Make Release"))?.name).toBe("Make Release");
  expect(findSkill("make-release", skills("Make Release", "make-release"))?.name).toBe("make-release");
  expect(findSkill("make", skills("make-release"))).toBeUndefined();
});
