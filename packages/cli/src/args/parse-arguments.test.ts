import { QuireError } from "@quire/core";
import { expect, test } from "vitest";
import { commandTable } from "./command-table.js";
import { flagTable } from "./flag-table.js";
import { helpText, parseArguments } from "./parse-arguments.js";

function messageOf(argv: readonly string[]): string {
  try {
    parseArguments(argv);
  } catch (error) {
    if (QuireError.is(error)) return error.message;
    throw error;
  }
  return "accepted";
}

test("joins no words and reads every kind of flag", () => {
  const typed =
    "fix it --model a/b -C dir --plugin x.ts --plugin y.ts --no-plugin z --section base/identity=a=b " +
    "--no-section memory/files --append-system-prompt one --append-system-prompt two --tools read,bash " +
    "--permission-mode plan --strict -a --no-session --no-skills -c own.yaml --command a.md --prompt-template=b " +
    "--agent review";
  const invocation = parseArguments([...typed.split(" "), "-s", ""]);
  expect(invocation).toEqual({
    kind: "turn",
    words: ["fix", "it"],
    flags: {
      print: false,
      outputFormat: "text",
      inputFormat: "text",
      model: "a/b",
      cwd: "dir",
      config: "own.yaml",
      plugins: ["x.ts", "y.ts"],
      noPlugins: ["z"],
      sections: [{ name: "base/identity", value: "a=b" }],
      noSections: ["memory/files"],
      instructions: "",
      appendSystemPrompts: ["one", "two"],
      tools: ["read", "bash"],
      permissionMode: "plan",
      contextFiles: true,
      skills: false,
      commands: true,
      commandFiles: ["a.md", "b"],
      profile: { name: "review", audience: "main" },
      trust: true,
      strict: true,
      session: { kind: "new" },
      persist: false,
    },
  });
});

test("takes flags before and after a subcommand alike", () => {
  const before = parseArguments(["--layout", "quire", "--strict", "sections", "why", "base/rules", "--json"]);
  const after = parseArguments(["sections", "why", "base/rules", "--json", "--layout", "quire", "--strict"]);
  expect(after).toEqual(before);
  expect(before).toMatchObject({
    kind: "command",
    path: "sections why",
    operands: ["base/rules"],
    options: { json: true },
    flags: { layout: "quire", strict: true },
  });
});

test.for(commandTable.map(({ path, operands }) => ({ path, operands })))(
  "reads the subcommand $path",
  ({ path, operands }) => {
    const argv = [...path.split(" "), ...(operands?.startsWith("<") ? ["x"] : [])];
    expect(parseArguments(argv)).toMatchObject({ kind: "command", path });
  },
);

test("takes no words for a subcommand with -p", () => {
  expect(parseArguments(["-p", "list"])).toMatchObject({ kind: "turn", words: ["list"] });
  expect(parseArguments(["session", "list", "-p"])).toMatchObject({
    kind: "turn",
    words: ["session", "list"],
  });
});

test("takes words that look like flags behind two dashes", () => {
  expect(parseArguments(["-p", "--", "--weird"])).toMatchObject({ kind: "turn", words: ["--weird"] });
});

test.for([
  { argv: ["--modle", "a"], want: ["--modle", "--model"] },
  { argv: ["prompt", "--jso"], want: ["--jso", "--json"] },
  { argv: ["session", "lst"], want: ["lst", "list"] },
  { argv: ["docter"], want: ["docter", "doctor", "agent -p docter"] },
  { argv: ["sesion", "list"], want: ["sesion", "session"] },
  { argv: ["list", "the", "files"], want: ["the"] },
  { argv: ["--output-format", "xml"], want: ["xml", "stream-json"] },
  { argv: ["--permission-mode", "all"], want: ["all", "ask, edit, plan, full"] },
  { argv: ["--model"], want: ["--model"] },
  { argv: ["--section", "base/identity"], want: ["base/identity", "NAME=TEXT"] },
  { argv: ["--continue", "--resume", "x"], want: ["--continue", "--resume"] },
  { argv: ["sections", "why"], want: ["name"] },
  { argv: ["prompt", "--at", "ten"], want: ["ten", "number of bytes"] },
])("names what is wrong in $argv", ({ argv, want }) => {
  const message = messageOf(argv);
  expect(message).toMatch(/^\[arguments-invalid\] /);
  for (const part of want) expect(message).toContain(part);
});

test.for(["--version -p hi", "-p hi --version", "--version --model x", "-V"])(
  "answers %s with the version alone",
  (typed) => expect(parseArguments(typed.split(" "))).toEqual({ kind: "version" }),
);

test("takes what stands behind two dashes for words, never for a subcommand", () => {
  expect(parseArguments(["--", "doctor"])).toMatchObject({ kind: "turn", words: ["doctor"] });
  expect(parseArguments(["--", "docter"])).toMatchObject({ kind: "turn", words: ["docter"] });
});

test.for(["hello", "confirm"])("takes %s for a prompt, two letters off a subcommand", (word) => {
  expect(parseArguments([word])).toMatchObject({ kind: "turn" });
});

test("says how to send words that begin with a subcommand", () => {
  expect(messageOf(["doctor", "is", "broken"])).toContain("agent -p doctor is broken");
  expect(messageOf(["list", "the", "files"])).toContain("agent -p list the files");
});

test("refuses a flag in the place of a session's id", () => {
  expect(messageOf(["--resume", "-p", "x"])).toMatch(/--resume wants the id.*"-p"/);
});

test("shows the help of the command that stands behind help", () => {
  const help = parseArguments(["help", "sections", "why"]);
  expect(help.kind === "help" && help.text).toContain("agent sections why");
});

test("takes an ordinary word for a prompt even when a subcommand is not far", () => {
  expect(parseArguments(["test"])).toMatchObject({ kind: "turn", words: ["test"] });
  expect(parseArguments(["lists", "are", "fun"])).toMatchObject({ kind: "turn" });
});

test("lists every flag and subcommand in its help", () => {
  const text = helpText();
  for (const { name } of flagTable) expect(text).toContain(`--${name}`);
  for (const { path } of commandTable) expect(text).toContain(path.split(" ")[0]);
});

test("shows the help of a group that lacks its subcommand as a misuse", () => {
  const invocation = parseArguments(["session"]);
  expect(invocation).toMatchObject({ kind: "help", misused: true });
  expect(invocation.kind === "help" && invocation.text).toContain("export");
});

test.for([
  { typed: "--approve", same: "--trust" },
  { typed: "-nc", same: "--no-context-files" },
  { typed: "--prompt-template x.md", same: "--command x.md" },
  { typed: "--no-prompt-templates", same: "--no-commands" },
])("understands $typed as $same", ({ typed, same }) => {
  expect(parseArguments([...typed.split(" "), "go"])).toEqual(parseArguments([...same.split(" "), "go"]));
});

test("reads what to explain, whose prompt it is, and the words of a profile's answer", () => {
  expect(parseArguments(["prompt", "--at", "120", "--child", "scout"])).toMatchObject({
    options: { at: 120, child: "scout" },
  });
  expect(parseArguments(["prompt", "--explain", "be kind", "--agent", "boss"])).toMatchObject({
    options: { explain: "be kind" },
    flags: { profile: { name: "boss", audience: "main" } },
  });
  expect(parseArguments(["run", "boss", "-m", "sections list"])).toMatchObject({
    path: "run",
    operands: ["boss"],
    options: { message: "sections list" },
  });
});
