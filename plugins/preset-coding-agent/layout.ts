import type { Layout, PieceBuilder, Pieces, ResolvedSection, SectionContent } from "@quire/core";
import overText from "../../prompts/preset-coding-agent/over.md";
import { itemList } from "./item-list.js";

/** The tag of each section; what stands in none is plain text. */
const tags: ReadonlyMap<string, string> = new Map([
  ["base/rules", "rules"],
  ["environment/facts", "cwd"],
  ["agents-md/files", "project_context"],
  ["preset-coding-agent/tools", "tools"],
  ["preset-coding-agent/tool-usage", "tool_usage"],
  ["mcp/servers", "mcp_servers"],
  ["skills/catalog", "skills"],
  ["subagents/profiles", "agents"],
  ["memory/files", "memory"],
  ["user/instructions", "instructions"],
  ["permissions/policy", "permissions"],
]);
const plain: ReadonlySet<string> = new Set(["base/identity", "user/append"]);

/** A plain base, then one tag for each part; text within a tag is escaped, so that it can neither end nor begin one. */
export const codingAgentLayout: Layout = {
  name: "coding-agent",
  slots: [
    { slot: "identity" },
    { slot: "rules" },
    { slot: "environment" },
    { slot: "project" },
    { slot: "tools" },
    { slot: "mcp" },
    { slot: "skills" },
    { slot: "agents" },
    { slot: "memory" },
    { slot: "instructions" },
    { slot: "session" },
    { slot: "end" },
  ],
  escape: "entities",
  render: (section, p) => (plain.has(section.name) ? literal(section, p) : tagged(section, tagOf(section.name), p)),
  context(change, p) {
    const name = change.section ?? change.cause;
    const content: SectionContent = change.content ?? { kind: "text", text: overText.trim() };
    return tagged(asSection(name, content), tagOf(name), p);
  },
};

function tagged(section: ResolvedSection, tag: string, p: PieceBuilder): Pieces {
  const { content } = section;
  const hasItems = content.kind === "items" && content.items.length + (content.omitted ?? 0) > 0;
  const body = hasItems ? p.around(section, itemList(section, content, p)) : p.body(section);
  if (body.length === 0) return [];
  const isOneLine = !body.some(({ text }) => text.includes("\n"));
  return isOneLine ? p`<${tag}>${body}</${tag}>` : p.block(tag, {}, body);
}

/** Every author's text as it stands, sign by sign. */
function literal(section: ResolvedSection, p: PieceBuilder): Pieces {
  const { content, cut, origin, prepended, appended } = section;
  if (content.kind !== "text") return p.body(section);
  const text = { text: content.text, from: origin, ...(cut === undefined ? {} : { truncated: true }) };
  const marker = { text: cut?.marker ?? "", from: { kind: "host" } } as const;
  const parts: readonly Pieces[] = [
    ...prepended.map((part): Pieces => [{ text: part.text, from: part.origin }]),
    cut?.at === "start" ? [marker, text] : [text, marker],
    ...appended.map((part): Pieces => [{ text: part.text, from: part.origin }]),
  ];
  return parts.flatMap((part, index) => (index === 0 ? part : [...p`\n\n`, ...part]));
}

function tagOf(name: string): string {
  return tags.get(name) ?? (name.replaceAll(/[^\p{L}\p{N}]+/gu, "_").replaceAll(/^_|_$/g, "") || "section");
}

function asSection(name: string, content: SectionContent): ResolvedSection {
  return {
    name,
    slot: "session",
    owner: "host",
    cache: "memoized",
    scope: "session",
    content,
    origin: { kind: "host" },
    state: "fresh",
    prepended: [],
    appended: [],
  };
}
