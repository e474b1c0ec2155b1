import type { Attrs, Layout, Origin, Piece, PieceBuilder, Pieces, ResolvedSection, SectionItem } from "../index.js";
import type { SectionPart } from "../index.js";
import type { Owned } from "../registries/registry.js";
import { contentText } from "../sections/content.js";
import { sha256 } from "../text/bytes.js";

/** The builder a layout renders with; the literal parts belong to the plugin that brought the layout. */
export function createPieceBuilder({ owner, spec: { escape = "fence" } }: Owned<Layout>): PieceBuilder {
  const from: Origin = { kind: "layout", plugin: owner };
  const host: Origin = { kind: "host" };
  const literal = (text: string): Pieces => (text === "" ? [] : [{ text, from }]);
  const content = (text: string, origin: Origin, isCut = false): Pieces => {
    const escaped = escape === "entities" ? escapeEntities(text) : text;
    return text === "" ? [] : [{ text: escaped, from: origin, ...(isCut ? { truncated: true } : {}) }];
  };
  const toPieces = (value: string | Piece | Pieces): Pieces =>
    typeof value === "string" ? literal(value) : isPieces(value) ? value : [value];
  const build = (strings: TemplateStringsArray, ...values: readonly (string | Piece | Pieces)[]): Pieces =>
    strings.flatMap((text, index) => [...literal(text), ...toPieces(values[index] ?? "")]);
  const item = ({ text = "", origin, cut }: SectionItem, section: ResolvedSection): Pieces => [
    ...content(text, origin ?? section.origin, cut !== undefined),
    ...content(cut ?? "", host),
  ];
  const parts = (given: readonly SectionPart[]): Pieces[] => given.map((part) => content(part.text, part.origin));
  const joined = (groups: readonly Pieces[]): Pieces =>
    groups
      .filter((group) => group.length > 0)
      .flatMap((group, index) => (index === 0 ? group : [...literal("\n\n"), ...group]));
  const around = (section: ResolvedSection, inner: Pieces): Pieces =>
    joined([...parts(section.prepended), inner, ...parts(section.appended)]);
  const inner = (section: ResolvedSection): Pieces => {
    const { content: value, origin, cut } = section;
    if (value.kind === "items" && value.items.length > 0) {
      return joined([content(value.intro ?? "", origin), ...value.items.map((entry) => item(entry, section))]);
    }
    const text = content(contentText(value), origin, cut !== undefined);
    const marker = content(cut?.marker ?? "", host);
    return cut?.at === "start" ? [...marker, ...text] : [...text, ...marker];
  };
  const block = (tag: string, attrs: Attrs, body: Pieces): Pieces => {
    const name = escape === "fence" ? fencedTag(tag, body) : tag;
    const attributes = Object.entries(attrs).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`);
    return [...literal(`<${name}${attributes.join("")}>\n`), ...body, ...literal(`\n</${name}>`)];
  };
  const body = (section: ResolvedSection): Pieces => around(section, inner(section));
  return Object.assign(build, { body, item, around, block });
}

/** The tag, with a suffix from the content when the content could close the block. */
function fencedTag(tag: string, body: Pieces): string {
  const text = piecesText(body);
  const closing = (name: string) => new RegExp(`<\\s*/\\s*${name.replaceAll(/[^\w-]/g, "\\$&")}\\s*>`, "i");
  let name = tag;
  for (let round = 0; closing(name).test(text); round++) name = `${tag}-${sha256(`${round}:${text}`).slice(0, 4)}`;
  return name;
}

const escapeEntities = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const escapeAttribute = (text: string): string =>
  escapeEntities(text).replaceAll('"', "&quot;").replaceAll(/\r?\n/g, " ");

/** All the text, without its authors. */
export const piecesText = (pieces: Pieces): string => pieces.map((piece) => piece.text).join("");

/** Whether a stranger's value can stand for pieces; who wrote one may be missing. */
export const isPieces = (value: unknown): value is Pieces =>
  Array.isArray(value) && value.every((piece: { text?: unknown } | null) => typeof piece?.text === "string");
