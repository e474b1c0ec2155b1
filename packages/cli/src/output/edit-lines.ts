import type { PromptDocument } from "../prompt/prompt-document.js";
import { table } from "./table.js";

/** Who wanted a place in the prompt, one line each; a sentence when nobody did. */
export function editLines(edits: PromptDocument["edits"]): string {
  if (edits.length === 0) return "nobody else wants that place\n";
  return table(edits.map(({ op, by, layer, won, why }) => [`  ${won ? "won" : "lost"}`, op, layer, by, why ?? ""]));
}
