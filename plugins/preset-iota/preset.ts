import type { PresetData } from "@quire/core";
import { skillEntryBytes } from "./layout.js";

/** What each key of the system's own config files sets; `-c` is the flag of that name. */
const keys = {
  tools: "iota.tools",
  workspace: "iota.workspace",
  system: "instructions",
  system_file: "instructions.file",
  "-c": "iota.config_file",
} as const;

/** The system's rules that are options of other plugins. */
export const iotaPreset: PresetData = {
  summary: "Bare by default: harness, instructions, AGENTS.md chain and skills only when config asks for them",
  layout: "iota",
  files: [
    { scope: "user", paths: ["~/.iota.yaml", "~/.iota.yml"], keys },
    { scope: "project", paths: [".iota.yaml", ".iota.yml"], keys },
  ],
  config: {
    prompt: { prefix: "rebuilt", record: "hashes" },
    sections: {
      "base/identity": false,
      "base/rules": false,
      "base/tools": false,
      "environment/facts": false,
      "environment/host": false,
      "memory/files": false,
      "permissions/policy": false,
    },
    instruction_files: {
      places: [{ walk: "project-root", names: ["AGENTS.md"] }],
      budget: 32_768,
      keep: "first",
      marker: "<!-- AGENTS.md chain truncated at 32 KiB -->",
      intro: "",
      trim_end: true,
      includes: false,
      path_rules: false,
      count_unreadable: true,
    },
    skills: {
      roots: [".agents/skills", "~/.iota/skills", "~/.agents/skills"],
      wins: "first",
      order: "roots",
      visible: "always",
      budget: 32_768,
      entry_bytes: skillEntryBytes,
    },
  },
};
