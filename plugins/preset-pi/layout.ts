import type { Layout, Piece, PieceBuilder, Pieces, ResolvedSection, SectionItem } from "@quire/core";
import unlisted from "../../prompts/preset-pi/unlisted.md";

type Items = Extract<ResolvedSection["content"], { kind: "items" }>;

/** Body, appended texts, instruction files, skills, and the working directory last. Texts stand as they are. */
export const piLayout: Layout = {
  name: "pi",
  slots: [
    { slot: "identity" },
    { slot: "tools" },
    { slot: "rules" },
    { slot: "end" },
    { slot: "instructions" },
    { slot: "project" },
    { slot: "skills" },
    { slot: "agents" },
    { slot: "mcp" },
    { slot: "memory" },
    { slot: "session" },
    { slot: "environment" },
  ],
  escape: "raw",
  render(section, p) {
    const { content } = section;
    if (content.kind !== "items" || content.items.length === 0) return p.body(section);
    const own = renderers.get(section.name);
    return own === undefined ? p.body(section) : own(section, content, p);
  },
};

type Render = (section: ResolvedSection, content: Items, p: PieceBuilder) => Pieces;

const renderers: ReadonlyMap<string, Render> = new Map<string, Render>([
  ["base/tools", (section, content, p) => p.around(section, toolLists(section, content, p))],
  [
    "agents-md/files",
    (section, content, p) => p.block("project_context", {}, p.around(section, files(section, content, p))),
  ],
  ["skills/catalog", (section, content, p) => p.around(section, skills(section, content, p))],
]);

function toolLists(section: ResolvedSection, content: Items, p: PieceBuilder): Pieces {
  const group = (name: string) => content.items.filter(({ attrs }) => attrs?.["group"] === name);
  const tools = group("tool").map((item) => p`- ${item.id}: ${p.item(item, section)}`);
  const lines = group("guideline").map((item) => p`- ${p.item(item, section)}`);
  const list = tools.length === 0 ? p`(none)` : joined(tools, "\n", p);
  return p`Available tools:\n${list}\n\n${unlisted.trim()}\n\nGuidelines:\n${joined(lines, "\n", p)}`;
}

function files(section: ResolvedSection, content: Items, p: PieceBuilder): Pieces {
  const blocks = content.items.map((item) =>
    p.block("project_instructions", { path: item.attrs?.["path"] ?? item.id }, p.item(item, section)),
  );
  return joined([intro(section, content), ...blocks], "\n\n", p);
}

function skills(section: ResolvedSection, content: Items, p: PieceBuilder): Pieces {
  const entries = content.items.map((item) => {
    const value = (text: string) => escaped(text, item, section);
    const { name = item.id, location = "" } = item.attrs ?? {};
    return p`  <skill>\n    <name>${value(name)}</name>\n    <description>${value(item.text ?? "")}</description>\n    <location>${value(location)}</location>\n  </skill>`;
  });
  const block = p`<available_skills>\n${joined(entries, "\n", p)}\n</available_skills>`;
  return joined([intro(section, content), block], "\n\n", p);
}

function intro(section: ResolvedSection, content: Items): Pieces {
  return content.intro === undefined || content.intro === "" ? [] : [{ text: content.intro, from: section.origin }];
}

/** A value that can neither end its tag nor begin another. */
function escaped(text: string, item: SectionItem, section: ResolvedSection): Piece {
  const safe = text.replaceAll(/[&<>"']/g, (sign) => entities.get(sign) ?? sign);
  return { text: safe, from: item.origin ?? section.origin };
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
]);

function joined(groups: readonly Pieces[], separator: string, p: PieceBuilder): Pieces {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [...p`${separator}`, ...group]));
}
