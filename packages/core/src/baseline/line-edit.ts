import { structuredPatch } from "diff";

/**
 * What changed from one text to another as unified-diff hunks with one unchanged line on each side: `@@ -3,3 +3,4 @@`,
 * then lines that begin with a space, "-" or "+".
 */
export function lineEdit(before: string, after: string): string {
  // Texts alike in nothing would take for ever; then the whole is shorter anyway.
  const patch = structuredPatch("", "", before, after, "", "", { context: 1, maxEditLength: 5_000 });
  if (patch === undefined) return after;
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.filter((line) => !line.startsWith("\\")),
  ]);
  return lines.join("\n");
}
