import { expect, test } from "vitest";
import { parseFrontMatter } from "@quire/loader";
import { maxFrontMatterBytes, parseSkill } from "./skill.js";

const file = "/skills/release/SKILL.md";
const parse = (head: string) => parseSkill(head, file, "user", parseFrontMatter);
const codes = (head: string) => parse(head).problems.map(({ code }) => code);

test("reads name and description from the front matter", () => {
  expect(parse("---\nname: release\ndescription: Makes a release.\nlicense: MIT\n---\nBody")).toEqual({
    skill: {
      name: "release",
      description: "Makes a release.",
      file,
      folder: "/skills/release",
      scope: "user",
      isAutomatic: true,
    },
    problems: [],
  });
});

test.for([
  { name: "a byte order mark", head: "\uFEFF---\nname: x\ndescription: y\n---\nBody" },
  { name: "CRLF line ends", head: "---\r\nname: x\r\ndescription: y\r\n---\r\nBody" },
  { name: "a description over several lines", head: "---\nname: x\ndescription: |\n  y\n---\n" },
])("understands $name", ({ head }) => {
  expect(parse(head)).toMatchObject({ skill: { name: "x", description: "y" }, problems: [] });
});

test.for([
  { name: "is missing", yaml: "description: y" },
  { name: "is a number", yaml: "name: 12\ndescription: y" },
  { name: "has two lines", yaml: 'name: "a\\nb"\ndescription: y' },
  { name: "has more than 64 characters", yaml: `name: ${"n".repeat(65)}\ndescription: y` },
])("lets the folder's name stand in when the name $name, with a warning", ({ yaml }) => {
  const head = `---\n${yaml}\n---\n`;
  expect(parse(head).skill?.name).toBe("release");
  expect(codes(head)).toEqual(["skill-name-missing"]);
});

test("warns of a skill without front matter, and loads it", () => {
  expect(parse("Just do it.").skill).toMatchObject({ name: "release", description: "" });
  expect(codes("Just do it.")).toEqual(["skill-name-missing", "skill-description-missing"]);
});

test.for([
  { name: "true", value: "true", isAutomatic: false },
  { name: "the text true", value: '"true"', isAutomatic: false },
  { name: "false", value: "false", isAutomatic: true },
])("takes disable-model-invocation $name at its word", ({ value, isAutomatic }) => {
  const head = `---\nname: x\ndescription: y\ndisable-model-invocation: ${value}\n---\n`;
  expect(parse(head).skill?.isAutomatic).toBe(isAutomatic);
});

test("skips a skill whose YAML is broken, and names file and line", () => {
  const { skill, problems } = parse("---\nname: x\ndescription: [open\n---\nBody");
  expect(skill).toBeUndefined();
  expect(problems).toMatchObject([{ code: "skill-invalid", at: { file, line: 3 } }]);
});

test("skips a skill whose front matter is never closed", () => {
  expect(parse("---\nname: x\n").skill).toBeUndefined();
  expect(codes("---\nname: x\n")).toEqual(["skill-invalid"]);
});

test("skips a skill whose front matter is longer than its limit, closed or not", () => {
  const long = `---\nname: x\ndescription: ${"y".repeat(maxFrontMatterBytes)}`;
  expect(codes(long)).toEqual(["skill-invalid"]);
  expect(codes(`${long}\n---\nBody`)).toEqual(["skill-invalid"]);
  expect(parse(`${long}\n---\nBody`).problems[0]?.message).toContain(`${maxFrontMatterBytes} bytes`);
});
