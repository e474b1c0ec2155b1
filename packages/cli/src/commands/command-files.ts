import { QuireError, type Place } from "@quire/core";
import type { Loaded } from "@quire/loader";
import type { CommandOptions, ListedCommand } from "@quire/plugin-commands";
import type { ExitCode } from "../exit-code.js";
import { table } from "../output/table.js";
import type { Started } from "../start-host.js";
import { printResult, type CommandContext } from "./command-context.js";
import { diskPlace } from "./disk-place.js";
import { pluginOptions } from "./plugin-options.js";
import { withHost } from "./with-host.js";

/** `agent commands list | expand "/name args"`: command files, read by the plugin's own functions. */
export function commandsCommand(context: CommandContext): Promise<ExitCode> {
  return withHost<ExitCode>(context, async ({ loaded, host }) => {
    const place = diskPlace(loaded);
    const options = await optionsOf(loaded, host);
    if (context.path === "commands expand") return expand(context.operands[0] ?? "", place, options, loaded, context);
    return list(place, options, loaded, context);
  });
}

/** The command files that are on. */
export async function commandFilesOf({ loaded, host }: Started): Promise<readonly ListedCommand[]> {
  const { listCommands } = await import("@quire/plugin-commands");
  const options = await optionsOf(loaded, host);
  return (await listCommands(diskPlace(loaded), options, loaded.host.frontMatter)).commands;
}

/** Switched off, the plugin finds nothing. */
async function optionsOf(loaded: Loaded, host: Started["host"]): Promise<CommandOptions> {
  const { commandsOptions } = await import("@quire/plugin-commands");
  const { commands } = commandsOptions.parse(pluginOptions(loaded, "commands", ["commands"]));
  return host.plugins.some(({ name }) => name === "commands") ? commands : { ...commands, enabled: false };
}

async function list(place: Place, options: CommandOptions, loaded: Loaded, context: CommandContext): Promise<ExitCode> {
  const { listCommands } = await import("@quire/plugin-commands");
  const { commands, problems } = await listCommands(place, options, loaded.host.frontMatter);
  for (const problem of problems) context.sink.report(problem);
  const rows = commands.map(({ name, hint, description, file }) => [
    `/${name}${hint === undefined ? "" : ` ${hint}`}`,
    description,
    file,
  ]);
  printResult(context, { commands }, table(rows));
  if (rows.length === 0) context.streams.note(options.enabled ? "there are no command files" : "command files are off");
  return 0;
}

async function expand(
  typed: string,
  place: Place,
  options: CommandOptions,
  loaded: Loaded,
  context: CommandContext,
): Promise<ExitCode> {
  const { expandCommand, listCommands } = await import("@quire/plugin-commands");
  const line = typed.startsWith("/") ? typed : `/${typed}`;
  const { text, problems } = await expandCommand(line, place, options, loaded.host.frontMatter);
  for (const problem of problems) context.sink.report(problem);
  if (text === undefined) {
    const names = (await listCommands(place, options, loaded.host.frontMatter)).commands.map(({ name }) => `/${name}`);
    throw new QuireError({
      code: "command-unknown",
      level: "error",
      message: `${line.split(/\s/, 1)[0]} is no command file`,
      fix: names.length === 0 ? "There are no command files here" : `There are: ${names.join(", ")}`,
    });
  }
  printResult(context, { line, text }, text.endsWith("\n") ? text : `${text}\n`);
  return 0;
}
