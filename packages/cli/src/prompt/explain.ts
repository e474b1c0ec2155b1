import type { Origin, Pieces } from "@quire/core";

/** A stretch of the prompt with one author. */
export interface ExplainedPiece {
  /** UTF-8 bytes of the prompt, half-open. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly section: string | null;
  readonly from: Origin;
  /** The whole piece the stretch is of, and where in it the stretch begins, in UTF-16 units. */
  readonly source: string;
  readonly index: number;
  /** The piece is the kept part of something longer. */
  readonly truncated: boolean;
}

/** Where a text stands. UTF-8 bytes, half-open. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Every place where `wanted` stands in `text`; when there is none, with any white space for its white space. */
export function findText(text: string, wanted: string): readonly Stretch[] {
  const exact = stretches(text, new RegExp(escaped(wanted), "gu"));
  const words = wanted.split(/\s+/).filter((word) => word !== "");
  if (exact.length > 0 || words.length === 0) return exact;
  return stretches(text, new RegExp(words.map(escaped).join("\\s+"), "gu"));
}

/** The pieces that a stretch touches, cut to it. */
export function explainStretch(pieces: Pieces, { start, end }: Stretch): readonly ExplainedPiece[] {
  const found: ExplainedPiece[] = [];
  let offset = 0;
  for (const piece of pieces) {
    const bytes = Buffer.from(piece.text);
    const from = Math.max(0, start - offset);
    const to = Math.min(bytes.length, end - offset);
    if (from < to) {
      found.push({
        start: offset + from,
        end: offset + to,
        text: bytes.subarray(from, to).toString(),
        section: piece.section ?? null,
        from: piece.from,
        source: piece.text,
        index: bytes.subarray(0, from).toString().length,
        truncated: piece.truncated ?? false,
      });
    }
    offset += bytes.length;
  }
  return found;
}

/** The whole character that the byte at `offset` belongs to; null behind the end. */
export function characterAt(text: string, offset: number): Stretch | null {
  const bytes = Buffer.from(text);
  if (offset >= bytes.length) return null;
  const isInside = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let start = offset;
  while (isInside(start)) start -= 1;
  let end = offset + 1;
  while (end < bytes.length && isInside(end)) end += 1;
  return { start, end };
}

function stretches(text: string, pattern: RegExp): readonly Stretch[] {
  return [...text.matchAll(pattern)]
    .filter(([match]) => match !== "")
    .map((match) => {
      const start = Buffer.byteLength(text.slice(0, match.index));
      return { start, end: start + Buffer.byteLength(match[0]) };
    });
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/]/g, "\\$&");
}
