import { estimateTokens } from "@quire/core";
import type { ProviderRequest, Region } from "@quire/core";
import type { TextBlockParam } from "@anthropic-ai/sdk/resources/messages";
import { ephemeral } from "./cache-marks.js";

/**
 * The system text as blocks that concatenate to it, one a region; what lies between two regions ends the earlier
 * block. The global and the session region end in a cache mark once the prefix up to there, tools included, reaches
 * the vendor's floor; a region below it joins the next. A session's requests share one text, counted once.
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
  for (const { kind, text, tokens: size } of regionTexts(system)) {
    open += text;
    tokens += size;
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

interface RegionText {
  readonly kind: Region["kind"];
  readonly text: string;
  /** Estimated. */
  readonly tokens: number;
}

const known = new WeakMap<ProviderRequest["system"], readonly RegionText[]>();

function regionTexts(system: ProviderRequest["system"]): readonly RegionText[] {
  const earlier = known.get(system);
  if (earlier !== undefined) return earlier;
  const texts = cutAtRegions(system).map((region) => ({ ...region, tokens: estimateTokens(region.text) }));
  // What may still change is counted each time.
  if (Object.isFrozen(system)) known.set(system, texts);
  return texts;
}

function cutAtRegions({ text, regions }: ProviderRequest["system"]): Omit<RegionText, "tokens">[] {
  if (regions.length === 0) return text === "" ? [] : [{ kind: "session", text }];
  const bytes = Buffer.from(text, "utf8");
  return regions.map(({ kind, start }, index) => ({
    kind,
    text: bytes.subarray(index === 0 ? 0 : start, regions[index + 1]?.start ?? bytes.length).toString("utf8"),
  }));
}
