import type { Layout, ResolvedSection } from "@quire/core";
import omittedText from "../../prompts/base/omitted.md";
import { renderContext } from "./context-note.js";
import { renderSection, type SectionMarkup } from "./section-markup.js";

const omitted = omittedText.trim();

/** Markup of the sections this layout knows; any other text stands bare, other facts and items in a block of their name. */
const knownMarkup: ReadonlyMap<string, SectionMarkup> = new Map<string, SectionMarkup>([
  ["base/tools", { tag: "tools", groups: { tool: "", guideline: "Guidelines:" }, omitted }],
  ["skills/catalog", { tag: "skills", omitted }],
  ["environment/facts", { tag: "environment", omitted }],
  ["environment/host", { tag: "host_commands", omitted }],
  ["agents-md/files", { tag: "project_context", itemTag: "project_instructions", itemAttrs: ["path"], omitted }],
  ["memory/files", { tag: "memory", itemTag: "memory_file", itemAttrs: ["path"], omitted }],
  ["user/instructions", { tag: "instructions", omitted }],
]);

/**
 * The default layout: identity and rules as plain Markdown, everything else in a tag that says what it is. File text is
 * copied as it stands; a tag whose content could close it gets a suffix.
 */
export const quireLayout: Layout = {
  name: "quire",
  slots: [
    { slot: "identity" },
    { slot: "rules" },
    { slot: "tools" },
    { slot: "agents" },
    { slot: "skills" },
    { slot: "mcp" },
    { slot: "environment" },
    { slot: "memory" },
    { slot: "project" },
    { slot: "instructions" },
    { slot: "session" },
    { slot: "end" },
  ],
  escape: "fence",
  render: (section, p) => renderSection(section, markupOf(section.name, section.content), p),
  context(change, p) {
    const { tag: _enclosedAlready, ...markup } = markupOf(change.section ?? "", change.content);
    return renderContext(change, markup, p);
  },
};

function markupOf(name: string, content: ResolvedSection["content"] | null): SectionMarkup {
  const known = knownMarkup.get(name);
  if (known !== undefined) return known;
  if (content === null || content.kind === "text") return { omitted };
  return { tag: name.replaceAll(/[^\p{L}\p{N}]+/gu, "_").replace(/^_/, ""), omitted };
}
