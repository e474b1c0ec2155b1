import type { Budget, Diagnostic, ResolvedSection, SectionContent, SectionItem } from "../index.js";
import { pluginError, warning } from "../errors.js";
import { estimateTokens } from "../tokens/estimate-tokens.js";
import { byteLength, headBytes, tailBytes } from "../text/bytes.js";
import { contentText } from "./content.js";

/**
 * Cuts one section to its budget, on character boundaries and never silently.
 * @returns Null instead of the section: dropped whole.
 * @throws {PluginError} `budget-exceeded` when the budget says `fail`, `budget-invalid` when the marker does not fit.
 */
export function applyBudget(
  section: ResolvedSection,
  budget: Budget,
): { readonly section: ResolvedSection | null; readonly finding?: Diagnostic } {
  const { name, content, origin, owner } = section;
  const text = contentText(content);
  const size = byteLength(text);
  const limit = byteLimit(text, size, budget);
  if (size <= limit) return { section };
  const about = { section: name, at: origin, plugin: origin.plugin ?? owner };
  const seen = `Section "${name}" has ${size} bytes, its budget is ${limit}`;
  const finding = (lost: string): Diagnostic => {
    const fix = "Shorten it, or raise the budget where it is set";
    return warning("section-cut", `${seen}; ${lost}`, { ...about, fix });
  };
  if (budget.overflow === "fail") throw pluginError("budget-exceeded", seen, about);
  if (budget.overflow === "drop") return { section: null, finding: finding("it is left out") };
  const markerFor = (bytes: number, items: number): string => {
    const marker = budget.marker?.({ bytes, items }) ?? "";
    const takes = byteLength(marker);
    if (takes <= limit) return marker;
    const message = `Section "${name}" may use ${limit} bytes, but its cut marker alone takes ${takes}`;
    const fix = `Set maxBytes to ${takes} or more, or overflow to "drop"`;
    throw pluginError("budget-invalid", message, { ...about, fix });
  };
  if (content.kind === "items") {
    const cut = cutItems(content, budget, limit, markerFor);
    return { section: { ...section, content: cut.content }, finding: finding(cut.lost) };
  }
  const room = limit - byteLength(markerFor(size, 0));
  const [kept, at] =
    budget.keep === "last" ? ([tailBytes(text, room), "start"] as const) : ([headBytes(text, room), "end"] as const);
  const lostBytes = size - byteLength(kept);
  const cut = { marker: markerFor(lostBytes, 0), at };
  const lost = `${lostBytes} bytes at the ${at} are cut`;
  return { section: { ...section, content: { kind: "text", text: kept }, cut }, finding: finding(lost) };
}

/** Bytes the content may take; a token limit becomes bytes by the content's own ratio. */
function byteLimit(text: string, size: number, { maxBytes = Infinity, maxTokens }: Budget): number {
  if (maxTokens === undefined) return maxBytes;
  const tokens = estimateTokens(text);
  return tokens <= maxTokens ? maxBytes : Math.min(maxBytes, Math.floor((size * maxTokens) / tokens));
}

/** A blank line stands between two items. */
const separatorBytes = 2;
type Items = Extract<SectionContent, { kind: "items" }>;

/** Fills from the kept end; with `cut` the first item that no longer fits keeps its beginning and gets the marker. */
function cutItems(
  { intro, ...content }: Items,
  { keep, overflow }: Budget,
  limit: number,
  markerFor: (bytes: number, items: number) => string,
): { readonly content: Items; readonly lost: string } {
  const order = keep === "last" ? content.items.toReversed() : content.items;
  const sizeOf = (item: SectionItem) => byteLength(item.text ?? item.id);
  const isCut = overflow === "cut";
  // The largest loss has the longest marker, and a separator stands before it.
  const total = order.reduce((sum, item) => sum + sizeOf(item), byteLength(intro ?? ""));
  let room = limit - (isCut ? byteLength(markerFor(total, order.length)) + separatorBytes : 0);
  const introBytes = byteLength(intro ?? "") + separatorBytes;
  const hasIntro = intro !== undefined && introBytes <= room;
  if (hasIntro) room -= introBytes;
  let lostBytes = hasIntro ? 0 : byteLength(intro ?? "");
  const lost: SectionItem[] = [];
  const kept: SectionItem[] = [];
  let half: string | undefined;
  for (const item of order) {
    const gap = kept.length === 0 ? 0 : separatorBytes;
    const size = sizeOf(item) + gap;
    if (half === undefined && size <= room) {
      kept.push(item);
      room -= size;
      continue;
    }
    lost.push(item);
    lostBytes += sizeOf(item);
    if (!isCut || half !== undefined) continue;
    half = headBytes(item.text ?? "", room + separatorBytes - gap);
    lostBytes -= byteLength(half);
    kept.push({ ...item, text: half });
  }
  const lostItems = lost.length - (half ? 1 : 0);
  const last = kept.at(-1);
  if (half !== undefined && last !== undefined) kept.splice(-1, 1, { ...last, cut: markerFor(lostBytes, lostItems) });
  if (keep === "last") kept.reverse();
  const omitted = overflow === "drop-items" ? { omitted: (content.omitted ?? 0) + lostItems } : {};
  const named = content.items.filter((item) => lost.includes(item)).map((item) => `"${item.id}"`);
  return {
    content: { ...content, ...(hasIntro ? { intro } : {}), items: kept, ...omitted },
    lost: `${lostBytes} bytes of ${named.join(", ")} are cut`,
  };
}
