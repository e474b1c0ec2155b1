import type { Layout, LayoutView, Piece, PieceBuilder, Pieces, ResolvedSection, SectionItem } from "@quire/core";
import skillsSentence from "../../prompts/preset-iota/skills.md";

const harness = ["preset-iota/preamble", "preset-iota/environment", "preset-iota/agent-cli"];

/** Harness, the user's own text, then the overlay of files and skills; what is not there leaves nothing behind. */
export const iotaLayout: Layout = {
  name: "iota",
  slots: [
    { slot: "identity" },
    { slot: "rules" },
    { slot: "tools" },
    { slot: "environment" },
    { slot: "host" },
    { slot: "agents" },
    { slot: "mcp" },
    { slot: "memory" },
    { slot: "instructions" },
    { slot: "project" },
    { slot: "skills" },
    { slot: "session" },
    { slot: "end" },
  ],
  escape: "raw",
  render(section, p, view) {
    switch (section.name) {
      case "preset-iota/environment":
        return p.block("environment", {}, p.body(section));
      case "preset-iota/agent-cli":
        return p.block("agent_cli", {}, p.body(section));
      case "user/instructions":
        return isBare(view) ? p.body(section) : p.block("instructions", {}, p.body(section));
      case "agents-md/files":
        return chain(section, p);
      case "skills/catalog":
        return catalog(section, p);
      default:
        return p.body(section);
    }
  },
};

/** Without a harness the user's text goes as it would in a plain chat. */
function isBare(view: LayoutView): boolean {
  return !harness.some((name) => view.has(name));
}

/** The files one after another, a blank line between two, nothing around them. */
function chain(section: ResolvedSection, p: PieceBuilder): Pieces {
  if (section.content.kind !== "items") return p.body(section);
  const files = section.content.items.map((item) => p.item(item, section)).filter((pieces) => pieces.length > 0);
  return p.around(section, joined(files, "\n\n", p));
}

function catalog(section: ResolvedSection, p: PieceBuilder): Pieces {
  const { content } = section;
  if (content.kind !== "items") return p.body(section);
  const count = content.omitted ?? 0;
  const note = count === 0 ? [] : [p`<note>${String(count)} more skill(s) omitted: catalog size cap reached</note>`];
  const entries = content.items.map((item) => skillEntry(item, section, p));
  const block = p.block("available_skills", {}, joined([...entries, ...note], "\n", p));
  return p.around(section, p`${skillsSentence.trim()}\n\n${block}`);
}

function skillEntry(item: SectionItem, section: ResolvedSection, p: PieceBuilder): Pieces {
  const from = item.origin ?? section.origin;
  const piece = (text: string): Piece => ({ text: escapeText(text), from });
  const name = piece(item.attrs?.["name"] ?? item.id);
  return p`<skill>\n<name>${name}</name>\n<description>${piece(item.text ?? "")}</description>\n</skill>`;
}

/** Bytes that `skillEntry` adds to name and description, with the line end behind it. */
export const skillEntryBytes = Buffer.byteLength("<skill>\n<name></name>\n<description></description>\n</skill>\n");

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function joined(groups: readonly Pieces[], separator: string, p: PieceBuilder): Pieces {
  return groups.flatMap((group, index) => (index === 0 ? group : [...p`${separator}`, ...group]));
}
