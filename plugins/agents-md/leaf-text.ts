/**
 * The same text with everything that is no running text turned into spaces: fenced and indented code, code spans,
 * HTML comments. Offsets and line ends stay.
 */
export function leafText(markdown: string): string {
  const scan: Scan = { text: markdown, kept: [], lists: [], isAfterBlank: true, isCode: false };
  let at = 0;
  while (at < markdown.length) at = takeLine(scan, at);
  return scan.kept.join("");
}

interface Scan {
  readonly text: string;
  readonly kept: string[];
  /** Where the content of each open list item begins, the innermost last. */
  lists: number[];
  isAfterBlank: boolean;
  /** Within an indented code block. */
  isCode: boolean;
}

/** @returns Where the next line, or what is left of this one, begins. */
function takeLine(scan: Scan, at: number): number {
  const { text } = scan;
  const end = lineEnd(text, at);
  const line = text.slice(at, end);
  const fence = fenceOf(line);
  if (fence !== undefined) return blank(scan, at, fenceEnd(text, end, fence));
  if (line.trim() === "") {
    scan.isAfterBlank = true;
    return keep(scan, at, end);
  }
  const indent = columnsOf(line);
  while (scan.isAfterBlank && (scan.lists.at(-1) ?? 0) > indent) scan.lists.pop();
  scan.isCode = indent >= (scan.lists.at(-1) ?? 0) + 4 && (scan.isCode || scan.isAfterBlank);
  if (scan.isCode) return blank(scan, at, end);
  const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/.exec(line);
  if (item !== null) scan.lists = [...scan.lists.filter((content) => content <= indent), columnsOf(item[0], true)];
  return takeParagraph(scan, at, paragraphEnd(text, end));
}

/** Running text up to `end`: code spans and comments in it are blanked; a comment may lead beyond it. */
function takeParagraph(scan: Scan, from: number, end: number): number {
  const { text } = scan;
  scan.isAfterBlank = false;
  for (let at = from; at < end;) {
    if (text[at] === "\\") {
      at = keep(scan, at, Math.min(at + 2, end));
    } else if (text[at] === "`") {
      const ticks = /^`+/.exec(text.slice(at, end))?.[0] ?? "`";
      const closing = closingTicks(text, at + ticks.length, end, ticks.length);
      at = closing === -1 ? keep(scan, at, at + ticks.length) : blank(scan, at, closing);
    } else if (text.startsWith("<!--", at)) {
      const closing = text.indexOf("-->", at + 4);
      const after = blank(scan, at, closing === -1 ? text.length : closing + 3);
      if (after >= end) return after;
      at = after;
    } else {
      const next = /[\\`<]/.exec(text.slice(at + 1, end));
      at = keep(scan, at, next === null ? end : at + 1 + next.index);
    }
  }
  return end;
}

interface Fence {
  readonly letter: string;
  readonly length: number;
  readonly isQuoted: boolean;
}

const quotePrefix = /^(?:[ \t]{0,3}>[ \t]?)+/;

/** A fence may stand in a quote or be the first thing of a list item. */
function fenceOf(line: string): Fence | undefined {
  const isQuoted = quotePrefix.test(line);
  const inner = line.replace(quotePrefix, "").replace(/^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/, "");
  const found = /^(`{3,})[^`]*$|^(~{3,})/.exec(inner.trimEnd());
  const marks = found?.[1] ?? found?.[2];
  return marks === undefined ? undefined : { letter: marks.charAt(0), length: marks.length, isQuoted };
}

/** Behind the closing fence, at the end of the quote that holds it, or at the end of the text. */
function fenceEnd(text: string, from: number, fence: Fence): number {
  const closing = new RegExp(`^[ \\t]*\\${fence.letter}{${fence.length},}[ \\t]*$`);
  for (let at = from; at < text.length;) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end).trimEnd();
    if (fence.isQuoted && !quotePrefix.test(line)) return at;
    if (closing.test(line.replace(fence.isQuoted ? quotePrefix : "", ""))) return end;
    at = end;
  }
  return text.length;
}

/** A code span may run over lines, but not over a blank line or into a fence. */
function paragraphEnd(text: string, from: number): number {
  for (let at = from; at < text.length;) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    if (line.trim() === "" || fenceOf(line) !== undefined || /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line)) return at;
    at = end;
  }
  return text.length;
}

function closingTicks(text: string, from: number, end: number, length: number): number {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(text); run !== null && run.index < end; run = runs.exec(text)) {
    if (run[0].length === length) return run.index + length;
  }
  return -1;
}

function lineEnd(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  return found === -1 ? text.length : found + 1;
}

/** Columns before the first letter, or, of a list item's beginning, all of it; a tab leads to the next multiple of 4. */
function columnsOf(line: string, isWhole = false): number {
  let columns = 0;
  for (const letter of line) {
    if (!isWhole && letter !== " " && letter !== "\t") break;
    columns += letter === "\t" ? 4 - (columns % 4) : 1;
  }
  return columns;
}

function keep(scan: Scan, from: number, to: number): number {
  scan.kept.push(scan.text.slice(from, to));
  return to;
}

function blank(scan: Scan, from: number, to: number): number {
  scan.kept.push(scan.text.slice(from, to).replaceAll(/[^\r\n]/g, " "));
  return to;
}
