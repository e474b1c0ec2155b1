import type { Pieces, Region, ResolvedSection } from "../contracts/layout.js";
import type { Diagnostic } from "../contracts/diagnostic.js";
import { byteLength } from "../text/utf8.js";
import { sha256 } from "../text/sha256.js";

/** Where a section stands in the text: UTF-8 bytes, half-open, markup and content. */
export interface Placement {
  readonly section: string;
  readonly start: number;
  readonly end: number;
}

/** The range of each section, in text order. */
export function placements(pieces: Pieces): readonly Placement[] {
  const found = new Map<string, Placement>();
  let offset = 0;
  for (const piece of pieces) {
    const end = offset + byteLength(piece.text);
    if (piece.section !== undefined) {
      found.set(piece.section, {
        section: piece.section,
        start: found.get(piece.section)?.start ?? offset,
        end,
      });
    }
    offset = end;
  }
  return [...found.values()];
}

/**
 * The cacheable stretches, derived by a walk in text order: the global region ends at the first section that is not
 * global, the session region at the first volatile one; a separator ends the earlier region.
 */
export function deriveRegions(pieces: Pieces, sections: readonly ResolvedSection[]): readonly Region[] {
  const byName = new Map(sections.map((section) => [section.name, section]));
  const isGlobal = (name: string) => byName.get(name)?.scope === "global" && byName.get(name)?.cache === "memoized";
  const isMemoized = (name: string) => byName.get(name)?.cache === "memoized";
  const text = pieces.map((piece) => piece.text).join("");
  const bytes = Buffer.from(text, "utf8");
  const globalEnd = leadingEnd(pieces, isGlobal);
  const sessionEnd = Math.max(globalEnd, leadingEnd(pieces, isMemoized));
  const ranges = [
    { kind: "global", start: 0, end: globalEnd },
    { kind: "session", start: globalEnd, end: sessionEnd },
    { kind: "turn", start: sessionEnd, end: bytes.length },
  ] as const;
  return ranges
    .filter(({ start, end }) => end > start)
    .map((range) => ({ ...range, hash: sha256(bytes.subarray(range.start, range.end)) }));
}

/** End of the longest beginning whose sections all satisfy `holds`, with the white space behind it. */
function leadingEnd(pieces: Pieces, holds: (section: string) => boolean): number {
  let offset = 0;
  let end = 0;
  let isOpen = true;
  for (const piece of pieces) {
    if (piece.section !== undefined && !holds(piece.section)) return end;
    offset += byteLength(piece.text);
    if (piece.section !== undefined) isOpen = true;
    if (piece.section !== undefined || (isOpen && piece.text.trim() === "")) end = offset;
    else isOpen = false;
  }
  return offset;
}

/** Memoized sections behind a volatile one in the prefix: their bytes are paid again at each change. */
export function cacheInversions(pieces: Pieces, sections: readonly ResolvedSection[]): readonly Diagnostic[] {
  const byName = new Map(sections.map((section) => [section.name, section]));
  const found: Diagnostic[] = [];
  let breaker: ResolvedSection | undefined;
  let lost = 0;
  for (const { section: name, start, end } of placements(pieces)) {
    const section = byName.get(name);
    if (section === undefined) continue;
    if (section.cache !== "memoized") breaker ??= section;
    else if (breaker !== undefined) lost += end - start;
  }
  if (breaker !== undefined && lost > 0) {
    found.push({
      code: "cache-inversion",
      level: "warn",
      message: `${lost} bytes of memoized sections stand behind the cache-breaking section "${breaker.name}" and are paid again at each change`,
      section: breaker.name,
      ...(breaker.origin.plugin === undefined ? {} : { plugin: breaker.origin.plugin }),
      fix: `Give "${breaker.name}" deliver: "delta" or "tail", or a later slot`,
    });
  }
  return found;
}
