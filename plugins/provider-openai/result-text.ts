import type { Block, ToolResult } from "@quire/core";

/** The texts of blocks that are not blank, joined by a blank line. */
export function textOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => (block.type === "text" && block.text.trim() !== "" ? [block.text] : []))
    .join("\n\n");
}

/** A result in words. Without one the call was interrupted: the vendor wants an answer to each. */
export function resultText(result: ToolResult | undefined): string {
  if (result === undefined) return "Error: interrupted";
  const text = textOf(result.content);
  if (!result.isError) return text;
  return /^error/i.test(text) ? text : `Error: ${text || "failed"}`;
}
