import type { Diagnostic, Place, PluginHost } from "@quire/core";
import { findCommands } from "./find-commands.js";
import type { CommandOptions } from "./options.js";
import { readTemplate } from "./template.js";

/** A command file as a listing shows it. */
export interface ListedCommand {
  /** Typed as `/name`. */
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  /** Absolute. */
  readonly file: string;
}

/** All command files of a place; one that cannot be read is a problem instead. */
export async function listCommands(
  place: Place,
  options: CommandOptions,
  frontMatter: PluginHost["frontMatter"],
): Promise<{ readonly commands: readonly ListedCommand[]; readonly problems: readonly Diagnostic[] }> {
  const { commands, problems } = await findCommands(place, options);
  const read = await Promise.all(
    commands.map(async ({ name, file }) => ({ name, file, read: await readTemplate(place, file, frontMatter) })),
  );
  return {
    commands: read.flatMap(({ name, file, read: result }) => {
      if ("problem" in result) return [];
      const { description, hint } = result.template;
      return [{ name, description, ...(hint === undefined ? {} : { hint }), file }];
    }),
    problems: [...problems, ...read.flatMap(({ read: result }) => ("problem" in result ? [result.problem] : []))],
  };
}
