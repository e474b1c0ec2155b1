import type { Origin } from "../contracts/diagnostic.js";
import type { Layout, LayoutView, PieceBuilder, Pieces, ResolvedSection, SectionPart } from "../contracts/layout.js";
import { PluginError } from "../errors.js";
import { createPieceBuilder } from "./piece-builder.js";
import { placeSections, type SlotGroup } from "./place-sections.js";

/**
 * Content and markup become pieces that add up to the prompt. Pure: equal sections give equal bytes.
 * @throws {PluginError} `layout-failed` when the layout throws or returns something else than pieces.
 */
export function renderPrompt(layout: Layout, owner: string, sections: readonly ResolvedSection[]): Pieces {
  const p = createPieceBuilder(layout, owner);
  const view: LayoutView = {
    sections,
    has: (name) => sections.some((section) => section.name === name || section.slot === name),
  };
  const from: Origin = { kind: "layout", plugin: owner };
  const groups = placeSections(layout, sections)
    .map((group) => ({ group, body: renderSlot(layout, group, p, view, from) }))
    .filter(({ body }) => body.length > 0);
  const body: Pieces = groups.flatMap((entry, index) => {
    const left = groups[index - 1]?.group.sections.at(-1);
    const right = entry.group.sections[0];
    const gap = left !== undefined && right !== undefined ? (layout.join?.(left, right) ?? "\n\n") : "\n\n";
    return index === 0 || gap === "" ? entry.body : [{ text: gap, from }, ...entry.body];
  });
  const finished = guarded(owner, "finish", () => layout.finish?.(body, p, view) ?? body);
  return finished.filter((piece) => piece.text !== "");
}

function renderSlot(layout: Layout, group: SlotGroup, p: PieceBuilder, view: LayoutView, from: Origin): Pieces {
  if (group.sections.length === 0)
    return group.empty === undefined || group.empty === "" ? [] : [{ text: group.empty, from }];
  const rendered = group.sections
    .map((section) => ({ section, pieces: renderSection(layout, section, p, view, from) }))
    .filter(({ pieces }) => pieces.length > 0);
  const body = rendered.flatMap(({ section, pieces }, index): Pieces => {
    const left = rendered[index - 1]?.section;
    const gap = left === undefined ? "" : (layout.join?.(left, section) ?? "\n\n");
    return gap === "" ? pieces : [{ text: gap, from }, ...pieces];
  });
  if (body.length === 0 || layout.wrapSlot === undefined) return body;
  return guarded(from.plugin ?? layout.name, "wrapSlot", () => layout.wrapSlot?.(group.slot, body, p, view) ?? body);
}

function renderSection(
  layout: Layout,
  section: ResolvedSection,
  p: PieceBuilder,
  view: LayoutView,
  from: Origin,
): Pieces {
  const pieces = guarded(from.plugin ?? layout.name, "render", () => layout.render(section, p, view));
  const missing = [...section.prepended, ...section.appended].filter((part) => !holds(pieces, part));
  const rest = missing.flatMap((part): Pieces => [
    { text: "\n\n", from },
    { text: part.text, from: part.origin },
  ]);
  return [...pieces, ...rest]
    .filter((piece) => piece.text !== "")
    .map((piece) => ({ ...piece, section: section.name }));
}

function holds(pieces: Pieces, part: SectionPart): boolean {
  return part.text === "" || pieces.some((piece) => piece.from === part.origin);
}

function guarded(owner: string, step: string, run: () => Pieces): Pieces {
  try {
    const pieces = run();
    if (
      Array.isArray(pieces) &&
      pieces.every((piece) => typeof piece?.text === "string" && typeof piece.from === "object")
    )
      return pieces;
    throw new Error("returned something else than pieces");
  } catch (cause) {
    throw new PluginError({
      code: "layout-failed",
      level: "error",
      message: `The layout's ${step} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      plugin: owner,
      fix: "Choose another layout with --layout, or take the plugin out with --no-plugin",
      cause,
    });
  }
}
