import { Command, CommanderError, Option } from "commander";
import { ConfigError } from "@quire/core";
import { nearest } from "@quire/core/host";
import { commandNames, commandTable, jsonFlag, secondWords, type CommandSpec } from "./command-table.js";
import { flagTable, type FlagSpec } from "./flag-table.js";
import { readFlags, type Flags } from "./flags.js";
import { refuseReserved } from "./reserved-commands.js";
import { scanArgv } from "./scan-argv.js";

/** What the arguments ask for. */
export type Invocation =
  | { readonly kind: "help"; readonly text: string; readonly misused: boolean }
  | { readonly kind: "version" }
  | { readonly kind: "turn"; readonly words: readonly string[]; readonly flags: Flags }
  | {
      readonly kind: "command";
      /** `sections why` */
      readonly path: string;
      readonly operands: readonly string[];
      readonly options: CommandOptions;
      readonly flags: Flags;
    };

/** Flags that only subcommands know. */
export interface CommandOptions {
  readonly json: boolean;
  readonly map: boolean;
  readonly all: boolean;
  readonly wire?: string;
  /** A file with messages of the neutral model. */
  readonly conversation?: string;
  readonly message?: string;
  /** A profile, as a subagent. */
  readonly child?: string;
  readonly explain?: string;
  /** UTF-8 bytes of the prompt. */
  readonly at?: number;
  /** A stored session, or the beginning of its id. */
  readonly session?: string;
  /** Of a recorded turn, from 1; and which of its requests. */
  readonly turn?: number;
  readonly request?: number;
  /** Two recorded turns. */
  readonly diff?: readonly [from: number, to: number];
}

/** @throws {ConfigError} `arguments-invalid`: a flag or subcommand that does not exist, a value that does not fit. */
export function parseArguments(given: readonly string[]): Invocation {
  const { argv, print, help, version, words, head: first } = scanArgv(given);
  if (version) return { kind: "version" };
  const isCommand = !print && first !== undefined && commandNames.includes(first);
  if (!print && first !== undefined && !isCommand) {
    refuseReserved(words, commandNames);
    refuseMisspelt(first, words[1]);
  }
  let text = "";
  let invocation: Invocation | undefined;
  const program = newCommand("agent", (written) => (text += written))
    .usage("[flags] [prompt...]\n       agent <command> [flags]")
    .description("An agent in your terminal. On a terminal: interactive; else one answer.");
  for (const flag of flagTable) program.addOption(toOption(flag));
  program.option("--version", "print the version");
  if (isCommand || help) {
    for (const command of commandTable) {
      addCommand(program, command, (operands, options) => {
        const flags = readFlags(program.opts());
        invocation = { kind: "command", path: command.path, operands, options, flags };
      });
    }
  }
  if (!isCommand) {
    program.argument("[prompt...]", "joined by spaces");
    program.action((words: string[]) => {
      invocation = { kind: "turn", words, flags: readFlags(program.opts()) };
    });
  }
  try {
    if (first === "help" && isCommand) helpOn(program, words.slice(1)).outputHelp();
    else program.parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // `commander.help` is a command that lacks its subcommand.
    if (error.code === "commander.help") return { kind: "help", text, misused: true };
    if (error.code !== "commander.helpDisplayed") throw misuse(error, given);
  }
  return invocation ?? { kind: "help", text, misused: false };
}

/** `help sections list`: the command that the words name, as far as they name one. */
function helpOn(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const word of words) found = found.commands.find((command) => command.name() === word) ?? found;
  return found;
}

/** The help without any arguments. */
export function helpText(): string {
  const invocation = parseArguments(["--help"]);
  return invocation.kind === "help" ? invocation.text : "";
}

function newCommand(name: string, write: (text: string) => void): Command {
  return new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => {} })
    .configureHelp({ sortOptions: false, helpWidth: 100 })
    .helpCommand(false)
    .helpOption("-h, --help", "print this help");
}

function addCommand(
  program: Command,
  spec: CommandSpec,
  run: (operands: readonly string[], options: CommandOptions) => void,
): void {
  const [head = spec.path, second] = spec.path.split(" ");
  let parent = program;
  if (second !== undefined) {
    const group = program.commands.find((command) => command.name() === head);
    parent = group ?? program.command(head).description(secondWords(head).join(", ")).helpCommand(false);
  }
  const command = parent.command(`${second ?? head} ${spec.operands ?? ""}`.trim()).description(spec.help);
  for (const flag of [jsonFlag, ...(spec.flags ?? [])]) command.addOption(toOption(flag));
  // A flag of `prompt rebase` may have been read as one of `prompt`.
  command.action(() => run(command.args, readOptions(command.optsWithGlobals())));
}

