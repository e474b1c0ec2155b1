import { expect, test } from "vitest";
import { commandParts } from "./command-parts.js";

test.for([
  { command: "npm test", want: ["npm test"] },
  { command: "  npm   test\t--x ", want: ["npm test --x"] },
  { command: "npm test; rm -rf /", want: ["npm test", "rm -rf /"] },
  { command: "a && b || c | d & e\nf |& g;", want: ["a", "b", "c", "d", "e", "f", "g"] },
  { command: "npm test 2>&1 | tail -5", want: ["npm test", "tail -5"] },
  { command: "npm test >/dev/null 2>&1", want: ["npm test"] },
  { command: "npm test &> /dev/null && b", want: ["npm test", "b"] },
  { command: "cat < /dev/null", want: ["cat"] },
  { command: "echo 'a; b' \"c && d\" e\\;f", want: ["echo 'a; b' \"c && d\" e\\;f"] },
  { command: "git commit -m 'one\ntwo'", want: ["git commit -m 'one\ntwo'"] },
  { command: 'echo $HOME "${HOME}" "5$" a#b', want: ['echo $HOME "${HOME}" "5$" a#b'] },
  { command: "", want: [] },
])("splits $command", ({ command, want }) => {
  expect(commandParts(command)).toEqual(want);
});

test.for([
  "npm test $(rm -rf /)",
  'npm test "$(rm -rf /)"',
  "npm test `rm -rf /`",
  'npm test "`rm -rf /`"',
  "npm test <(rm -rf /)",
  "npm test > file",
  "npm test >> file",
  "npm test > /dev/nullx",
  "npm test >& file",
  "npm test 2>&1x",
  "npm test < file",
  "npm test << END\nrm\nEND",
  "npm test <<< word",
  "(npm test)",
  "npm() { rm -rf /; }; npm test",
  "npm test $'\\'' ; rm -rf / #'",
  "npm test # '\nrm -rf / # '",
  "npm test ${x:-$(rm -rf /)}",
  "npm test ${x@P}",
  "npm test $[1+1]",
  "npm test $((1+1))",
  "npm test 'open",
  'npm test "open',
  "npm test \\",
  "npm test \\\n; rm -rf /",
  'npm test "$\\\n(rm -rf /)"',
])("calls %s not plain", (command) => {
  expect(commandParts(command)).toBeNull();
});
