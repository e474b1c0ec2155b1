import type { Caps, Usage } from "@quire/core";

/**
 * How full a model's context is after an answer, as a part of 1: what was sent and what came back, with room for the
 * next reply.
 */
export function fullness(usage: Usage, caps: Pick<Caps, "contextTokens" | "outputTokens">): number {
  const used = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  const reserve = Math.min(caps.outputTokens, caps.contextTokens * largestReserve);
  return caps.contextTokens <= 0 ? 0 : (used + reserve) / caps.contextTokens;
}

/** A model that may answer with half its window seldom does. */
const largestReserve = 0.15;
