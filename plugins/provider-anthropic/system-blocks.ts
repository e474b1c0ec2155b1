import { estimateTokens } from "@quire/core";
import type { ProviderRequest, Region } from "@quire/core";
import type { TextBlockParam } from "@anthropic-ai/sdk/resources/messages";
import { ephemeral } from "./cache-marks.js";

/**
 * The system text as blocks that concatenate to it, one a region; what lies between two regions ends the earlier
 * block. The global and the session region end in a cache mark once the prefix up to there, tools included, reaches
 * the vendor's floor; a region below it joins the next.
 * @param toolTokens Estimated tokens of the tools, which the vendor puts before the system text.
 */
export function systemBlocks(
  system: ProviderRequest["system"],
  toolTokens: number,
  floorTokens: number,
): TextBlockParam[] {
  const blocks: TextBlockParam[] = [];
  let open = "";
  let tokens = toolTokens;
  for (const { kind, text } of regionTexts(system.text, system.regions)) {
    open += text;
    tokens += estimateTokens(text);
    // A block of white space alone is refused.
    if (kind === "turn" || tokens < floorTokens || open.trim() === "") continue;
    blocks.push({ type: "text", text: open, ...ephemeral });
    open = "";
  }
  if (open === "") return blocks;
  const last = blocks.at(-1);
  if (open.trim() !== "") blocks.push({ type: "text", text: open });
  else if (last !== undefined) blocks[blocks.length - 1] = { ...last, text: last.text + open };
  return blocks;
}

function regionTexts(text: string, regions: readonly Region[]): { kind: Region["kind"]; text: string }[] {
  if (regions.length === 0) return text === "" ? [] : [{ kind: "session", text }];
  const bytes = Buffer.from(text, "utf8");
  return regions.map(({ kind, start }, index) => ({
    kind,
    text: bytes.subarray(index === 0 ? 0 : start, regions[index + 1]?.start ?? bytes.length).toString("utf8"),
  }));
}
