import type { Attrs, PieceBuilder, Pieces, ResolvedSection, SectionItem } from "@quire/core";
import omittedText from "../../prompts/preset-coding-agent/omitted.md";

type Items = Extract<ResolvedSection["content"], { kind: "items" }>;

interface EntryForm {
  readonly tag: string;
  /** Attributes of the item that its tag shows. */
  readonly attrs: readonly string[];
}

/** The form of one entry, by section; any other entry is a line. */
const forms: ReadonlyMap<string, EntryForm> = new Map([
  ["agents-md/files", { tag: "project_instructions", attrs: ["path"] }],
  ["skills/catalog", { tag: "skill", attrs: ["handle", "name", "scope"] }],
  ["mcp/servers", { tag: "server", attrs: ["id", "name", "access"] }],
]);

/** Lead text, entries, and the number of those left out. */
export function itemList(section: ResolvedSection, content: Items, p: PieceBuilder): Pieces {
  const form = forms.get(section.name);
  const entries = content.items.map((item) => entry(item, section, form, p));
  const omitted = content.omitted ?? 0;
  const note = omitted === 0 ? [] : p`${omittedText.trim().replace("{count}", String(omitted))}`;
  const intro: Pieces =
    (content.intro ?? "") === "" ? [] : [{ text: escaped(content.intro ?? ""), from: section.origin }];
  const list = joined([...entries, note], "\n", p);
  return joined([intro, list], "\n\n", p);
}

function entry(item: SectionItem, section: ResolvedSection, form: EntryForm | undefined, p: PieceBuilder): Pieces {
  const text = p.item(item, section);
  if (form !== undefined) return p.block(form.tag, shown(form.attrs, item.attrs ?? {}), text);
  const name = item.attrs?.["name"] ?? item.id;
  const label = { text: escaped(name), from: item.origin ?? section.origin };
  return text.length === 0 ? p`- ${label}` : p`- ${label}: ${text}`;
}

function shown(names: readonly string[], attrs: Attrs): Attrs {
  const pairs = names.map((name) => [name, attrs[name]] as const);
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function joined(groups: readonly Pieces[], separator: string, p: PieceBuilder): Pieces {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [...p`${separator}`, ...group]));
}
