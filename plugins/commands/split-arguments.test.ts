import { expect, test } from "vitest";
import { splitArguments } from "./split-arguments.js";

test.for<readonly [text: string, words: readonly string[]]>([
  ["", []],
  ["   ", []],
  ["a b", ["a", "b"]],
  ["  a \t b\nc  ", ["a", "b", "c"]],
  ['"a b" c', ["a b", "c"]],
  ["'a b' c", ["a b", "c"]],
  [`"it's" '"'`, ["it's", '"']],
  ['x"a b"y', ["xa by"]],
  [`a"b"'c'`, ["abc"]],
  ['"" b', ["", "b"]],
  ["''", [""]],
  ["don't stop", ["don't", "stop"]],
  ['5" pipe', ['5"', "pipe"]],
  [String.raw`a\ b`, [String.raw`a\ `.trim(), "b"]],
  ['"a\n b"', ["a\n b"]],
])("PI-44 splits %j", ([text, words]) => {
  expect(splitArguments(text)).toEqual(words);
});
