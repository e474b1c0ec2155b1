export interface TextLimits {
  /** UTF-8 bytes. */
  readonly maxBytes: number;
  readonly maxLines: number;
}

export interface CutText {
  readonly text: string;
  /** The limit that was met first, in words; undefined: the text is whole. */
  readonly limit?: string;
}

/** The beginning of a text up to the limit met first, between two characters. */
export function cutText(text: string, limits: TextLimits): CutText {
  const byLines = headLines(text, limits.maxLines);
  const bytes = Buffer.from(byLines, "utf8");
  if (bytes.length > limits.maxBytes) {
    return { text: headBytes(bytes, limits.maxBytes), limit: `the first ${limits.maxBytes} bytes` };
  }
  return byLines.length === text.length ? { text } : { text: byLines, limit: `the first ${limits.maxLines} lines` };
}

/** So many lines, the last one without its line end if anything follows it. */
function headLines(text: string, maxLines: number): string {
  let end = -1;
  for (let line = 0; line < maxLines; line++) {
    end = text.indexOf("\n", end + 1);
    if (end === -1 || end === text.length - 1) return text;
  }
  return text.slice(0, text[end - 1] === "\r" ? end - 1 : end);
}

function headBytes(bytes: Buffer, maxBytes: number): string {
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8");
}
