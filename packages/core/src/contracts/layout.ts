import type { Attrs } from "./place.js";
import type { Origin } from "./diagnostic.js";
import type { Cache, SectionContent, SectionItem, Slot } from "./section.js";

/** A section of this prompt with its content, after every edit and the budget. */
export interface ResolvedSection {
  readonly name: string;
  readonly slot: Slot;
  /** The plugin that registered it, `user` for the user's own text. */
  readonly owner: string;
  readonly cache: Cache;
  readonly scope: "global" | "session";
  readonly content: SectionContent;
  /** Who wrote `content`. */
  readonly origin: Origin;
  readonly state: "fresh" | "cached" | "stale";
  /** Texts other plugins or the user put inside its markup. */
  readonly prepended: readonly SectionPart[];
  readonly appended: readonly SectionPart[];
  /** Present when the budget cut a text: the marker that stands at the cut, and which end was cut. */
  readonly cut?: { readonly marker: string; readonly at: "start" | "end" };
}

export interface SectionPart {
  readonly name: string;
  readonly text: string;
  readonly origin: Origin;
}

/** A run of prompt text with one author. All pieces together are the prompt, byte for byte. */
export interface Piece {
  readonly text: string;
  readonly from: Origin;
  readonly section?: string;
  /** The text is the kept part of something longer. */
  readonly truncated?: boolean;
}
export type Pieces = readonly Piece[];

/** Order and markup of a prompt. Every function is pure. */
export interface Layout {
  readonly name: string;
  /** The order of slots, and the text of a slot that has no section. */
  readonly slots: readonly { readonly slot: Slot; readonly empty?: string }[];
  /**
   * What `block` and `body` do with text that could end a block. `fence` (default) copies it and gives the tag a
   * suffix from the content's hash when the text holds the closing tag; `entities` rewrites `& < >`; `raw` copies it.
   */
  readonly escape?: "fence" | "entities" | "raw";
  render(section: ResolvedSection, p: PieceBuilder, view: LayoutView): Pieces;
  wrapSlot?(slot: Slot, body: Pieces, p: PieceBuilder, view: LayoutView): Pieces;
  /** One blank line by default. */
  join?(left: ResolvedSection, right: ResolvedSection): string;
  finish?(body: Pieces, p: PieceBuilder, view: LayoutView): Pieces;
  /** The text of one entry of a context message. */
  context?(change: ContextItem, p: PieceBuilder): Pieces;
}

export interface LayoutView {
  has(sectionOrSlot: string): boolean;
  readonly sections: readonly ResolvedSection[];
}

/** Builds pieces: the literal parts of the template belong to the layout, `body` and `item` to section and file. */
export interface PieceBuilder {
  (literal: TemplateStringsArray, ...values: readonly (string | Piece | Pieces)[]): Pieces;
  /**
   * The whole content with prepended and appended texts, escaped as the layout says: text as it is, facts as
   * `key: value` lines, items with a blank line between.
   */
  body(section: ResolvedSection): Pieces;
  /** The text of one item with its cut marker, escaped as the layout says. */
  item(item: SectionItem, section: ResolvedSection): Pieces;
  /**
   * Encloses a hand-made rendering of the content with the texts other authors put inside the section. `body` does so
   * by itself; a layout that renders items or facts on its own calls this, or those texts end up behind the section.
   */
  around(section: ResolvedSection, content: Pieces): Pieces;
  /** `<tag attr="…">`, newline, body, newline, `</tag>`. */
  block(tag: string, attrs: Attrs, body: Pieces): Pieces;
}

/** One entry of a context message: a changed section, a per-turn edit or an added text. */
export interface ContextItem {
  readonly section?: string;
  readonly op: "add" | "replace" | "edit" | "remove";
  /** A plain word: `start`, `changed`, `turn`, `turn-over`, or a label. */
  readonly cause: string;
  readonly content: SectionContent | null;
  /** SHA-256 of the content in hex; of the empty text for a removal. */
  readonly hash: string;
}

/** A stretch of the system text that is cacheable as one. Offsets are UTF-8 bytes, half-open. */
export interface Region {
  readonly kind: "global" | "session" | "turn";
  readonly start: number;
  readonly end: number;
  readonly hash: string;
}
