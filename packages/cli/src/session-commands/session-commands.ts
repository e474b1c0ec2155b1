import { QuireError, type Diagnostic } from "@quire/core";
import { nearest, type Session } from "@quire/core/host";
import { listProviders } from "../commands/list.js";
import { presetOf } from "../commands/preset-of.js";
import { table } from "../output/table.js";
import { promptDocument } from "../prompt/prompt-document.js";
import { promptMap } from "../prompt/prompt-map.js";
import type { Started } from "../start-host.js";

/** A slash command of the host itself; those of plugins are run by the session. */
interface SessionCommand {
  readonly name: string;
  readonly hint?: string;
  readonly help: string;
  /** Makes sense where somebody types line by line only. */
  readonly terminal?: true;
  run(args: string, where: Where): Promise<string> | string;
}

export interface Where {
  readonly started: Started;
  readonly session: Session;
  readonly terminal: boolean;
}

const sessionCommands: readonly SessionCommand[] = [
  { name: "help", help: "this list", run: (_args, where) => help(where) },
  {
    name: "clear",
    help: "forgets the conversation; what is stored stays",
    run: async (_args, { session }) => {
      await session.clear();
      return "The conversation is forgotten.\n";
    },
  },
  {
    name: "compact",
    help: "replaces the conversation by a summary; what is stored stays",
    run: async (_args, { session }) => {
      const { text, error } = await session.compact("the user asked", AbortSignal.timeout(compactLimitMs)).result;
      if (error !== undefined) throw new QuireError(error);
      return text === ""
        ? "There is nothing to compact.\n"
        : `The conversation goes on from this summary:\n\n${text}\n`;
    },
  },
  { name: "prompt", hint: "[text]", help: "the prompt of the next turn; `text` prints it whole", run: showPrompt },
  {
    name: "sections",
    help: "sections of the prompt, their bytes and owners",
    run: (_args, where) => showPrompt("", where),
  },
  {
    name: "plugins",
    help: "plugins that are loaded",
    run: (_args, { started }) =>
      table(started.host.plugins.map(({ name, version, tier, file }) => [name, version, tier, file ?? ""])),
  },
  { name: "model", hint: "[provider/model]", help: "shows or changes the model", terminal: true, run: model },
  { name: "quit", help: "ends the session", terminal: true, run: () => "" },
];

/**
 * Runs a line that calls a command of the host.
 * @returns What it prints, or undefined when the line is something else.
 * @throws {QuireError} `model-unknown`.
 */
export async function runSessionCommand(line: string, where: Where): Promise<string | undefined> {
  const [, name, args = ""] = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(line.trim()) ?? [];
  const command = available(where).find((candidate) => candidate.name === name);
  return command?.run(args.trim(), where);
}

/** A summary of a full window takes a while. */
const compactLimitMs = 300_000;

function available(where: Where): readonly SessionCommand[] {
  return sessionCommands.filter((command) => where.terminal || command.terminal !== true);
}

/**
 * A line that looks like a command and is none goes to the model as words; its author may not want that.
 * @returns What to tell him, or undefined when the line is a command or no such line.
 */
export async function unknownCommand(line: string, where: Where): Promise<Diagnostic | undefined> {
  const [, typed] = /^\/([\w:.-]*)(?:\s|$)/.exec(line.trim()) ?? [];
  if (typed === undefined || typed.startsWith("skill:")) return undefined;
  const own = available(where).map(({ name }) => name);
  const others = (await commandsBeyond(where)).map(({ name }) => name);
  if (others.includes(typed)) return undefined;
  const near = nearest(typed, [...own, ...others]);
  const isForTerminal = sessionCommands.some(({ name }) => name === typed);
  return {
    code: "command-unknown",
    level: "warn",
    message: isForTerminal
      ? `/${typed} is a command of the terminal, so it goes to the model as words`
      : `"/${typed}" is no command, so it goes to the model as words`,
    fix: near === undefined || isForTerminal ? "/help lists the commands" : `Did you mean "/${near}"?`,
  };
}

/** Commands of plugins, command files and skills, as they are typed without the slash. */
async function commandsBeyond({ started }: Where) {
  const { commandFilesOf } = await import("../commands/command-files.js");
  const { skillsOf } = await import("../commands/skills.js");
  const [files, skills] = await Promise.all([commandFilesOf(started), skillsOf(started)]);
  return [
    ...started.host.commands.map(({ name, hint, description }) => {
      return { name: name.slice(name.lastIndexOf("/") + 1), hint, description };
    }),
    ...files.map(({ name, hint, description }) => ({ name, hint, description })),
    ...skills.map(({ name, description }) => ({ name: `skill:${name}`, hint: undefined, description })),
  ];
}

async function help(where: Where): Promise<string> {
  const own = available(where).map(({ name, hint, help }) => [`/${name} ${hint ?? ""}`.trim(), help]);
  const others = (await commandsBeyond(where)).map(({ name, hint, description }) => [
    `/${name} ${hint ?? ""}`.trim(),
    description.split("\n", 1)[0] ?? "",
  ]);
  const keys = where.terminal
    ? "\nEscape or Ctrl-C stops a turn. What you type during one waits for its end. Ctrl-D leaves.\n"
    : "";
  return `${table([...own, ...others])}${keys}`;
}

async function showPrompt(args: string, { started, session }: Where): Promise<string> {
  const prompt = await session.prompt();
  if (args === "text") return prompt.text.endsWith("\n") ? prompt.text : `${prompt.text}\n`;
  return promptMap(
    promptDocument(prompt, { preset: presetOf(started), plugins: started.host.plugins, diagnostics: [] }),
  );
}

async function model(args: string, { started, session }: Where): Promise<string> {
  if (args !== "") await session.setModel(args);
  const current = `model ${session.model.provider}/${session.model.id}\n`;
  return args === ""
    ? `${current}${table(listProviders(started.host.providers, started.loaded.config.merged).rows)}`
    : current;
}
