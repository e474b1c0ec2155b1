export interface Replacement {
  /** UTF-16 offset in the old text. */
  readonly start: number;
  readonly end: number;
  /** What stands there now. */
  readonly text: string;
}

/**
 * Where `oldText` occurs in `text`, without overlaps, and what each place becomes. In a file with CRLF line ends a
 * bare `\n` in `oldText` means the file's line end, and the new text gets the line ends of its surroundings.
 */
export function findReplacements(text: string, oldText: string, newText: string): readonly Replacement[] {
  const fileHasCrlf = text.includes("\r\n");
  if (!fileHasCrlf || oldText.includes("\r")) {
    const exact = findExact(text, oldText, newText);
    if (exact.length > 0 || !oldText.includes("\r\n")) return exact;
  }
  return findAcrossLineEnds(text, oldText, newText);
}

/** The text with all replacements made. They are in order and do not overlap. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let result = "";
  let position = 0;
  for (const { start, end, text: by } of replacements) {
    result += text.slice(position, start) + by;
    position = end;
  }
  return result + text.slice(position);
}

function findExact(text: string, oldText: string, newText: string): readonly Replacement[] {
  const found: Replacement[] = [];
  for (let start = text.indexOf(oldText); start !== -1;) {
    const end = start + oldText.length;
    found.push({ start, end, text: newText });
    start = text.indexOf(oldText, end);
  }
  return found;
}

function findAcrossLineEnds(text: string, oldText: string, newText: string): readonly Replacement[] {
  const source = toLineFeeds(oldText)
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("\n", "\\r?\\n");
  const mostlyCrlf = isMostlyCrlf(text);
  return [...text.matchAll(new RegExp(source, "g"))].map((match) => {
    const [old] = match;
    const usesCrlf = old.includes("\n") ? old.includes("\r\n") : mostlyCrlf;
    const by = toLineFeeds(newText);
    return {
      start: match.index,
      end: match.index + old.length,
      text: usesCrlf ? by.replaceAll("\n", "\r\n") : by,
    };
  });
}

function toLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function isMostlyCrlf(text: string): boolean {
  const all = text.split("\n").length - 1;
  const crlf = text.split("\r\n").length - 1;
  return crlf * 2 > all;
}
