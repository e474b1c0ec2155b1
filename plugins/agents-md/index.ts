import { definePlugin } from "@quire/core";
import cutMarker from "../../prompts/agents-md/cut.md";
import intro from "../../prompts/agents-md/intro.md";
import { chainOf } from "./chain.js";
import { instructionItems, loadFiles } from "./load-files.js";
import { agentsMdOptions, maxChainBytes } from "./options.js";

/** Brings the instruction files of user and project into the prompt, the nearest last. */
export default definePlugin({
  name: "agents-md",
  apiVersion: 1,
  options: agentsMdOptions,
  configKeys: ["instruction_files"],
  setup(host) {
    const { enabled, extra, ...files } = host.options.instruction_files;
    const budget = files.budget === false ? maxChainBytes : files.budget;
    const marker = cutMarker.trim().replace("{budget}", String(budget));
    const required = new Set(extra);
    const reported = new Set<string>();
    host.sections.register({
      name: "agents-md/files",
      slot: "project",
      cache: "memoized",
      budget: { maxBytes: budget, overflow: "cut", keep: "last", marker: () => `\n${marker}` },
      when: () => enabled,
      async compute(context) {
        const { files, problems } = await loadFiles(context, chainOf(context, extra), required, budget);
        for (const problem of problems.filter(({ message }) => !reported.has(message))) {
          reported.add(problem.message);
          host.report(problem);
        }
        return instructionItems(files, intro.trim());
      },
    });
  },
});
