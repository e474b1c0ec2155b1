import { definePlugin } from "@quire/core";
import { commandsOptions } from "./options.js";
import { expandCommand } from "./run-command.js";

export { listCommands } from "./list-commands.js";
export { commandsOptions } from "./options.js";
export { expandCommand } from "./run-command.js";

export type { ListedCommand } from "./list-commands.js";
export type { CommandOptions } from "./options.js";
export type { Expanded } from "./run-command.js";

/** Lets Markdown files be commands: `/name words` becomes the file's text with its placeholders filled. */
export default definePlugin({
  name: "commands",
  apiVersion: 1,
  options: commandsOptions,
  configKeys: ["commands"],
  setup(host) {
    const reported = new Set<string>();
    host.hooks.userInput.tap(async (input, context) => {
      if (!input.text.startsWith("/")) return undefined;
      const frontMatter = (text: string) => host.frontMatter(text);
      const { text, problems } = await expandCommand(input.text, context, host.options.commands, frontMatter);
      for (const problem of problems.filter(({ message }) => !reported.has(message))) {
        reported.add(problem.message);
        host.report(problem);
      }
      return text === undefined ? undefined : { ...input, text };
    });
  },
});
