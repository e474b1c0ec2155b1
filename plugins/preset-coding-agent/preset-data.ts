import type { PresetData } from "@quire/core";

/** UTF-8 bytes of the markup around one skill, its handle and scope included as far as they are short. */
const skillMarkupBytes = 96;

/** What the plugins do under this preset. */
export const codingAgentPreset: PresetData = {
  summary: "coding-agent: rules, folder and files in tags, then tools, skills and servers of the moment",
  layout: "coding-agent",
  config: {
    prompt: { prefix: "rebuilt", flag_files: false },
    sections: { "environment/host": false },
    instruction_files: {
      places: [{ walk: "filesystem-root", names: ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"], scope: "project" }],
      budget: false,
      intro: "",
      reading: "session",
      includes: false,
      path_rules: false,
    },
    skills: { load: "tool", show_empty: true, entry_bytes: skillMarkupBytes },
  },
};
