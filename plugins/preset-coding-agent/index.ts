import { definePlugin } from "@quire/core";
import preamble from "../../prompts/preset-coding-agent/preamble.md";
import rules from "../../prompts/preset-coding-agent/rules.md";
import { codingAgentLayout } from "./layout.js";
import { codingAgentPreset } from "./preset-data.js";
import { toolNamesSection, toolUsageSection } from "./tool-sections.js";

/** The prompt by the rules of coding-agent. */
export default definePlugin({
  name: "preset-coding-agent",
  apiVersion: 1,
  preset: codingAgentPreset,
  setup(host) {
    host.layouts.register(codingAgentLayout);
    host.sections.replace("base/identity", preamble.trim());
    host.sections.replace("base/rules", rules.trim());
    host.sections.remove("base/tools", "tool rules stand outside the base, so that a custom base keeps them");
    host.sections.replace("environment/facts", { cache: "memoized", key: ({ cwd }) => cwd, compute: ({ cwd }) => cwd });
    host.sections.register(toolNamesSection);
    host.sections.register(toolUsageSection);
  },
});
