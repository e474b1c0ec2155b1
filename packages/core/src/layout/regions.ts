import type { Diagnostic, Pieces, Region, ResolvedSection } from "../index.js";
import { warning } from "../errors.js";
import { byteLength, sha256 } from "../text/bytes.js";
import { piecesText } from "./piece-builder.js";

/**
 * The cacheable stretches, derived by a walk in text order: the global region ends at the first section that is not
 * global, the session region at the first volatile one; a separator ends the earlier region.
 */
export function deriveRegions(pieces: Pieces, sections: readonly ResolvedSection[]): readonly Region[] {
  const memoized = sections.filter(({ cache }) => cache === "memoized");
  const global = memoized.filter(({ scope }) => scope === "global");
  const bytes = Buffer.from(piecesText(pieces), "utf8");
  const globalEnd = leadingEnd(pieces, global);
  const sessionEnd = Math.max(globalEnd, leadingEnd(pieces, memoized));
  const ranges = [
    { kind: "global", start: 0, end: globalEnd },
    { kind: "session", start: globalEnd, end: sessionEnd },
    { kind: "turn", start: sessionEnd, end: bytes.length },
  ] as const;
  return ranges
    .filter(({ start, end }) => end > start)
    .map((range) => ({ ...range, hash: sha256(bytes.subarray(range.start, range.end)) }));
}

/** End of the longest beginning that holds no other section than these, with the white space behind it. */
function leadingEnd(pieces: Pieces, sections: readonly ResolvedSection[]): number {
  const names = new Set<string | undefined>(sections.map(({ name }) => name));
  let offset = 0;
  let end = 0;
  let isOpen = true;
  for (const { section, text } of pieces) {
    if (section !== undefined && !names.has(section)) return end;
    offset += byteLength(text);
    isOpen = section !== undefined || (isOpen && text.trim() === "");
    if (isOpen) end = offset;
  }
  return offset;
}

/** Memoized sections behind a volatile one in the prefix: their bytes are paid again at each change. */
export function cacheInversions(pieces: Pieces, sections: readonly ResolvedSection[]): readonly Diagnostic[] {
  const start = pieces.findIndex(({ section }) =>
    sections.some(({ name, cache }) => name === section && cache !== "memoized"),
  );
  const breaker = sections.find(({ name }) => name === pieces[start]?.section);
  if (breaker === undefined) return [];
  const memoized = new Set(sections.filter(({ cache }) => cache === "memoized").map(({ name }) => name));
  const behind = pieces.slice(start).filter(({ section }) => section !== undefined && memoized.has(section));
  const lost = behind.reduce((sum, { text }) => sum + byteLength(text), 0);
  if (lost === 0) return [];
  const message = `${lost} bytes of memoized sections stand behind the cache-breaking section "${breaker.name}" and are paid again at each change`;
  const fix = `Give "${breaker.name}" deliver: "delta" or "tail", or a later slot`;
  return [warning("cache-inversion", message, { section: breaker.name, plugin: breaker.origin.plugin, fix })];
}
