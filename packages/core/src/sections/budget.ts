import type { Diagnostic } from "../contracts/diagnostic.js";
import type { ResolvedSection } from "../contracts/layout.js";
import type { Budget, SectionContent, SectionItem } from "../contracts/section.js";
import { pluginError, warning } from "../errors.js";
import { estimateTokens } from "../tokens/estimate-tokens.js";
import { byteLength, headBytes, tailBytes } from "../text/utf8.js";
import { contentText } from "./content.js";

/**
 * Cuts one section to its budget, on character boundaries and never silently.
 * @returns Null instead of the section: dropped whole.
 * @throws {PluginError} `budget-exceeded` when the budget says `fail`, `budget-invalid` when the marker does not fit.
 */
export function applyBudget(
  section: ResolvedSection,
  budget: Budget,
): { readonly section: ResolvedSection | null; readonly diagnostics: readonly Diagnostic[] } {
  const { name, content, origin } = section;
  const text = contentText(content);
  const size = byteLength(text);
  const limit = byteLimit(text, size, budget);
  if (size <= limit) return { section, diagnostics: [] };
  const about = { section: name, at: origin };
  const seen = `Section "${name}" has ${size} bytes, its budget is ${limit}`;
  if (budget.overflow === "fail") throw pluginError("budget-exceeded", seen, about);
  const markerFor = (bytes: number, items: number): string => {
    const marker = budget.marker?.({ bytes, items }) ?? "";
    const takes = byteLength(marker);
    if (takes <= limit) return marker;
    const message = `Section "${name}" may use ${limit} bytes, but its cut marker alone takes ${takes}`;
    throw pluginError("budget-invalid", message, {
      ...about,
      fix: `Set maxBytes to ${takes} or more, or overflow to "drop"`,
    });
  };
  const cut: Cut =
    budget.overflow === "drop"
      ? { change: null, lost: "it is left out" }
      : content.kind === "items"
        ? cutItems(content, budget, limit, markerFor)
        : cutText(text, budget, limit, markerFor);
  const fix = "Shorten it, or raise the budget where it is set";
  return {
    section: cut.change === null ? null : { ...section, ...cut.change },
    diagnostics: [warning("section-cut", `${seen}; ${cut.lost}`, { ...about, fix })],
  };
}

interface Cut {
  readonly change: Pick<ResolvedSection, "content" | "cut"> | null;
  readonly lost: string;
}
type MarkerFor = (bytes: number, items: number) => string;

/** Bytes the content may take; a token limit becomes bytes by the content's own ratio. */
function byteLimit(text: string, size: number, { maxBytes = Infinity, maxTokens }: Budget): number {
  if (maxTokens === undefined) return maxBytes;
  const tokens = estimateTokens(text);
  return tokens <= maxTokens ? maxBytes : Math.min(maxBytes, Math.floor((size * maxTokens) / tokens));
}

function cutText(text: string, { keep }: Budget, limit: number, markerFor: MarkerFor): Cut {
  const size = byteLength(text);
  const room = limit - byteLength(markerFor(size, 0));
  const kept = keep === "last" ? tailBytes(text, room) : headBytes(text, room);
  const lostBytes = size - byteLength(kept);
  const at = keep === "last" ? "start" : "end";
  const cut = { marker: markerFor(lostBytes, 0), at } as const;
  return { change: { content: { kind: "text", text: kept }, cut }, lost: `${lostBytes} bytes at the ${at} are cut` };
}

/** A blank line stands between two items. */
const separatorBytes = 2;

/** Fills from the kept end; with `cut` the first item that no longer fits keeps its beginning and gets the marker. */
function cutItems(
  { intro, ...content }: Extract<SectionContent, { kind: "items" }>,
  { keep, overflow }: Budget,
  limit: number,
  markerFor: MarkerFor,
): Cut {
  const order = keep === "last" ? content.items.toReversed() : content.items;
  const sizeOf = (item: SectionItem) => byteLength(item.text ?? item.id);
  const total = order.reduce((sum, item) => sum + sizeOf(item), byteLength(intro ?? ""));
  const isCut = overflow === "cut";
  // The largest loss has the longest marker, and a separator stands before it.
  let room = limit - (isCut ? byteLength(markerFor(total, order.length)) + separatorBytes : 0);
  const introBytes = intro === undefined ? 0 : byteLength(intro) + separatorBytes;
  const hasIntro = intro !== undefined && introBytes <= room;
  if (hasIntro) room -= introBytes;
  let lostBytes = hasIntro ? 0 : byteLength(intro ?? "");
  const lost: SectionItem[] = [];
  let kept: SectionItem[] = [];
  let half: SectionItem | undefined;
  for (const item of order) {
    const size = sizeOf(item) + (kept.length === 0 ? 0 : separatorBytes);
    if (half === undefined && size <= room) {
      kept.push(item);
      room -= size;
      continue;
    }
    lost.push(item);
    lostBytes += sizeOf(item);
    if (!isCut || half !== undefined) continue;
    const text = headBytes(item.text ?? "", room + (kept.length === 0 ? separatorBytes : 0));
    lostBytes -= byteLength(text);
    half = { ...item, text };
    kept.push(half);
  }
  const lostItems = lost.length - (half?.text ? 1 : 0);
  if (isCut) kept = kept.map((item) => (item === half ? { ...item, cut: markerFor(lostBytes, lostItems) } : item));
  if (keep === "last") kept.reverse();
  const omitted = overflow === "drop-items" ? { omitted: (content.omitted ?? 0) + lostItems } : {};
  const named = content.items.filter((item) => lost.includes(item)).map((item) => `"${item.id}"`);
  return {
    change: { content: { ...content, ...(hasIntro ? { intro } : {}), items: kept, ...omitted } },
    lost: `${lostBytes} bytes of ${named.join(", ")} are cut`,
  };
}
