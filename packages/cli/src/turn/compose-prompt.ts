import { sha256 } from "@quire/core/host";

/**
 * One prompt of the words that were typed and the text that was piped in. Piped text stands in a labelled block; when
 * it holds the block's closing tag, the tag gets a suffix from the text's hash, so that the block ends where it ends.
 * @returns Undefined when there is neither.
 */
export function composePrompt(words: readonly string[], piped: string | undefined): string | undefined {
  const typed = words.join(" ").trim();
  const text = piped?.trimEnd() ?? "";
  if (text.trim() === "") return typed === "" ? undefined : typed;
  if (typed === "") return text;
  const tag = text.includes("</piped-text") ? `piped-text-${sha256(text).slice(0, 8)}` : "piped-text";
  return `${typed}\n\n<${tag}>\n${text}\n</${tag}>`;
}
