import type { Caps } from "@quire/core";
import { modelFeatures } from "./model-features.js";

/** What a model can take. Sources: the vendor's model overview and its guide "Prompt caching". */
export function modelCaps(model: string): Caps {
  return {
    contextTokens: 200_000,
    outputTokens: outputTokens(model),
    images: !/claude-(2|instant)/.test(model),
    contextRole: modelFeatures(model).lateSystem ? "system" : "user",
    cache: { ttlSeconds: 300, read: 0.1, write: 1.25 },
  };
}

/** Tokens an answer may have; models of other vendors behind the same API get what nearly all of them take. */
function outputTokens(model: string): number {
  if (!model.includes("claude")) return 8192;
  if (/claude-3-(opus|sonnet|haiku)/.test(model)) return 4096;
  if (/claude-3-5/.test(model)) return 8192;
  if (/opus-4(-0|-1|-2025|$)/.test(model)) return 32_000;
  return 64_000;
}

/** Tokens a prefix must have before the vendor stores it. Source: its guide "Prompt caching". */
export function cacheFloorTokens(model: string): number {
  if (/(opus|fable|mythos)-5/.test(model)) return 512;
  if (/opus-4-[56]|haiku-4-5/.test(model)) return 4096;
  if (/haiku-3|3-5-haiku|3-haiku|opus-4-7|mythos-preview/.test(model)) return 2048;
  return 1024;
}
