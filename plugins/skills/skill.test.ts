import { expect, test } from "vitest";
import { parseFrontMatter } from "@quire/loader";
import { maxFrontMatterBytes, parseSkill } from "./skill.js";

const file = "/skills/release/SKILL.md";
const parse = (head: string) => parseSkill(head, file, { owner: "user", scope: "user" }, parseFrontMatter);
const codes = (head: string) => parse(head).problems.map(({ code }) => code);

test("reads name and description from the front matter", () => {
  expect(parse("---\nname: release\ndescription: Makes a release.\nlicense: MIT\n---\nBody")).toEqual({
    skill: {
      name: "release",
      handle: "release",
      description: "Makes a release.",
      file,
      folder: "/skills/release",
      scope: "user",
      owner: "user",
      isAutomatic: true,
    },
    problems: [],
  });
});

test.for([
  { name: "a byte order mark", head: "\uFEFF---\nname: release\ndescription: y\n---\nBody" },
  { name: "CRLF line ends", head: "---\r\nname: release\r\ndescription: y\r\n---\r\nBody" },
  { name: "a description over several lines", head: "---\nname: release\ndescription: |\n  y\n---\n" },
])("understands $name", ({ head }) => {
  expect(parse(head)).toMatchObject({ skill: { name: "release", description: "y" }, problems: [] });
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

test.for([
  {
    name: "a colon in a value",
    yaml: "name: release\ndescription: Use when: a tag is wanted",
    want: "Use when: a tag is wanted",
  },
  {
    name: "a value that begins with a bracket",
    yaml: "name: release\ndescription: [draft] tags",
    want: "[draft] tags",
  },
  { name: "a value that begins with a percent sign", yaml: 'name: "release"\ndescription: %tags', want: "%tags" },
])("reads front matter line by line for $name, and warns with file and line", ({ yaml, want }) => {
  const head = `---\n${yaml}\n---\nBody`;
  expect(parse(head).skill).toMatchObject({ name: "release", description: want });
  expect(parse(head).problems).toMatchObject([{ code: "skill-front-matter", at: { file, line: expect.any(Number) } }]);
});

test("keeps a skill with broken front matter out of the model's reach when its author said so", () => {
  const head = "---\nname: release\ndescription: a: b\ndisable-model-invocation: true\n---\n";
  expect(parse(head).skill?.isAutomatic).toBe(false);
});

test.for([
  { name: "no description", yaml: "name: release\nmetadata: [open" },
  { name: "a description without a word", yaml: "name: [release\ndescription: {" },
])("skips a skill whose YAML is broken and holds $name, and names file and line", ({ yaml }) => {
  const { skill, problems } = parse(`---\n${yaml}\n---\nBody`);
  expect(skill).toBeUndefined();
  expect(problems).toMatchObject([{ code: "skill-invalid", at: { file, line: expect.any(Number) } }]);
});

test.for([
  { name: "capitals and spaces", given: "Make Release", handle: "make-release" },
  { name: "a hyphen at the end", given: "release-", handle: "release" },
  { name: "another name than its folder", given: "tagging", handle: "tagging" },
])("loads a skill with $name in its name, with a warning", ({ given, handle }) => {
  const head = `---\nname: ${given}\ndescription: y\n---\n`;
  expect(parse(head).skill).toMatchObject({ name: given, handle });
  expect(codes(head)).toEqual(["skill-name-format"]);
});

test("loads a skill with a description longer than the format allows, whole and with a warning", () => {
  const description = "d".repeat(1025);
  const head = `---\nname: release\ndescription: ${description}\n---\n`;
  expect(parse(head).skill?.description).toBe(description);
  expect(codes(head)).toEqual(["skill-description-long"]);
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