function readOptions(values: Readonly<Record<string, unknown>>): CommandOptions {
  const text = <K extends string>(key: K) =>
    (typeof values[key] === "string" ? { [key]: values[key] } : {}) as { readonly [key in K]?: string };
  return {
    json: values["json"] === true,
    map: values["map"] === true,
    all: values["all"] === true,
    ...text("wire"),
    ...text("conversation"),
    ...text("message"),
    ...text("child"),
    ...text("explain"),
    ...text("session"),
    ...number(values, "at", /^\d{1,15}$/, "a number of bytes, from 0"),
    ...number(values, "turn", /^[1-9]\d{0,8}$/, "the number of a turn, from 1"),
    ...number(values, "request", /^[1-9]\d{0,8}$/, "the number of a request of the turn, from 1"),
    ...(typeof values["diff"] === "string" && { diff: turnsOf(values["diff"]) }),
  };
}

function number<K extends string>(
  values: Readonly<Record<string, unknown>>,
  key: K,
  form: RegExp,
  wanted: string,
): { readonly [key in K]?: number } {
  const text = values[key];
  if (typeof text !== "string") return {};
  if (!form.test(text)) throw wrongValue(key, text, wanted, `agent prompt --${key} 120`);
  return { [key]: Number(text) } as { readonly [key in K]?: number };
}

function turnsOf(text: string): readonly [from: number, to: number] {
  const [, from, to] = /^([1-9]\d{0,8}),([1-9]\d{0,8})$/.exec(text) ?? [];
  if (from === undefined) throw wrongValue("diff", text, "the numbers of two turns", "agent prompt --diff 2,5");
  return [Number(from), Number(to)];
}

function wrongValue(flag: string, text: string, wanted: string, example: string): ConfigError {
  return new ConfigError({
    code: "arguments-invalid",
    level: "error",
    message: `--${flag} got "${text}" and wants ${wanted}`,
    fix: `For example: ${example}`,
  });
}

/** A commander option whose `--no-…` is a flag of its own and whose values may pile up. */
class TableOption extends Option {
  readonly #key: string;
  constructor(spec: FlagSpec) {
    const short = spec.short === undefined ? "" : `-${spec.short}, `;
    super(`${short}--${spec.name}${spec.value === undefined ? "" : ` <${spec.value}>`}`, spec.help);
    this.negate = false;
    this.#key = spec.name;
    if (spec.choices !== undefined) this.choices([...spec.choices]);
    if (spec.list) {
      this.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
    }
  }
  override attributeName(): string {
    return this.#key;
  }
}

function toOption(spec: FlagSpec): Option {
  return new TableOption(spec);
}

/** A word that is nearly a subcommand is more likely a slip than a prompt; `-p` sends it all the same. */
function refuseMisspelt(first: string, second: string | undefined): void {
  const meant = nearest(first, commandNames);
  if (meant === undefined || first.length < 4 || meant[0] !== first[0] || !isOneSlip(first, meant)) return;
  if (second !== undefined && !secondWords(meant).includes(second)) return;
  throw new ConfigError({
    code: "arguments-invalid",
    level: "error",
    message: `"${first}" is no command of agent`,
    fix: `Did you mean "${meant}"? To send it as a prompt: agent -p ${first}`,
  });
}

/** Whether one letter is wrong, missing, too many, or changed places with its neighbour. */
function isOneSlip(typed: string, meant: string): boolean {
  let start = 0;
  while (start < meant.length && typed[start] === meant[start]) start++;
  const [rest, wanted] = [typed.slice(start), meant.slice(start)];
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return isSwapped || [rest.slice(1), rest].includes(wanted.slice(1)) || rest.slice(1) === wanted;
}

/** Words that follow a subcommand and do not fit it may have been meant for the model. */
const strayWords = new Set(["commander.excessArguments", "commander.unknownCommand"]);

function misuse(error: CommanderError, given: readonly string[]): ConfigError {
  const [message = "", hint] = error.message.replace(/^error: /, "").split("\n");
  const fix = hint?.replace(/^\((.*)\)$/, "$1") ?? "`agent --help` lists what there is";
  return new ConfigError({
    code: "arguments-invalid",
    level: "error",
    message: message.replace(/\.$/, ""),
    fix: strayWords.has(error.code) ? `${fix}. To send it as a prompt: agent -p ${given.join(" ")}` : fix,
  });
}
