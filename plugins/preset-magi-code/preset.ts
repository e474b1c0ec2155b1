import type { PresetData } from "@quire/core";
import contextFiles from "../../prompts/preset-magi-code/context-files.md";

const home = ["$MC_HOME", "~/.magi-code"];

/** The system's rules that are options of other plugins. */
export const magiCodePreset: PresetData = {
  summary: "Six strict text fragments, each replaceable by a file; skills by address; context files last",
  layout: "magi-code",
  files: [
    {
      scope: "user",
      paths: home.flatMap((folder) => ["config.yaml", "config.yml", "config.json"].map((name) => `${folder}/${name}`)),
      keys: {
        "capabilities.tools.code_mode.enabled": "magi_code.code_mode",
        "knowledge.instructions.additional_markdown_paths": "instruction_files.extra",
        "knowledge.skills.additional_paths": "skills.paths",
      },
    },
  ],
  config: {
    sections: {
      "base/identity": false,
      "base/rules": false,
      "base/tools": false,
      "environment/facts": false,
      "environment/host": false,
      "memory/files": false,
      "permissions/policy": false,
    },
    profiles: {
      paths: [home.map((folder) => `${folder}/subagents`)],
      primary_paths: [home.map((folder) => `${folder}/agents`)],
      // The layout shows the chosen one by itself, behind everything else.
      inject: false,
    },
    instruction_files: {
      places: [
        { folder: home, names: ["AGENTS.md"], scope: "user" },
        { walk: "cwd", names: ["AGENTS.md"], scope: "project" },
        { extra: true, endings: [".md"], scope: "extra" },
      ],
      budget: false,
      intro: contextFiles.trim(),
      missing: "No AGENTS.md instruction files were discovered.",
      reading: "session",
      includes: false,
      path_rules: false,
    },
    // A late system text joins the prompt: it keeps no place of its own.
    plugins: {
      "provider-openai": { options: { late_system: "joined" } },
      "provider-anthropic": { options: { late_system: "joined" } },
    },
    skills: {
      roots: [{ folder: home.map((folder) => `${folder}/skills`) }, ".agents/skills"],
      load: "url",
      visible: "always",
    },
  },
};
