import { definePlugin } from "@quire/core";
import { instructionsBody } from "./instructions.js";
import { createNamedFiles } from "./named-files.js";
import { agentsMdOptions } from "./options.js";
import { createSessionReading } from "./reading.js";

/** Brings the instruction files of user and project into the prompt, by a rule set that presets give as options. */
export default definePlugin({
  name: "agents-md",
  apiVersion: 1,
  options: agentsMdOptions,
  configKeys: ["instruction_files"],
  setup(host) {
    const options = host.options.instruction_files;
    const named = createNamedFiles();
    const reading = createSessionReading();
    host.sections.register({
      name: "agents-md/files",
      slot: "project",
      ...instructionsBody({
        options,
        named,
        reading,
        frontMatter: (text) => host.frontMatter(text),
        report: (problem) => host.report(problem),
      }),
    });
    if (options.path_rules) {
      host.hooks.userInput.tap(({ text }, context) => named.addWords(context.session.id, text, context));
      host.hooks.beforeToolCall.tap(({ args }, context) => named.addArguments(context.session.id, args, context));
    }
    host.hooks.sessionStart.tap((event) => {
      named.forget(event.session.id);
      reading.begin(event);
    });
    host.hooks.sessionEnd.tap(({ session }) => {
      named.forget(session.id);
      reading.end(session.id);
    });
  },
});
