import type { PieceBuilder, Pieces, ResolvedSection, SectionItem } from "@quire/core";

type Items = Extract<ResolvedSection["content"], { kind: "items" }>;

/** How one section is written, as data. */
export interface Markup {
  readonly heading?: string;
  /** A sentence of the layout's own between heading and content. */
  readonly lead?: string;
  /** Encloses the content. */
  readonly tag?: string;
  /** The line over an item; without it an item is a list line. */
  readonly label?: (item: SectionItem) => string;
  /** Before each fact. */
  readonly bullet?: string;
  /** The line that counts what was left out, with `{count}`. */
  readonly omitted: string;
}

/** Heading, lead and content. No content, no heading. */
export function renderMarkup(section: ResolvedSection, markup: Markup, p: PieceBuilder): Pieces {
  const body = contentPieces(section, markup, p);
  if (body.length === 0) return [];
  const enclosed = markup.tag === undefined ? body : p.block(markup.tag, {}, body);
  return [...headOf(section, markup, p), ...enclosed];
}

function headOf({ content }: ResolvedSection, { heading, lead }: Markup, p: PieceBuilder): Pieces {
  const title = heading === undefined ? [] : p`${heading}\n${isBareText(content, lead) ? "" : "\n"}`;
  return lead === undefined ? title : [...title, ...p`${lead}\n\n`];
}

/** A list right under its heading needs no blank line. */
function isBareText(content: ResolvedSection["content"], lead: string | undefined): boolean {
  return lead === undefined && content.kind === "text" && content.text.startsWith("- ");
}

function contentPieces(section: ResolvedSection, markup: Markup, p: PieceBuilder): Pieces {
  const { content } = section;
  if (content.kind === "facts" && content.facts.length > 0) {
    const lines = content.facts.map(([key, value]) => `${markup.bullet ?? ""}${key}: ${value}`);
    return p.around(section, [{ text: lines.join("\n"), from: section.origin }]);
  }
  if (content.kind !== "items" || (content.items.length === 0 && (content.omitted ?? 0) === 0)) return p.body(section);
  return p.around(section, itemPieces(section, content, markup, p));
}

function itemPieces(section: ResolvedSection, content: Items, markup: Markup, p: PieceBuilder): Pieces {
  const { label } = markup;
  const shown = content.items.filter(({ attrs }) => attrs?.["unreadable"] === undefined);
  const items = shown.map((item) =>
    label === undefined ? lineOf(item, section, p) : p`${label(item)}\n\n${p.item(item, section)}`,
  );
  const omitted = content.omitted ?? 0;
  const list = joined(
    [...items, omitted === 0 ? [] : p`${markup.omitted.replace("{count}", String(omitted))}`],
    label === undefined ? "\n" : "\n\n",
    p,
  );
  const intro: Pieces = (content.intro ?? "") === "" ? [] : [{ text: content.intro ?? "", from: section.origin }];
  return joined([intro, list], "\n\n", p);
}

function lineOf(item: SectionItem, section: ResolvedSection, p: PieceBuilder): Pieces {
  const text = p.item(item, section);
  const name = item.attrs?.["name"];
  if (name === undefined) return text.length === 0 ? p`- ${item.id}` : p`- ${text}`;
  const title = { text: name, from: item.origin ?? section.origin };
  return text.length === 0 ? p`- ${title}` : p`- ${title}: ${text}`;
}

function joined(groups: readonly Pieces[], separator: string, p: PieceBuilder): Pieces {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [...p`${separator}`, ...group]));
}
