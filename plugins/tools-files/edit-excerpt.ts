import type { Replacement } from "./replace-text.js";

const contextLines = 2;
const maxPlaces = 3;
const maxLinesPerSide = 20;
const maxShownLength = 300;

/**
 * The changed places with numbers, `-` and `+` in front, and some lines around them. Old lines carry the numbers of the
 * old text, all others those of the new one.
 */
export function renderExcerpt(before: string, after: string, replacements: readonly Replacement[]): string {
  const oldLines = before.split("\n");
  const newLines = after.split("\n");
  let shift = 0;
  const places: string[] = [];
  for (const { start, end, text } of replacements.slice(0, maxPlaces)) {
    const newStart = start + shift;
    shift += text.length - (end - start);
    const oldRange = { from: lineAt(before, start), to: lineAt(before, end) };
    const newRange = { from: lineAt(after, newStart), to: lineAt(after, newStart + text.length) };
    dropEqualEnds(oldLines, oldRange, newLines, newRange);
    places.push(
      [
        ...render(newLines, newRange.from - contextLines, newRange.from - 1, " "),
        ...render(oldLines, oldRange.from, oldRange.to, "-"),
        ...render(newLines, newRange.from, newRange.to, "+"),
        ...render(newLines, newRange.to + 1, newRange.to + contextLines, " "),
      ].join("\n"),
    );
  }
  const hidden = replacements.length - places.length;
  if (hidden > 0) places.push(`(${hidden} more places are not shown)`);
  return places.join("\n…\n");
}

interface LineSpan {
  from: number;
  /** Inclusive; less than `from` when there is no line. */
  to: number;
}

/** A replacement may touch a line at its ends without changing it; such a line is context. */
function dropEqualEnds(
  oldLines: readonly string[],
  oldSpan: LineSpan,
  newLines: readonly string[],
  newSpan: LineSpan,
): void {
  const bothHaveLines = (): boolean => oldSpan.from <= oldSpan.to && newSpan.from <= newSpan.to;
  while (bothHaveLines() && oldLines[oldSpan.to - 1] === newLines[newSpan.to - 1]) {
    oldSpan.to--;
    newSpan.to--;
  }
  while (bothHaveLines() && oldLines[oldSpan.from - 1] === newLines[newSpan.from - 1]) {
    oldSpan.from++;
    newSpan.from++;
  }
}

/** Number of the line an offset stands in, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

function render(lines: readonly string[], from: number, to: number, mark: string): readonly string[] {
  const first = Math.max(1, from);
  const last = Math.min(to, lines.length);
  const rows: string[] = [];
  for (let number = first; number <= last && rows.length < maxLinesPerSide; number++) {
    const text = (lines[number - 1] ?? "").replace(/\r$/, "");
    if (mark === " " && text === "" && number === lines.length) continue;
    const shown = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
    rows.push(`${String(number).padStart(5)} ${mark} ${shown}`);
  }
  const hidden = last - first + 1 - rows.length;
  if (hidden > 1) rows.push(`      ${mark} … (${hidden} more lines)`);
  return rows;
}
