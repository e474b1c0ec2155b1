import type { FlagSpec } from "./flag-table.js";

/** One subcommand of the command, with the flags that only it knows. */
export interface CommandSpec {
  /** As it is typed: `sections why`. */
  readonly path: string;
  /** In commander's notation: `<name>`, `[key]`. */
  readonly operands?: string;
  readonly flags?: readonly FlagSpec[];
  readonly help: string;
}

const sessionFlag: FlagSpec = { name: "session", value: "id", help: "a stored session, by the beginning of its id" };

/** Every listing prints JSON on request; `agent prompt` has its document there. */
export const jsonFlag: FlagSpec = { name: "json", help: "print JSON" };

export const commandTable: readonly CommandSpec[] = [
  {
    path: "prompt",
    flags: [
      { name: "map", help: "sections with their bytes, tokens, tag and owner" },
      { name: "wire", value: "mode", help: "the request body for one provider API" },
      { name: "conversation", value: "file", help: "with --wire: messages (JSON) to map in place of none" },
      { name: "message", value: "text", help: "your words to send along" },
      { name: "child", value: "profile", help: "the prompt of a subagent of that profile" },
      { name: "explain", value: "text", help: "who wrote a text: section, plugin, file and line" },
      { name: "at", value: "offset", help: "who wrote the byte at an offset" },
      { name: "turn", value: "number", help: "the prompt of a recorded turn, counted from 1" },
      { name: "request", value: "number", help: "which request of that turn, counted from 1" },
      { name: "diff", value: "n,m", help: "what changed from one recorded turn to another" },
      sessionFlag,
    ],
    help: "the prompt as it would be sent; nothing is sent",
  },
  { path: "prompt rebase", flags: [sessionFlag], help: "lets the next turn of a session make a new prefix" },
  { path: "sections list", help: "every section, its owner and what stands in its place" },
  { path: "sections why", operands: "<name>", help: "who wanted that place, who won and why" },
  { path: "sections eject", operands: "<name>", help: "writes its text to a file of yours that replaces it" },
  { path: "sections diff", operands: "<name>", help: "what its override changed" },
  {
    path: "sections check",
    operands: "[name...]",
    help: "computes sections under other circumstances and names those that break their cache tag",
  },
  { path: "skills list", help: "skills, and why one is not offered to the model" },
  { path: "skills show", operands: "<name> [file]", help: "what the model gets of a skill, or one of its files" },
  { path: "commands list", help: "command files" },
  { path: "commands expand", operands: "<line>", help: 'what a line such as "/name args" becomes' },
  { path: "list models", help: "models of the providers that are set up" },
  { path: "list providers", help: "providers and whether their key is set" },
  { path: "list agents", help: "profiles" },
  { path: "list tools", help: "tools as the model sees them" },
  { path: "list presets", help: "systems whose prompt can be built" },
  { path: "list layouts", help: "layouts of the prompt" },
  { path: "config check", help: "reads all config and reports what is wrong" },
  { path: "config path", help: "every file that may hold config" },
  { path: "config init", help: "writes a commented config file" },
  { path: "config schema", help: "the JSON Schema of a config file" },
  { path: "config get", operands: "<key>", help: "a value and where it comes from" },
  {
    path: "session list",
    flags: [{ name: "all", help: "of every project" }],
    help: "stored sessions of this project, newest first",
  },
  { path: "session show", operands: "<id>", help: "a session as text" },
  { path: "session export", operands: "<id>", help: "a session as it is stored, one JSON object a line" },
  { path: "session fork", operands: "<id>", help: "copies a session and prints the new id" },
  {
    path: "run",
    operands: "<profile>",
    flags: [{ name: "message", short: "m", value: "text", help: "your words; piped text is added to them" }],
    help: "one answer of a profile as the main agent",
  },
  { path: "doctor", help: "what is loaded, what failed, what is off, and how to mend it" },
];

/** The first words of all subcommands, `help` included. */
export const commandNames: readonly string[] = [
  ...new Set(commandTable.map(({ path }) => path.split(" ")[0] ?? path)),
  "help",
];

/** The second words a first word allows; empty for a command without subcommands. */
export function secondWords(first: string): readonly string[] {
  return commandTable.flatMap(({ path }) => {
    const [head, second] = path.split(" ");
    return head === first && second !== undefined ? [second] : [];
  });
}
