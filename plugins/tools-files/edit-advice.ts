import { similarTo } from "./similarity.js";

const maxComparedLines = 50_000;
const maxComparedLength = 400;

/** Why `oldText` may not be in the file, and what in the file comes nearest, in sentences for the model. */
export function adviseOnMissing(text: string, oldText: string): string {
  if (/^\s*\d+ ?[|→:\t]/.test(oldText) && everyLineIsNumbered(oldText)) {
    return "old_string holds the line numbers that read prints; leave out the numbers and the bar after them.";
  }
  const lines = text.replaceAll("\r\n", "\n").split("\n").slice(0, maxComparedLines);
  const wanted = oldText.replaceAll("\r\n", "\n").split("\n");
  const sameButSpace = findIgnoringSpace(lines, wanted);
  if (sameButSpace !== undefined) {
    return `Line ${sameButSpace + 1} has the same text with other spaces, tabs or blank lines: ${quote(lines[sameButSpace])}.`;
  }
  return nearest(lines, wanted);
}

function everyLineIsNumbered(text: string): boolean {
  return text.split("\n").every((line) => line === "" || /^\s*\d+ ?[|→:\t]/.test(line));
}

/** Index of the first line of a stretch that equals `wanted` once blank lines and all white space are gone. */
function findIgnoringSpace(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const needle = wanted.map(squeeze).filter((line) => line !== "");
  const solid = lines.map((line, index) => ({ line: squeeze(line), index })).filter(({ line }) => line !== "");
  if (needle.length === 0) return undefined;
  const at = solid.findIndex((_, start) =>
    needle.every((line, step) => {
      const other = solid[start + step]?.line ?? "";
      const isLast = step === needle.length - 1;
      if (step === 0 && isLast) return other.includes(line);
      if (step === 0) return other.endsWith(line);
      return isLast ? other.startsWith(line) : other === line;
    }),
  );
  return solid[at]?.index;
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, "");
}

function nearest(lines: readonly string[], wanted: readonly string[]): string {
  const firstStep = wanted.findIndex((line) => line.trim() !== "");
  const first = (wanted[firstStep] ?? "").trim().slice(0, maxComparedLength);
  const likeness = similarTo(first);
  let best = -1;
  let bestScore = 0.4;
  for (const [index, line] of lines.entries()) {
    const score = likeness(line.trim().slice(0, maxComparedLength));
    if (score > bestScore) [best, bestScore] = [index, score];
  }
  if (best === -1) return "No line of the file is like it; read the file again.";
  if (bestScore < 1) return `The nearest line is ${best + 1}: ${quote(lines[best])}.`;
  for (let step = firstStep; step < wanted.length; step++) {
    const index = best + step - firstStep;
    if (lines[index]?.trim() === wanted[step]?.trim()) continue;
    return `Line ${best + 1} fits, but then line ${index + 1} is ${quote(lines[index])} where old_string has ${quote(wanted[step])}.`;
  }
  return `Line ${best + 1} fits but for its spaces or tabs: ${quote(lines[best])}.`;
}

function quote(line: string | undefined): string {
  if (line === undefined) return "the end of the file";
  return JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line);
}
