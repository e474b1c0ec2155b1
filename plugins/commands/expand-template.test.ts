import { expect, test } from "vitest";
import { expandTemplate } from "./expand-template.js";

const abc = ["a", "b", "c"];

test.for([
  { name: "one word", template: "<$1>", words: abc, want: "<a>" },
  { name: "a later word", template: "<$3>", words: abc, want: "<c>" },
  { name: "a word that is missing", template: "<$4>", words: abc, want: "<>" },
  { name: "the tenth word", template: "$10", words: Array.from("abcdefghij"), want: "j" },
  { name: "a word that touches text", template: "x$1y-$2.", words: abc, want: "xay-b." },
  { name: "one word twice", template: "$1 $1", words: abc, want: "a a" },
  { name: "all words", template: "$@", words: abc, want: "a b c" },
  { name: "all words by name", template: "$ARGUMENTS.", words: abc, want: "a b c." },
  { name: "all of no words", template: "<$@|$ARGUMENTS>", words: [], want: "<|>" },
  { name: "a default that is not needed", template: "${1:-x}", words: abc, want: "a" },
  { name: "a default for a missing word", template: "${4:-x y}", words: abc, want: "x y" },
  { name: "a default for an empty word", template: "${1:-x}", words: [""], want: "x" },
  { name: "an empty default", template: "<${1:-}>", words: [], want: "<>" },
  { name: "a default for all words", template: "${@:-everything}", words: [], want: "everything" },
  { name: "a default for all words that is not needed", template: "${@:-everything}", words: abc, want: "a b c" },
  { name: "words from one on", template: "${@:2}", words: abc, want: "b c" },
  { name: "words from the first on", template: "${@:1}", words: abc, want: "a b c" },
  { name: "words from zero on, which is the first", template: "${@:0}", words: abc, want: "a b c" },
  { name: "words from beyond the last on", template: "<${@:4}>", words: abc, want: "<>" },
  { name: "so many words from one on", template: "${@:1:2}", words: abc, want: "a b" },
  { name: "more words than there are", template: "${@:2:9}", words: abc, want: "b c" },
  { name: "no words from one on", template: "<${@:2:0}>", words: abc, want: "<>" },
  { name: "several forms side by side", template: "$1${@:2:1}$3", words: abc, want: "abc" },
])("PI-42 fills $name", ({ template, words, want }) => {
  expect(expandTemplate(template, words).text).toBe(want);
});

test.for([
  { name: "a lone sign", template: "5$ or $" },
  { name: "a shell variable", template: "$HOME ${HOME} $_ $-" },
  { name: "word zero", template: "awk '{print $0}'" },
  { name: "a longer name", template: "$ARGUMENTSX $ARGUMENTS_ALL" },
  { name: "another case", template: "$arguments" },
  { name: "braces without a form", template: "${1} ${@} ${} ${@:} ${@:x} ${@:1:}" },
  { name: "a default for a name", template: "${HOME:-x} ${0:-x}" },
  { name: "a default that is never closed", template: "${1:-x" },
  { name: "a negative position", template: "${@:-" },
])("leaves $name as it is", ({ template }) => {
  expect(expandTemplate(template, abc)).toEqual({ text: template, placeholders: 0, literal: [] });
});

test.for([
  { name: "in a word", template: "$1 $2", words: ["$2", "$ARGUMENTS"], want: "$2 $ARGUMENTS" },
  { name: "in all words", template: "$@", words: ["${@:2}", "$1"], want: "${@:2} $1" },
  { name: "in a slice", template: "${@:1:1}", words: ["$2", "b"], want: "$2" },
  { name: "in a default", template: "${1:-$2}", words: ["", "b"], want: "$2" },
  { name: "with braces in a default", template: "${1:-${2:-x}}", words: ["", "b"], want: "${2:-x}" },
  { name: "made of two", template: "$$1", words: ["1"], want: "$1" },
])("PI-43 leaves a pattern $name as it is: one pass only", ({ template, words, want }) => {
  expect(expandTemplate(template, words).text).toBe(want);
});

test.for([
  { name: "braces that match belong to it", template: "${1:-{a}}.", want: "{a}." },
  { name: "the first brace ends it where they do not", template: "${1:-{a}.", want: "{a." },
])("knows where a default ends: $name", ({ template, want }) => {
  expect(expandTemplate(template, []).text).toBe(want);
});

test("PI-50 names the words that look like a placeholder and stay as they are", () => {
  const words = ["$1", "US$20", "${@:2}", "plain", "$ARGUMENTS"];
  expect(expandTemplate("$@", words).literal).toEqual(["$1", "US$20", "${@:2}", "$ARGUMENTS"]);
  expect(expandTemplate("nothing to fill", words).literal).toEqual([]);
});

test("keeps what replacing by a pattern would read as a sign of its own", () => {
  expect(expandTemplate("<$1>", ["$& $` $' $$"]).text).toBe("<$& $` $' $$>");
});
