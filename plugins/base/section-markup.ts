import type { Attrs, Piece, PieceBuilder, Pieces, ResolvedSection, SectionItem } from "@quire/core";

/** How a layout writes one section, as data. */
export interface SectionMarkup {
  /** Encloses the section; without one its content stands bare. */
  readonly tag?: string;
  /** Each item becomes a block of this tag; without one, a list line `- name: text`. */
  readonly itemTag?: string;
  /** Attributes of an item that its block shows. */
  readonly itemAttrs?: readonly string[];
  /** A heading line over the items whose `group` attribute is the key; in this order, items without a group first. */
  readonly groups?: Attrs;
  /** The line that counts what was left out, with `{count}`. */
  readonly omitted: string;
}

/** One section with its markup. No content, no markup. */
export function renderSection(section: ResolvedSection, markup: SectionMarkup, p: PieceBuilder): Pieces {
  const body =
    section.content.kind === "items" && (section.content.items.length > 0 || (section.content.omitted ?? 0) > 0)
      ? p.around(section, renderItems(section, section.content, markup, p))
      : p.body(section);
  return body.length === 0 || markup.tag === undefined ? body : p.block(markup.tag, {}, body);
}

type Items = Extract<ResolvedSection["content"], { kind: "items" }>;

function renderItems(section: ResolvedSection, content: Items, markup: SectionMarkup, p: PieceBuilder): Pieces {
  const isLines = markup.itemTag === undefined;
  const groups = groupItems(content.items, markup.groups ?? {}).map(({ heading, items }) => {
    const rendered = items.map((item) => (isLines ? line(item, section, p) : itemBlock(item, section, markup, p)));
    return joined(heading === "" ? rendered : [p`${heading}`, ...rendered], isLines ? "\n" : "\n\n", p);
  });
  const omitted = content.omitted ?? 0;
  const note = omitted > 0 ? p`${markup.omitted.replace("{count}", String(omitted))}` : [];
  const lines = joined([joined(groups, "\n\n", p), note], "\n", p);
  const intro = content.intro ?? "";
  return intro === "" ? lines : joined([[{ text: intro, from: section.origin }], lines], "\n\n", p);
}

interface ItemGroup {
  readonly heading: string;
  readonly items: readonly SectionItem[];
}

function groupItems(items: readonly SectionItem[], groups: Attrs): readonly ItemGroup[] {
  const groupOf = (item: SectionItem) => item.attrs?.["group"];
  const rest = items.filter((item) => groups[groupOf(item) ?? ""] === undefined);
  const named = Object.entries(groups).map(([group, heading]) => ({
    heading,
    items: items.filter((item) => groupOf(item) === group),
  }));
  return [{ heading: "", items: rest }, ...named].filter((group) => group.items.length > 0);
}

function line(item: SectionItem, section: ResolvedSection, p: PieceBuilder): Pieces {
  const text = p.item(item, section);
  const name = item.attrs?.["name"] ?? (text.length === 0 ? item.id : undefined);
  if (name === undefined) return p`- ${text}`;
  const label: Piece = { text: name, from: item.origin ?? section.origin };
  return text.length === 0 ? p`- ${label}` : p`- ${label}: ${text}`;
}

function itemBlock(item: SectionItem, section: ResolvedSection, markup: SectionMarkup, p: PieceBuilder): Pieces {
  const attrs = (markup.itemAttrs ?? []).flatMap((key) => {
    const value = item.attrs?.[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return p.block(markup.itemTag ?? "item", Object.fromEntries(attrs), p.item(item, section));
}

function joined(groups: readonly Pieces[], separator: string, p: PieceBuilder): Pieces {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [...p`${separator}`, ...group]));
}
