import { expect, test } from "vitest";
import { scanArgv } from "./scan-argv.js";

test.for([
  { name: "joins nothing and keeps every word", argv: ["fix", "the bug"], words: ["fix", "the bug"] },
  { name: "takes the value of a flag for no word", argv: ["--model", "a/b", "hi"], words: ["hi"] },
  { name: "sees a value behind an equals sign", argv: ["--model=a/b", "hi"], words: ["hi"] },
  { name: "takes the value of a short flag", argv: ["-C", "dir", "hi"], words: ["hi"] },
  { name: "takes a value written onto the short flag", argv: ["-Cdir", "hi"], words: ["hi"] },
  {
    name: "counts what follows two dashes as words",
    argv: ["a", "--", "-p", "list"],
    words: ["a", "-p", "list"],
  },
  { name: "lets a value look like a flag", argv: ["-s", "-p", "hi"], words: ["hi"] },
  { name: "takes a lone dash for a word", argv: ["-", "hi"], words: ["-", "hi"] },
])("$name", ({ argv, words }) => expect(scanArgv(argv)).toMatchObject({ words, print: false }));

test.for([
  { name: "alone", argv: ["-p", "list"] },
  { name: "spelt out", argv: ["list", "--print"] },
  { name: "with another switch", argv: ["-ap", "x"] },
  { name: "before a flag with a value", argv: ["-pC", "dir", "x"] },
])("finds -p $name", ({ argv }) => expect(scanArgv(argv).print).toBe(true));

test("PI-18 reads -nc as --no-context-files, but not as the value of a flag or behind two dashes", () => {
  expect(scanArgv(["-nc", "hi"]).argv).toEqual(["--no-context-files", "hi"]);
  expect(scanArgv(["-s", "-nc"]).argv).toEqual(["-s", "-nc"]);
  expect(scanArgv(["--", "-nc"]).argv).toEqual(["--", "-nc"]);
});

test("PI-31 reads --approve as --trust", () => {
  expect(scanArgv(["--approve", "hi"]).argv).toEqual(["--trust", "hi"]);
});
