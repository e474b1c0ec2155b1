import path from "node:path";
import { definePlugin } from "@quire/core";
import { parseFrontMatter } from "@quire/loader";
import { createTestHost, fakeProvider } from "@quire/testkit";
import { expect, test } from "vitest";
import { folderWith, itemsOf, open, send, texts } from "./fixtures/real-folder.js";
import agentsMd from "./index.js";
import { isMatchingWork, parsePathRule } from "./path-rules.js";

test.for([
  { name: "a glob", front: 'paths: "src/**"', want: ["src/**"] },
  { name: "globs with commas between", front: "paths: src/**, lib/{a,b}/*.ts", want: ["src/**", "lib/{a,b}/*.ts"] },
  { name: "a list", front: "paths:\n  - src/**\n  - lib/**", want: ["src/**", "lib/**"] },
  { name: "an empty list: everywhere", front: "paths: []", want: undefined },
])("CC-26 reads $name from the front matter and takes it off the text", ({ front, want }) => {
  const ruled = parsePathRule(`---\n${front}\n---\nBody.\n`, "/r.md", parseFrontMatter);
  expect(ruled.paths).toEqual(want);
  expect(ruled.text).toBe("Body.\n");
  expect(ruled.line).toBe(front.split("\n").length + 3);
});

test.for([
  { name: "no front matter", text: "paths: x\n" },
  { name: "front matter of another kind", text: "---\ntitle: x\n---\nBody.\n" },
  { name: "a ruler that is never closed", text: "---\npaths: x\nBody.\n" },
])("leaves a text with $name as it stands", ({ text }) => {
  expect(parsePathRule(text, "/r.md", parseFrontMatter)).toEqual({ text, line: 1 });
});

test.for([
  { name: "broken YAML", front: 'paths: ["a' },
  { name: "a number", front: "paths: 5" },
])("reports $name and lets the file count everywhere", ({ front }) => {
  const ruled = parsePathRule(`---\n${front}\n---\nBody.\n`, "/r.md", parseFrontMatter);
  expect(ruled.paths).toBeUndefined();
  expect(ruled.text).toContain("Body.");
  expect(ruled.problem).toMatchObject({ code: "instruction-rule-invalid", at: { file: "/r.md" } });
});

test.for([
  { glob: "src/api/**/*.ts", cwd: "/repo/src/api", files: [], want: true },
  { glob: "src/api/**/*.ts", cwd: "/repo/src/api/v1", files: [], want: true },
  { glob: "src/api/**/*.ts", cwd: "/repo/src", files: [], want: false },
  { glob: "src/api/**/*.ts", cwd: "/repo", files: ["src/api/v1/a.ts"], want: true },
  { glob: "src/api/**/*.ts", cwd: "/repo", files: ["src/web/a.ts"], want: false },
  { glob: "**/*.ts", cwd: "/repo/any", files: [], want: true },
  { glob: "**/*.ts", cwd: "/elsewhere", files: [], want: false },
])("CC-26 finds $glob in work at $cwd on $files: $want", ({ glob, cwd, files, want }) => {
  expect(isMatchingWork([glob], { cwd, projectRoot: "/repo", files })).toBe(want);
});

const rule = '---\npaths: "src/api/**"\n---\nRoutes have schemas. @detail.md\n';

test("CC-26 limits a file, and what it includes, to work in the folder of its glob", async () => {
  const root = await folderWith({ "AGENTS.md": rule, "detail.md": "detail", "src/api/AGENTS.md": "near" });
  expect(await texts((await open({ root, cwd: root })).session)).toEqual([]);
  const { session } = await open({ root, cwd: path.join(root, "src/api") });
  expect(await texts(session)).toEqual(["detail", "Routes have schemas. @detail.md\n", "near"]);
  const section = (await session.prompt()).sections.find(({ name }) => name === "agents-md/files");
  expect(itemsOf(section)[1]?.origin).toEqual({ kind: "file", file: path.join(root, "AGENTS.md"), line: 4 });
});

test("CC-26 brings a limited file from the turn on whose words name a matching file", async () => {
  const root = await folderWith({ "AGENTS.md": rule, "src/api/a.ts": "" });
  const { session } = await open({ root });
  await send(session, "Hello.");
  expect(await texts(session)).toEqual([]);
  await send(session, "What does src/api/a.ts do?");
  expect(await texts(session)).toEqual(["Routes have schemas. @detail.md\n"]);
  await session.clear();
  expect(await texts(session)).toEqual([]);
});

test("leaves the front matter in the text and the file in the prompt when rules are off", async () => {
  const root = await folderWith({ "AGENTS.md": rule });
  expect(await texts((await open({ root, options: { path_rules: false, includes: false } })).session)).toEqual([rule]);
});

test("CC-26 brings a limited file once a tool has been called on a matching one", async () => {
  const look = definePlugin({
    name: "look",
    apiVersion: 1,
    setup: (host) =>
      host.tools.register({
        name: "look/look",
        description: "Looks.",
        input: { type: "object" },
        effect: "read",
        execute: () => "seen",
      }),
  });
  const host = await createTestHost({
    plugins: [agentsMd, look],
    files: { "AGENTS.md": rule },
    provider: fakeProvider({
      replies: [{ toolCalls: [{ name: "look", args: { path: "src/api/a.ts" } }] }, "done"],
    }),
  });
  await send(host.session, "Have a look.");
  expect(await texts(host.session)).toEqual(["Routes have schemas. @detail.md\n"]);
});
