import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IgnoreRules } from "./ignore-rules.js";

test.for([
  { name: "a pipe", make: (file: string) => void execFileSync("mkfifo", [file]) },
  { name: "a link to an endless device", make: (file: string) => symlinkSync("/dev/zero", file) },
])("a .gitignore that is $name is passed over", async ({ make }) => {
  const folder = mkdtempSync(join(tmpdir(), "ignore-pipe-"));
  mkdirSync(join(folder, ".git"));
  make(join(folder, ".gitignore"));
  const rules = await IgnoreRules.at(folder, folder);
  expect(rules.ignores(join(folder, "a.txt"), false)).toBe(false);
});
