import { expect, test } from "vitest";
import { fixedFolder, matchesGlob } from "./glob.js";

test.for([
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/a/b/c.ts", true],
  ["src/**/*.ts", "lib/a.ts", false],
  ["src/**", "src", true],
  ["src/*", "src/a/b.ts", false],
  ["**/*.ts", "a.ts", true],
  ["*.ts", "deep/down/a.ts", true],
  ["./src/?.ts", "src/a.ts", true],
  ["/src/?.ts", "src/ab.ts", false],
  ["{src,lib}/**/*.{ts,tsx}", "lib/x/y.tsx", true],
  ["{src,lib}/**/*.{ts,tsx}", "bin/y.tsx", false],
  ["src/{a,b{c,d}}.ts", "src/bd.ts", true],
  ["src/[a-c]x.ts", "src/bx.ts", true],
  ["src/[!a-c]x.ts", "src/bx.ts", false],
  ["src/[.ts", "src/[.ts", true],
  ["a.b", "axb", false],
  ["größe/*.md", "größe/ß.md", true],
] as const)("%s matches %s: %s", ([pattern, file, want]) => {
  expect(matchesGlob(pattern, file)).toBe(want);
});

test.for([
  ["src/api/**/*.ts", "src/api"],
  ["src/a.ts", "src"],
  ["**/*.ts", ""],
  ["{src,lib}/a", ""],
  ["a.ts", ""],
] as const)("%s cannot leave %j", ([pattern, want]) => {
  expect(fixedFolder(pattern)).toBe(want);
});

test("comes to an end on patterns made to take for ever", () => {
  const start = performance.now();
  expect(matchesGlob("*a".repeat(30) + "b", "a".repeat(300))).toBe(false);
  expect(matchesGlob("**/".repeat(40) + "x", "a/".repeat(200) + "y")).toBe(false);
  expect(matchesGlob("{a,b}".repeat(40), "c".repeat(40))).toBe(false);
  expect(performance.now() - start).toBeLessThan(1_000);
});
