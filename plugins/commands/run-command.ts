import path from "node:path";
import type { Diagnostic, Place, PluginHost } from "@quire/core";
import { expandTemplate } from "./expand-template.js";
import { findCommands } from "./find-commands.js";
import type { CommandOptions } from "./options.js";
import { splitArguments } from "./split-arguments.js";
import { readTemplate } from "./template.js";

export interface Expanded {
  /** What the line becomes; undefined when it calls no command file, or one that cannot be used. */
  readonly text?: string;
  readonly problems: readonly Diagnostic[];
}

/** Turns `/name words` into the text of the command file `name`; any other text is left alone. */
export async function expandCommand(
  input: string,
  place: Place,
  options: CommandOptions,
  frontMatter: PluginHost["frontMatter"],
): Promise<Expanded> {
  const [, name, rest = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(input) ?? [];
  if (name === undefined) return { problems: [] };
  const { commands, problems: all } = await findCommands(place, options);
  const command = commands.find((each) => each.name === name);
  // A line is no place to hear of other commands: `listCommands` tells of all.
  const problems = all.filter(({ code, at }) => isAbout(name, at?.file) || (command === undefined && code === nested));
  if (command === undefined) return { problems };
  const read = await readTemplate(place, command.file, frontMatter);
  if ("problem" in read) return { problems: [...problems, read.problem] };
  const words = splitArguments(rest);
  const { text, placeholders, literal } = expandTemplate(read.template.body, words);
  const about = { level: "warn", at: { kind: "file", file: command.file } } as const;
  if (placeholders === 0 && words.length > 0) {
    if (options.spare_words === "append") return { text: `${text}\n\n${rest.trim()}`, problems };
    const found = {
      ...about,
      code: "command-words-dropped",
      message: `/${name} takes no words, so what follows it is left out`,
    };
    return { text, problems: [...problems, { ...found, fix: "Put $ARGUMENTS where the words belong" }] };
  }
  const found = literal.map((word): Diagnostic => ({
    ...about,
    code: "command-placeholder-literal",
    message: `"${word}" looks like a placeholder and stands in the text of /${name} as it is: words are not filled again`,
    fix: "Write the value itself",
  }));
  return { text, problems: [...problems, ...found] };
}

const nested = "command-folder-nested";

function isAbout(name: string, file: string | undefined): boolean {
  return file !== undefined && path.basename(file).replace(/\.md$/i, "") === name;
}
