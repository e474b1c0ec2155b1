import type { Layout, LayoutView, Origin, Pieces, ResolvedSection } from "../index.js";
import { messageOf, pluginError } from "../errors.js";
import type { Owned } from "../registries/registry.js";
import { createPieceBuilder, isPieces } from "./piece-builder.js";
import { placeSections } from "./place-sections.js";

/**
 * Content and markup become pieces that add up to the prompt. Pure: equal sections give equal bytes.
 * @throws {PluginError} `layout-failed` when the layout throws or returns something else than pieces.
 */
export function renderPrompt({ spec: layout, owner }: Owned<Layout>, sections: readonly ResolvedSection[]): Pieces {
  const p = createPieceBuilder({ spec: layout, owner });
  const has = (name: string) => sections.some((section) => section.name === name || section.slot === name);
  const view: LayoutView = { sections, has };
  const from: Origin = { kind: "layout", plugin: owner };
  /** Parts that have text, with the layout's gaps between them. */
  const joined = (parts: readonly Part[]): Pieces => {
    const shown = parts.filter(({ pieces }) => filled(pieces).length > 0);
    return shown.flatMap(({ first, pieces }, index) => {
      if (index === 0) return pieces;
      const last = shown[index - 1]?.last;
      const gap = () => (last !== undefined && first !== undefined ? layout.join?.(last, first) : undefined) ?? "\n\n";
      return filled([...guarded(owner, "join", () => [{ text: gap(), from }]), ...pieces]);
    });
  };
  const parts = placeSections(layout, sections).map(({ slot, empty = "", sections: inSlot }): Part => {
    if (inSlot.length === 0) return { pieces: [{ text: empty, from }] };
    const rendered = inSlot.map((section) => {
      const pieces = guarded(owner, "render", () => layout.render(section, p, view));
      return { first: section, last: section, pieces: withAllTexts(pieces, section, from) };
    });
    const body = joined(rendered);
    const wrapped = () => (body.length === 0 ? body : (layout.wrapSlot?.(slot, body, p, view) ?? body));
    return { first: inSlot[0], last: inSlot.at(-1), pieces: guarded(owner, "wrapSlot", wrapped) };
  });
  const body = joined(parts);
  return filled(guarded(owner, "finish", () => layout.finish?.(body, p, view) ?? body));
}

interface Part {
  readonly first?: ResolvedSection | undefined;
  readonly last?: ResolvedSection | undefined;
  readonly pieces: Pieces;
}

/** A section's pieces under its name; texts of other authors that the layout forgot stand behind them. */
function withAllTexts(pieces: Pieces, section: ResolvedSection, from: Origin): Pieces {
  const texts = [...section.prepended, ...section.appended].filter(({ text }) => text !== "");
  const forgotten = texts.filter(({ origin }) => !pieces.some((piece) => piece.from === origin));
  const rest = forgotten.flatMap(({ text, origin }) => [
    { text: "\n\n", from },
    { text, from: origin },
  ]);
  return filled([...pieces, ...rest]).map((piece) => ({ ...piece, section: section.name }));
}

const filled = (pieces: Pieces): Pieces => pieces.filter(({ text }) => text !== "");

/** @throws {PluginError} `layout-failed`. */
export function guarded(plugin: string, step: string, run: () => Pieces): Pieces {
  try {
    const pieces = run();
    if (isPieces(pieces) && pieces.every(({ from }) => typeof from === "object")) return pieces;
    throw new Error("returned something else than pieces");
  } catch (cause) {
    const fix = "Choose another layout with --layout, or take the plugin out with --no-plugin";
    throw pluginError("layout-failed", `The layout's ${step} failed: ${messageOf(cause)}`, { plugin, fix, cause });
  }
}
