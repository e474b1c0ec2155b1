import type { Layout, SectionItem } from "@quire/core";
import environment from "../../prompts/preset-claude-code/environment.md";
import mcp from "../../prompts/preset-claude-code/mcp.md";
import omittedText from "../../prompts/preset-claude-code/omitted.md";
import { renderReminder } from "./reminder.js";
import { renderMarkup, type Markup } from "./markup.js";
import { isSkipped } from "./skipped.js";

const omitted = omittedText.trim();

const own = (name: string, markup: Omit<Markup, "omitted">): readonly [string, Markup] => [
  `preset-claude-code/${name}`,
  { ...markup, omitted },
];

/** Markup of the sections this layout knows; any other stands bare. */
const knownMarkup: ReadonlyMap<string, Markup> = new Map<string, Markup>([
  own("system", { heading: "# System" }),
  own("reminders", { heading: "# System" }),
  own("doing-tasks", { heading: "# Doing tasks" }),
  own("actions", { heading: "# Acting with care" }),
  own("using-tools", { heading: "# Using your tools" }),
  own("tone-and-style", { heading: "# Tone and style" }),
  own("output-efficiency", { heading: "# Output efficiency" }),
  own("guidance", { heading: "# This session" }),
  own("environment", { heading: "# Environment", lead: environment.trim(), bullet: "- " }),
  own("language", { heading: "# Language" }),
  own("output-style", { label: ({ attrs }) => `# Output style: ${attrs?.["name"] ?? ""}` }),
  own("scratchpad", { heading: "# Scratchpad" }),
  own("date", { heading: "# Current date" }),
  own("proactive", { heading: "# Working on your own" }),
  own("custom-agent", { heading: "# Custom Agent Instructions" }),
  own("agent-notes", { heading: "# Notes" }),
  own("agent-environment", { tag: "env" }),
  ["memory/files", { heading: "# Memory", label: ({ id }) => `File ${id}:`, omitted }],
  ["agents-md/files", { heading: "# Instructions", label: instructionLabel, omitted }],
  ["user/instructions", { heading: "# The user's own instructions", omitted }],
  ["skills/catalog", { heading: "# Skills", omitted }],
  [
    "mcp/servers",
    { heading: "# MCP Server Instructions", lead: mcp.trim(), label: (item) => `## ${nameOf(item)}`, omitted },
  ],
]);

/**
 * Sections as Markdown under headings, in two halves: seven that are equal for everyone, then those of the session. The
 * boundary between them is a place and never text. File text is copied as it stands.
 */
export const claudeCodeLayout: Layout = {
  name: "claude-code",
  slots: [
    { slot: "identity" },
    { slot: "rules" },
    { slot: "tools" },
    { slot: "memory" },
    { slot: "environment" },
    { slot: "mcp" },
    { slot: "agents" },
    { slot: "skills" },
    { slot: "project" },
    { slot: "instructions" },
    { slot: "session" },
    { slot: "end" },
  ],
  escape: "fence",
  render: (section, p, view) =>
    isSkipped(section, view) ? [] : renderMarkup(section, knownMarkup.get(section.name) ?? { omitted }, p),
  context: renderReminder,
};

const scopes: Readonly<Record<string, string>> = {
  managed: "managed instructions of this machine, for all its users",
  user: "the user's own instructions, for every project",
  project: "instructions of the project, shared by all who work on it",
  local: "the user's own instructions for this project, not shared",
};

function instructionLabel({ id, attrs }: SectionItem): string {
  const scope = scopes[attrs?.["scope"] ?? ""];
  const includedBy = attrs?.["included-by"];
  const notes = [scope, includedBy === undefined ? undefined : `included by ${includedBy}`];
  const known = notes.filter((note) => note !== undefined);
  return known.length === 0 ? `File ${id}:` : `File ${id} (${known.join("; ")}):`;
}

function nameOf({ id, attrs }: SectionItem): string {
  return attrs?.["name"] ?? id;
}
