import { expect, test } from "vitest";
import { parseFrontMatter } from "@quire/loader";
import { maxTemplateBytes, parseTemplate, readTemplate } from "./template.js";

const parse = (text: string) => parseTemplate(text, parseFrontMatter);
const place = (text: string | null) => ({ read: () => Promise.resolve(text) });

test("PI-39 reads description and argument-hint from the front matter", () => {
  expect(
    parse("---\ndescription: Reviews a file\nargument-hint: <file> [line]\nother: 1\n---\n\nReview $1.\n"),
  ).toEqual({
    description: "Reviews a file",
    hint: "<file> [line]",
    body: "Review $1.",
  });
});

test.for([
  { name: "a quoted hint", yaml: 'argument-hint: "[file] [line]"', hint: "[file] [line]" },
  { name: "a hint that YAML reads as a list", yaml: "argument-hint: [file]", hint: "[file]" },
  { name: "a hint that is no YAML", yaml: "argument-hint: [file] [line]", hint: "[file] [line]" },
])("PI-41 shows $name with its signs", ({ yaml, hint }) => {
  expect(parse(`---\ndescription: Says: hello\n${yaml}\n---\nBody`)).toEqual({
    description: "Says: hello",
    hint,
    body: "Body",
  });
});

test.for([
  { name: "the first line that is not empty", body: "\n\n  Review it. \nMore", want: "Review it." },
  { name: "sixty characters whole", body: "x".repeat(60), want: "x".repeat(60) },
  { name: "the first sixty characters of more", body: "x".repeat(61), want: `${"x".repeat(60)}…` },
  { name: "whole characters", body: "😀".repeat(61), want: `${"😀".repeat(60)}…` },
  { name: "nothing of nothing", body: " \n", want: "" },
])("PI-40 takes $name for a missing description", ({ body, want }) => {
  expect(parse(body).description).toBe(want);
  expect(parse(`---\ndescription: ""\n---\n${body}`).description).toBe(want);
});

test("understands a byte order mark and CRLF", () => {
  expect(parse("\uFEFF---\r\ndescription: x\r\n---\r\nBody\r\n")).toEqual({ description: "x", body: "Body" });
});

test("says why a file cannot be used", async () => {
  expect(await readTemplate(place(null), "/c/a.md", parseFrontMatter)).toMatchObject({
    problem: { code: "command-unreadable", at: { file: "/c/a.md" } },
  });
  const large = "x".repeat(maxTemplateBytes + 1);
  expect(await readTemplate(place(large), "/c/a.md", parseFrontMatter)).toMatchObject({
    problem: { code: "command-too-large" },
  });
  const broken = { read: () => Promise.reject(new Error("no access")) };
  expect(await readTemplate(broken, "/c/a.md", parseFrontMatter)).toMatchObject({
    problem: { code: "command-unreadable", message: expect.stringContaining("no access") },
  });
});
