/** A part of the system text that stands for itself. */
export interface OutlineBlock {
  readonly firstLine: string;
  /** UTF-8. */
  readonly sizeBytes: number;
}

/**
 * The blocks of a system text as far as they show: a tag up to its closing tag, and text between tags up to the next
 * heading.
 */
export function systemOutline(text: string): readonly OutlineBlock[] {
  const blocks: string[][] = [];
  let closing: string | undefined;
  for (const line of text.split("\n")) {
    const tag = /^<([A-Za-z][\w-]*)[\s>]/.exec(line)?.[1];
    const last = blocks.at(-1);
    const opens = closing === undefined && (tag !== undefined || line.startsWith("# ") || last === undefined);
    if (last === undefined || opens) blocks.push([line]);
    else last.push(line);
    if (closing === undefined && tag !== undefined) closing = `</${tag}>`;
    if (closing !== undefined && line.endsWith(closing)) {
      closing = undefined;
      blocks.push([]);
    }
  }
  return blocks.flatMap((lines) => {
    const block = lines.join("\n").trim();
    const firstLine = block.split("\n")[0] ?? "";
    return firstLine === "" ? [] : [{ firstLine, sizeBytes: Buffer.byteLength(block) }];
  });
}
