import { definePlugin } from "@quire/core";
import agentCli from "../../prompts/preset-iota/agent-cli.md";
import preamble from "../../prompts/preset-iota/preamble.md";
import { environmentContent, readFacts } from "./facts.js";
import { iotaLayout } from "./layout.js";
import { iotaOptions } from "./options.js";
import { iotaPreset } from "./preset.js";
import { writtenSets } from "./tool-sets.js";

/** The prompt by the rules of iota: bare text, and a harness only beside written tool sets. */
export default definePlugin({
  name: "preset-iota",
  apiVersion: 1,
  preset: iotaPreset,
  options: iotaOptions,
  configKeys: ["iota"],
  setup(host) {
    const { iota } = host.options;
    const { sets, problems } = writtenSets(iota.tools);
    for (const problem of problems) host.report(problem);
    host.layouts.register(iotaLayout);
    host.sections.register({
      name: "preset-iota/preamble",
      slot: "identity",
      cache: "memoized",
      scope: "global",
      when: () => sets.size > 0,
      compute: () => preamble.trim(),
    });
    host.sections.register({
      name: "preset-iota/environment",
      slot: "environment",
      cache: "memoized",
      when: () => sets.size > 0,
      compute: async (context) => environmentContent(await readFacts(context, iota)),
    });
    host.sections.register({
      name: "preset-iota/agent-cli",
      slot: "host",
      cache: "memoized",
      when: () => sets.has("shell"),
      compute: () => agentCli.trim(),
    });
    if (!iota.workspace) {
      for (const section of ["agents-md/files", "skills/catalog"]) {
        host.sections.remove(section, "workspace is not true");
      }
    }
  },
});
