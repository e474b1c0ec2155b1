import type { Origin } from "@quire/core";

/**
 * The line of a file that a place in a piece of the prompt came from, from 1. It is counted from the line the piece
 * starts at; where the file says something else there (its beginning was cut, or its text escaped) the line is looked
 * for.
 * @param source The piece's text, and `index` the place in it, in UTF-16 units.
 * @param file The file's text now; null when it is gone.
 */
export function sourceLine(from: Origin, source: string, index: number, file: string | null): number | undefined {
  const passed = count(source.slice(0, index), "\n");
  const counted = from.line === undefined ? undefined : from.line + passed;
  if (file === null) return counted;
  const lines = file.split("\n");
  const wanted = source.split("\n")[passed]?.trim() ?? "";
  const spellings = [wanted, withoutEntities(wanted)];
  const holds = (line: string | undefined) => spellings.some((spelling) => line?.includes(spelling) === true);
  const guess = counted ?? passed + 1;
  if (holds(lines[guess - 1])) return guess;
  if (wanted === "") return counted;
  const whole = file.indexOf(source);
  if (whole >= 0) return count(file.slice(0, whole), "\n") + passed + 1;
  const found = lines.findIndex(holds);
  return found < 0 ? counted : found + 1;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

function withoutEntities(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
