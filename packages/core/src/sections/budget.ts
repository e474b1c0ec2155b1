import type { Diagnostic } from "../contracts/diagnostic.js";
import type { ResolvedSection } from "../contracts/layout.js";
import type { Budget, SectionContent, SectionItem } from "../contracts/section.js";
import { PluginError } from "../errors.js";
import { estimateTokens } from "../tokens/estimate-tokens.js";
import { byteLength, headBytes, tailBytes } from "../text/utf8.js";
import { contentText } from "./content.js";

export interface Budgeted {
  /** Null: dropped whole. */
  readonly section: ResolvedSection | null;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Cuts one section to its budget, on character boundaries and never silently.
 * @throws {PluginError} `budget-exceeded` when the budget says `fail`, `budget-invalid` when the marker does not fit.
 */
export function applyBudget(section: ResolvedSection, budget: Budget | undefined): Budgeted {
  if (budget === undefined) return { section, diagnostics: [] };
  const limit = byteLimit(section.content, budget);
  const size = byteLength(contentText(section.content));
  if (size <= limit) return { section, diagnostics: [] };
  const seen = `Section "${section.name}" has ${size} bytes, its budget is ${limit}`;
  if (budget.overflow === "fail") {
    throw new PluginError({
      code: "budget-exceeded",
      level: "error",
      message: seen,
      section: section.name,
      at: section.origin,
    });
  }
  if (budget.overflow === "drop") return { section: null, diagnostics: [finding(section, `${seen}; it is left out`)] };
  const result =
    section.content.kind === "items"
      ? cutItems(section, section.content, budget, limit)
      : cutText(section, contentText(section.content), budget, limit);
  return { section: result.section, diagnostics: [finding(section, `${seen}; ${result.lost}`)] };
}

function finding(section: ResolvedSection, message: string): Diagnostic {
  const fix = "Shorten it, or raise the budget where it is set";
  return { code: "section-cut", level: "warn", message, section: section.name, at: section.origin, fix };
}

/** Bytes the content may take; a token limit becomes bytes by the content's own ratio. */
function byteLimit(content: SectionContent, budget: Budget): number {
  const bytes = budget.maxBytes ?? Number.POSITIVE_INFINITY;
  if (budget.maxTokens === undefined) return bytes;
  const text = contentText(content);
  const tokens = estimateTokens(text);
  if (tokens <= budget.maxTokens) return bytes;
  return Math.min(bytes, Math.floor((byteLength(text) * budget.maxTokens) / tokens));
}

function markerFor(section: ResolvedSection, budget: Budget, limit: number, bytes: number, items: number): string {
  const marker = budget.marker?.({ bytes, items }) ?? "";
  if (byteLength(marker) <= limit) return marker;
  throw new PluginError({
    code: "budget-invalid",
    level: "error",
    message: `Section "${section.name}" may use ${limit} bytes, but its cut marker alone takes ${byteLength(marker)}`,
    section: section.name,
    fix: `Set maxBytes to ${byteLength(marker)} or more, or overflow to "drop"`,
  });
}

interface Cut {
  readonly section: ResolvedSection;
  readonly lost: string;
}

function cutText(section: ResolvedSection, text: string, budget: Budget, limit: number): Cut {
  const size = byteLength(text);
  const room = limit - byteLength(markerFor(section, budget, limit, size, 0));
  const kept = budget.keep === "last" ? tailBytes(text, room) : headBytes(text, room);
  const lostBytes = size - byteLength(kept);
  const marker = markerFor(section, budget, limit, lostBytes, 0);
  const at = budget.keep === "last" ? "start" : "end";
  return {
    section: { ...section, content: { kind: "text", text: kept }, cut: { marker, at } },
    lost: `${lostBytes} bytes at the ${at} are cut`,
  };
}

type Items = Extract<SectionContent, { kind: "items" }>;

function cutItems(section: ResolvedSection, content: Items, budget: Budget, limit: number): Cut {
  const fromEnd = budget.keep === "last";
  const order = fromEnd ? content.items.toReversed() : content.items;
  const intro = content.intro === undefined ? 0 : byteLength(content.intro) + separatorBytes;
  const reserve = budget.overflow === "cut" ? byteLength(markerFor(section, budget, limit, limit, order.length)) : 0;
  let room = limit - intro - reserve;
  let lostBytes = 0;
  let lostItems = 0;
  let isClosed = false;
  const kept: SectionItem[] = [];
  for (const item of order) {
    const size = byteLength(item.text ?? item.id) + (kept.length === 0 ? 0 : separatorBytes);
    if (!isClosed && size <= room) {
      room -= size;
      kept.push(item);
      continue;
    }
    if (budget.overflow === "cut" && !isClosed) {
      isClosed = true;
      const head = headBytes(item.text ?? "", room - (kept.length === 0 ? 0 : separatorBytes));
      lostBytes += byteLength(item.text ?? "") - byteLength(head);
      if (head === "") lostItems += 1;
      kept.push({ ...item, text: head, cut: "" });
      continue;
    }
    lostItems += 1;
    lostBytes += byteLength(item.text ?? item.id);
  }
  const marker = markerFor(section, budget, limit, lostBytes, lostItems);
  const items = kept.map((item) => (item.cut === undefined ? item : { ...item, cut: marker }));
  if (fromEnd) items.reverse();
  const names = content.items.filter((item) => !kept.some((other) => other.id === item.id && other.cut === undefined));
  const omitted = budget.overflow === "drop-items" ? { omitted: (content.omitted ?? 0) + lostItems } : {};
  return {
    section: { ...section, content: { ...content, items, ...omitted } },
    lost: `${lostBytes} bytes of ${names.map((item) => `"${item.id}"`).join(", ")} are cut`,
  };
}

/** A blank line stands between two items. */
const separatorBytes = 2;
