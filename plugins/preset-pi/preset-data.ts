import type { PresetData } from "@quire/core";
import projectContext from "../../prompts/preset-pi/project-context.md";

/** Of one folder the first of these counts. */
const contextNames = ["AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"];

/** What a project brings under this system only with trust. */
const trustedPaths = [
  ".pi/SYSTEM.md",
  ".pi/APPEND_SYSTEM.md",
  ".pi/settings.json",
  ".pi/prompts",
  ".pi/skills",
  ".agents/skills",
];

/** More than any model reads, and less than a section may hold: this system has no limit. */
const noLimitBytes = 3_500_000;

/** What the plugins do under this preset, and the config files of its system. */
export const piPreset: PresetData = {
  summary: "pi: a short role, tools and guidelines, then files, skills and the working directory",
  layout: "pi",
  config: {
    prompt: { prefix: "rebuilt" },
    trust: { paths: trustedPaths },
    sections: { "environment/host": false, "permissions/policy": false },
    instruction_files: {
      places: [
        { folder: "~/.pi/agent", names: contextNames, scope: "user" },
        { walk: "filesystem-root", names: contextNames, scope: "project" },
      ],
      budget: false,
      intro: projectContext.trim(),
      includes: false,
      path_rules: false,
      report_hidden: true,
    },
    skills: {
      roots: [
        "~/.agents/skills",
        "~/.pi/agent/skills",
        { folder: ".agents/skills", under: "ancestors", trusted: true },
        { folder: ".pi/skills", under: "ancestors", trusted: true },
      ],
      load: "read",
      budget: noLimitBytes,
    },
    commands: {
      folders: [
        { folder: "~/.pi/agent/prompts" },
        { folder: ".pi/prompts", under: "project", trusted: true },
        { folder: ".pi/prompts", under: "cwd", trusted: true },
      ],
      package_commands: { key: "pi.prompts", folder: "prompts" },
      spare_words: "drop",
    },
  },
  files: [
    {
      scope: "user",
      paths: ["~/.pi/agent/settings.json"],
      keys: { prompts: "commands.paths", packages: "commands.packages" },
    },
    {
      scope: "project",
      paths: [".pi/settings.json"],
      keys: { prompts: "commands.paths", packages: "commands.packages" },
    },
  ],
};
