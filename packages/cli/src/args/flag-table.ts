/** One flag of the command. Flags are valid before and after a subcommand. */
export interface FlagSpec {
  /** Without its dashes. */
  readonly name: string;
  readonly short?: string;
  /** Stands for the value in the help; without it the flag is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** May be given several times. */
  readonly list?: true;
  readonly help: string;
}

export const flagTable: readonly FlagSpec[] = [
  { name: "print", short: "p", help: "answer once and exit; the words are never a subcommand" },
  {
    name: "output-format",
    value: "format",
    choices: ["text", "json", "stream-json"],
    help: "what is printed",
  },
  {
    name: "input-format",
    value: "format",
    choices: ["text", "stream-json"],
    help: "what standard input holds",
  },
  { name: "model", value: "provider/model", help: "the model to ask" },
  { name: "preset", value: "name", help: "the system whose prompt is built" },
  { name: "layout", value: "name", help: "order and markup of the prompt" },
  { name: "cwd", short: "C", value: "dir", help: "the folder to work in" },
  { name: "config", short: "c", value: "file", help: "the only config file of this start" },
  { name: "plugin", value: "path|name", list: true, help: "a plugin to load; consent for this start" },
  { name: "no-plugin", value: "name|all", list: true, help: "a plugin to leave out; all: none but built-in" },
  { name: "section", value: "name=text|@file", list: true, help: "replaces one section of the prompt" },
  { name: "no-section", value: "name", list: true, help: "leaves one section out" },
  { name: "system-prompt", value: "text|file", help: "replaces the base sections" },
  { name: "append-system-prompt", value: "text|file", list: true, help: "text at the end of the prompt" },
  { name: "instructions", short: "s", value: "text|file", help: "your own instructions for this start" },
  { name: "command", value: "path", list: true, help: "a command file, or a folder of them (also --prompt-template)" },
  { name: "agent", value: "profile", help: "the profile to work as" },
  { name: "no-context-files", help: "no AGENTS.md and the like (also -nc)" },
  { name: "no-skills", help: "no skills" },
  { name: "no-commands", help: "no command files (also --no-prompt-templates)" },
  { name: "tools", value: "a,b", help: "the only tools the model gets" },
  {
    name: "permission-mode",
    value: "mode",
    choices: ["ask", "edit", "plan", "full"],
    help: "what runs unasked",
  },
  { name: "trust", short: "a", help: "trust what this project brings, for this start (also --approve)" },
  { name: "strict", help: "stop at any error" },
  { name: "continue", help: "go on with the newest session of this project" },
  { name: "resume", value: "id", help: "go on with a session" },
  { name: "fork", value: "id", help: "go on with a copy of a session" },
  { name: "no-session", help: "store nothing" },
];

/** Other spellings, rewritten before anything else reads them. Commander refuses a short flag of two letters. */
export const flagAliases: Readonly<Record<string, string>> = {
  "-nc": "--no-context-files",
  "--approve": "--trust",
  "--prompt-template": "--command",
  "--no-prompt-templates": "--no-commands",
};
