import type { Origin } from "../contracts/diagnostic.js";
import type { Layout, Piece, PieceBuilder, Pieces, ResolvedSection } from "../contracts/layout.js";
import type { Attrs } from "../contracts/place.js";
import type { SectionItem } from "../contracts/section.js";
import { sha256 } from "../text/sha256.js";

/**
 * The builder a layout renders with.
 * @param owner Plugin that brought the layout: its literal parts belong to it.
 */
export function createPieceBuilder(layout: Pick<Layout, "escape">, owner: string): PieceBuilder {
  const from: Origin = { kind: "layout", plugin: owner };
  const escape = layout.escape ?? "fence";
  const literal = (text: string): Pieces => (text === "" ? [] : [{ text, from }]);
  const content = (text: string, origin: Origin, extra?: Pick<Piece, "truncated">): Pieces =>
    text === "" ? [] : [{ text: escape === "entities" ? escapeEntities(text) : text, from: origin, ...extra }];

  const build = (strings: TemplateStringsArray, ...values: readonly (string | Piece | Pieces)[]): Pieces =>
    strings.flatMap((text, index) => [...literal(text), ...toPieces(values[index] ?? "", literal)]);

  const item = (entry: SectionItem, section: ResolvedSection): Pieces => [
    ...content(
      entry.text ?? "",
      entry.origin ?? section.origin,
      entry.cut === undefined ? undefined : { truncated: true },
    ),
    ...content(entry.cut ?? "", { kind: "host" }),
  ];

  const around = (section: ResolvedSection, inner: Pieces): Pieces =>
    joinPieces(
      [
        ...section.prepended.map((part) => content(part.text, part.origin)),
        inner,
        ...section.appended.map((part) => content(part.text, part.origin)),
      ],
      literal("\n\n"),
    );

  const inner = (section: ResolvedSection): Pieces => {
    const value = section.content;
    if (value.kind === "text") {
      const marker = content(section.cut?.marker ?? "", { kind: "host" });
      const extra = section.cut === undefined ? undefined : { truncated: true };
      const text = content(value.text, section.origin, extra);
      return section.cut?.at === "start" ? [...marker, ...text] : [...text, ...marker];
    }
    if (value.kind === "facts") {
      return content(value.facts.map(([key, fact]) => `${key}: ${fact}`).join("\n"), section.origin);
    }
    if (value.items.length === 0) return content(value.empty ?? "", section.origin);
    return joinPieces(
      [content(value.intro ?? "", section.origin), ...value.items.map((entry) => item(entry, section))],
      literal("\n\n"),
    );
  };

  const block = (tag: string, attrs: Attrs, body: Pieces): Pieces => {
    const name = escape === "fence" ? fencedTag(tag, body) : tag;
    const attributes = Object.entries(attrs).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
    return [...literal(`<${name}${attributes.join("")}>\n`), ...body, ...literal(`\n</${name}>`)];
  };

  return Object.assign(build, {
    body: (section: ResolvedSection) => around(section, inner(section)),
    item,
    around,
    block,
  });
}

function toPieces(value: string | Piece | Pieces, literal: (text: string) => Pieces): Pieces {
  if (typeof value === "string") return literal(value);
  return isPieces(value) ? value : [value];
}

function isPieces(value: Piece | Pieces): value is Pieces {
  return Array.isArray(value);
}

/** Groups that have text, with `separator` between them. */
export function joinPieces(groups: readonly Pieces[], separator: Pieces): Pieces {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [...separator, ...group]));
}

/** The tag, with a suffix from the content when the content could close the block. */
function fencedTag(tag: string, body: Pieces): string {
  const text = body.map((piece) => piece.text).join("");
  let name = tag;
  for (let round = 0; closes(text, name); round++) name = `${tag}-${sha256(`${round}:${text}`).slice(0, 4)}`;
  return name;
}

function closes(text: string, tag: string): boolean {
  return new RegExp(`<\\s*/\\s*${tag.replaceAll(/[^\w-]/g, "\\$&")}\\s*>`, "i").test(text);
}

export function escapeEntities(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function escapeAttribute(text: string): string {
  return escapeEntities(text).replaceAll('"', "&quot;").replaceAll(/\r?\n/g, " ");
}
