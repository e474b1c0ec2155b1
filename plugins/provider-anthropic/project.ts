import { estimateTokens } from "@quire/core";
import type { Config, ProviderRequest } from "@quire/core";
import type { MessageCreateParamsStreaming, Tool } from "@anthropic-ai/sdk/resources/messages";
import { cacheFloorTokens, modelCaps } from "./caps.js";
import { markNewest } from "./cache-marks.js";
import { conversation } from "./messages.js";
import type { LatePlace, TurnParam } from "./messages.js";
import { modelFeatures } from "./model-features.js";
import { systemBlocks } from "./system-blocks.js";
import { thinkingParam } from "./thinking.js";
import type { WireTools } from "./wire/wire-tools.js";

export interface ProjectOptions {
  /** Whether the body goes to the vendor's own address. */
  readonly isVendor: boolean;
  /** Late system texts join the system text at the head, and have no place of their own. */
  readonly isJoined: boolean;
  /** Else they go as the user's, whatever the model takes. */
  readonly isUserOnly: boolean;
}

/**
 * The body of `POST /v1/messages` for a request. Pure, and free of secrets.
 *
 * The system blocks concatenate to the system text. At most four cache marks stand at the ends of the global and the
 * session region and of the two newest user messages: the newer one stores this request, the older one is where the
 * request before it stored, so that it is found however many blocks lie between.
 * Params taken: `maxTokens`, `stop`, `effort`, `thinking` (tokens, or "adaptive"), each where the model takes it;
 * `temperature` and `topP` only by models of others, because the vendor's API refuses them.
 */
export function projectMessages(
  request: ProviderRequest,
  tools: WireTools,
  { isVendor, isJoined, isUserOnly }: ProjectOptions,
): MessageCreateParamsStreaming {
  const model = request.model.id;
  const features = modelFeatures(model);
  const { declared, tokens } = declarations(tools);
  const system = systemBlocks(request.system, tokens, cacheFloorTokens(model));
  const isInPlace = features.lateSystem && !isUserOnly;
  const place: LatePlace = isJoined ? "joined" : isInPlace ? "system" : "user";
  const { turns, late } = conversation(request, tools, place);
  const systemMarks = system.filter((block) => block.cache_control !== undefined).length;
  markNewest(turns, Math.min(2, 4 - systemMarks));
  const said = request.tail.trim() === "" ? [] : [request.tail];
  if (isJoined) system.push(...joinedBlocks([...late, ...said], request.system.text));
  else addTail(turns, said);
  // The vendor's newer models continue no answer, and none answers nobody.
  if (turns.at(-1) === undefined || turns.at(-1)?.role === "assistant") addTail(turns, ["[continue]"]);
  const thinking = thinkingParam(request.params["thinking"], features, turns, isVendor);
  const budget = thinking?.type === "enabled" ? thinking.budget_tokens : 0;
  return {
    model,
    ...settings(request.params, model, budget),
    ...(thinking === undefined ? {} : { thinking }),
    ...(system.length === 0 ? {} : { system }),
    ...(declared.length === 0 ? {} : { tools: [...declared] }),
    messages: turns,
    stream: true,
  };
}

interface Declarations {
  readonly declared: readonly Tool[];
  /** Estimated. */
  readonly tokens: number;
}

const known = new WeakMap<WireTools, Declarations>();

function declarations(tools: WireTools): Declarations {
  const earlier = known.get(tools);
  if (earlier !== undefined) return earlier;
  const declared = tools.list.map(({ name, description, schema }): Tool => ({
    name,
    description,
    input_schema: { ...schema, type: "object" },
  }));
  const made = { declared, tokens: declared.length === 0 ? 0 : estimateTokens(JSON.stringify(declared)) };
  known.set(tools, made);
  return made;
}

/** Late texts as blocks behind the system text, one blank line before each. */
function joinedBlocks(texts: readonly string[], system: string): { type: "text"; text: string }[] {
  return texts.map((text, index) => {
    const before = index === 0 ? system : (texts[index - 1] ?? "");
    const lines = before === "" ? "" : before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    return { type: "text", text: lines + text };
  });
}

/** Adds to the user's words behind the last cache mark; a system message behind them stays last. */
function addTail(turns: TurnParam[], texts: readonly string[]): void {
  const blocks = texts.map((text) => ({ type: "text", text }) as const);
  if (blocks.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === "user" || last?.role === "system") last.content.push(...blocks);
  else turns.push({ role: "user", content: blocks });
}

type Settings = Omit<MessageCreateParamsStreaming, "model" | "messages" | "stream" | "system" | "tools">;

function settings(params: Config, model: string, budget: number): Settings {
  const { maxTokens, temperature, topP, stop, effort } = params;
  const { isClaude, thinking } = modelFeatures(model);
  const wanted = typeof maxTokens === "number" ? maxTokens : modelCaps(model).outputTokens;
  const sequences = Array.isArray(stop) ? stop.map(String).filter((text) => text.trim() !== "") : [];
  return {
    // The budget is part of it and must be less.
    max_tokens: wanted > budget ? wanted : wanted + budget,
    ...(!isClaude && typeof temperature === "number" ? { temperature } : {}),
    ...(!isClaude && typeof topP === "number" ? { top_p: topP } : {}),
    ...(sequences.length === 0 ? {} : { stop_sequences: sequences }),
    ...(isEffort(effort) && (thinking.adaptive || !isClaude || /opus-4-5/.test(model))
      ? { output_config: { effort } }
      : {}),
  };
}

const efforts = ["low", "medium", "high", "xhigh", "max"] as const;

function isEffort(value: unknown): value is (typeof efforts)[number] {
  return efforts.some((effort) => effort === value);
}
