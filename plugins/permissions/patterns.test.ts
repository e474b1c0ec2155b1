import { expect, test } from "vitest";
import { commandGuesses } from "./command-guesses.js";
import { permissionOptions } from "./options.js";
import { fitsPath } from "./path-pattern.js";
import { parseRule } from "./rule.js";
import { fitsWildcard } from "./wildcard.js";

test.for([
  { pattern: "npm test*", text: "npm test -- --x", want: true },
  { pattern: "npm test*", text: "npx npm test", want: false },
  { pattern: "npm test *", text: "npm test", want: true },
  { pattern: "npm test *", text: "npm tester", want: false },
  { pattern: "a*b*c", text: "axxbyyc", want: true },
  { pattern: "a*b*c", text: "axxcyyb", want: false },
  { pattern: "aa*aa", text: "aaa", want: false },
  { pattern: "exact", text: "exact", want: true },
  { pattern: "exact", text: "exactly", want: false },
  { pattern: "a*", text: "a\nb", want: true },
  { pattern: "a.c", text: "abc", want: false },
])("wildcard $pattern and $text: $want", ({ pattern, text, want }) => {
  expect(fitsWildcard(pattern, text)).toBe(want);
});

test("a wildcard pattern takes no long time on any text", () => {
  const started = Date.now();
  expect(fitsWildcard("*a".repeat(200), "a".repeat(100_000) + "b")).toBe(false);
  expect(Date.now() - started).toBeLessThan(1000);
});

test.for([
  { pattern: "docs/**", path: "docs/a/b.md", want: true },
  { pattern: "docs/**", path: "docs", want: true },
  { pattern: "docs/**", path: "docsx/a", want: false },
  { pattern: "docs/", path: "docs/a", want: true },
  { pattern: "docs/*", path: "docs/a", want: true },
  { pattern: "docs/*", path: "docs/a/b", want: false },
  { pattern: "**/*.md", path: "a.md", want: true },
  { pattern: "**/*.md", path: "a/b.md", want: true },
  { pattern: "*.md", path: "a/b.md", want: false },
  { pattern: "./a?.ts", path: "ab.ts", want: true },
  { pattern: "a+(b)[c].ts", path: "a+(b)[c].ts", want: true },
  { pattern: "**", path: "anything/at/all", want: true },
])("path $pattern and $path: $want", ({ pattern, path, want }) => {
  expect(fitsPath(pattern, { absolute: `/p/${path}`, relative: path }, "/home/me")).toBe(want);
});

test("a relative pattern fits nothing outside of the project; absolute ones and those below home do", () => {
  const outside = { absolute: "/home/me/notes/a.md", relative: null };
  expect(fitsPath("**", outside, "/home/me")).toBe(false);
  expect(fitsPath("/home/me/notes/*", outside, "/home/me")).toBe(true);
  expect(fitsPath("~/notes/**", outside, "/home/me")).toBe(true);
});

test.for([
  "git push origin",
  "npm test && git push",
  "npm test; git   push",
  "echo $(git push)",
  'echo "`git push`"',
  "(cd x; git push)",
  "GIT_DIR=x git push",
  "sudo -n git push",
  "timeout 5 git push",
  "/usr/bin/git push",
  "g'i't \"push\"",
  "git \\\npush",
  "bash -c 'git push'",
  "if true; then git push; fi",
  "echo a | xargs git push",
  "git push > log",
])("a guess of %s is git push", (command) => {
  expect(commandGuesses(command).some((guess) => fitsWildcard("git push*", guess))).toBe(true);
});

test.for(["git status", 'grep -rn "git push" .', "echo git push", "git pushd-like"])(
  "no guess of %s is git push",
  (command) => {
    expect(commandGuesses(command).some((guess) => fitsWildcard("git push *", guess))).toBe(false);
  },
);

test.for([
  { text: "write", want: { tool: "write", pattern: null } },
  { text: " bash( npm test* ) ", want: { tool: "bash", pattern: "npm test*" } },
  { text: "bash(*)", want: { tool: "bash", pattern: null } },
  { text: "mcp/*(**)", want: { tool: "mcp/*", pattern: null } },
  { text: "bash(echo (a))", want: { tool: "bash", pattern: "echo (a)" } },
])("reads the rule $text", ({ text, want }) => {
  expect(parseRule(text)).toMatchObject(want);
});

test("refuses options that are no rules or modes, and says what they should be", () => {
  const problem = (permissions: unknown): string => {
    const result = permissionOptions.safeParse({ permissions });
    return result.success ? "" : result.error.message;
  };
  for (const text of ["bash(", "bash()", "a b", "", "bash(x) y"]) {
    expect(problem({ deny: [text] })).toContain("is no rule");
  }
  expect(problem({ mode: "yolo" })).toContain("ask");
  expect(problem({ alow: [] })).toContain("alow");
  expect(permissionOptions.parse({}).permissions).toEqual({ mode: "ask", allow: [], ask: [], deny: [] });
});
