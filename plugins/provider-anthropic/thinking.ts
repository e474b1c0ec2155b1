import type { Config } from "@quire/core";
import type { ThinkingConfigParam } from "@anthropic-ai/sdk/resources/messages";
import { isThinking } from "./messages.js";
import type { TurnParam } from "./messages.js";
import type { ModelFeatures } from "./model-features.js";

/** Tokens; the vendor's least budget, and one for models that cannot choose it themselves. */
const leastBudget = 1024;
const usualBudget = 8192;

/** Header of the beta that `block_binding` belongs to. */
export const bindingBeta = "thinking-binding-controls-2026-08-01";

type ThinkingParam = ThinkingConfigParam & { block_binding?: { prefix_mismatch_behavior: "drop_block" } };

/**
 * How the model is asked to think: tokens or "adaptive", each as far as the model knows it. A budget needs an answer
 * that begins with thinking before the last calls, and is not asked for when another model made those calls.
 *
 * Newer models refuse thinking behind words that have changed since. Ours change at times (the tail, a text that joins
 * the system text): then the vendor shall drop the thinking and not the request. That is of its own address alone.
 * @returns Undefined to leave it to the vendor.
 */
export function thinkingParam(
  wanted: Config["thinking"],
  { thinking, checksPrefix }: ModelFeatures,
  turns: readonly TurnParam[],
  isVendor: boolean,
): ThinkingParam | undefined {
  if (thinking.adaptive) {
    const mayDrop = checksPrefix && isVendor && turns.some(({ content }) => content.some((block) => isThinking(block)));
    if (mayDrop) return { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } };
    return wanted === "adaptive" || typeof wanted === "number" ? { type: "adaptive" } : undefined;
  }
  if (!thinking.manual || (wanted !== "adaptive" && typeof wanted !== "number")) return undefined;
  const last = turns.findLast(({ role }) => role === "assistant")?.content ?? [];
  if (last.some((block) => block.type === "tool_use") && !isThinking(last[0])) return undefined;
  return {
    type: "enabled",
    budget_tokens: typeof wanted === "number" ? Math.max(leastBudget, wanted) : usualBudget,
  };
}
