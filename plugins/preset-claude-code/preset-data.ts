import type { PresetData } from "@quire/core";
import instructions from "../../prompts/preset-claude-code/instructions.md";

/** Below every project folder, in the order in which its files are read. */
const projectNames = ["CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/*.md"];

/** The user's folder of that system. */
const userFolder = ["$CLAUDE_CONFIG_DIR", "~/.claude"];

export const presetData: PresetData = {
  summary:
    "Static rules before a cache boundary, CLAUDE.md of four scopes, MEMORY.md, a prompt of its own for subagents",
  layout: "claude-code",
  config: {
    prompt: { prefix: "rebuilt" },
    profiles: {
      paths: [".claude/agents", ["$CLAUDE_CONFIG_DIR/agents", "~/.claude/agents"]],
      // The preset's own section holds the chosen one.
      inject: false,
    },
    instruction_files: {
      places: [
        { folder: "/etc/claude-code", names: ["CLAUDE.md"], scope: "managed" },
        { folder: userFolder, names: ["CLAUDE.md"], scope: "user" },
        { walk: "filesystem-root", names: projectNames, take: "all", scope: "project" },
        { walk: "filesystem-root", names: ["CLAUDE.local.md"], scope: "local" },
        { extra: true },
      ],
      budget: false,
      trim_end: true,
      intro: instructions.trim(),
      reading: "session",
    },
    skills: {
      roots: [
        ".agents/skills",
        "~/.agents/skills",
        ".claude/skills",
        { folder: userFolder.map((folder) => `${folder}/skills`), scope: "user" },
      ],
    },
    commands: {
      folders: [
        { folder: "$QUIRE_HOME/commands" },
        { folder: userFolder.map((folder) => `${folder}/commands`) },
        { folder: ".quire/commands", trusted: true },
        { folder: ".claude/commands", trusted: true },
      ],
    },
    memory: {
      paths: [userFolder.map((folder) => `${folder}/projects/{project}/memory/MEMORY.md`)],
      audience: ["main"],
      group: "base",
    },
    sections: {
      "base/identity": false,
      "base/rules": false,
      "base/tools": false,
      "environment/facts": false,
      "environment/host": false,
      "permissions/policy": false,
    },
  },
  files: [
    {
      scope: "user",
      paths: ["$CLAUDE_CONFIG_DIR/settings.json", "~/.claude/settings.json"],
      keys: {
        language: "claude_code.language",
        outputStyle: "claude_code.output_style",
        autoMemoryEnabled: "memory.enabled",
      },
    },
  ],
};
