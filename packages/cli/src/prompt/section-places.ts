import type { Pieces } from "@quire/core";

/** A stretch of the prompt that was copied from a file. UTF-8 bytes of the whole prompt, half-open. */
export interface SourceRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** The file holds more than stands here. */
  readonly truncated: boolean;
}

/** Where a section stands in the prompt, its markup included. */
export interface SectionPlace {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly sources: readonly SourceRange[];
}

/** Finds each section's range by walking the pieces, which add up to the prompt. */
export function placeSections(pieces: Pieces): ReadonlyMap<string, SectionPlace> {
  const places = new Map<string, { start: number; end: number; first: number; last: number }>();
  const sources = new Map<string, SourceRange[]>();
  let offset = 0;
  for (const [index, piece] of pieces.entries()) {
    const start = offset;
    offset += Buffer.byteLength(piece.text);
    if (piece.section === undefined) continue;
    const place = places.get(piece.section);
    if (place === undefined) places.set(piece.section, { start, end: offset, first: index, last: index });
    else Object.assign(place, { end: offset, last: index });
    if (piece.from.kind !== "file" || piece.from.file === undefined || piece.text === "") continue;
    const list = sources.get(piece.section) ?? [];
    sources.set(piece.section, list);
    addSource(list, {
      path: piece.from.file,
      start,
      end: offset,
      truncated: piece.truncated ?? false,
    });
  }
  return new Map(
    [...places].map(([name, { start, end, first, last }]) => {
      const text = pieces
        .slice(first, last + 1)
        .map((piece) => piece.text)
        .join("");
      return [name, { start, end, text, sources: sources.get(name) ?? [] }];
    }),
  );
}

/** Neighbouring pieces of one file are one range. */
function addSource(list: SourceRange[], next: SourceRange): void {
  const last = list.at(-1);
  if (last === undefined || last.path !== next.path || last.end !== next.start) {
    list.push(next);
    return;
  }
  list[list.length - 1] = { ...last, end: next.end, truncated: last.truncated || next.truncated };
}
