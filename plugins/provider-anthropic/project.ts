import { estimateTokens } from "@quire/core";
import type { Config, ProviderRequest } from "@quire/core";
import type { MessageCreateParamsStreaming, Tool } from "@anthropic-ai/sdk/resources/messages";
import { cacheFloorTokens, modelCaps } from "./caps.js";
import { markNewest } from "./cache-marks.js";
import { messageParams } from "./messages.js";
import { systemBlocks } from "./system-blocks.js";

/**
 * The body of `POST /v1/messages` for a request. Pure, and free of secrets.
 *
 * The system blocks concatenate to the system text. At most four cache marks stand at the ends of the global and the
 * session region and of the two newest user messages: the newer one stores this request, the older one is where the
 * request before it stored, so that it is found however many blocks lie between.
 * Params taken: `maxTokens`, `temperature`, `topP`, `stop`, `effort`, `thinking` (tokens, or "adaptive").
 */
export function projectMessages(request: ProviderRequest): MessageCreateParamsStreaming {
  const model = request.model.id;
  const tools = request.tools.map((tool): Tool => ({
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.input, type: "object" },
  }));
  const toolTokens = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
  const system = systemBlocks(request.system, toolTokens, cacheFloorTokens(model));
  const messages = messageParams(request.messages, request.model.provider);
  const systemMarks = system.filter((block) => block.cache_control !== undefined).length;
  markNewest(messages, Math.min(2, 4 - systemMarks));
  if (request.tail.trim() !== "") {
    const tail = { type: "text", text: request.tail } as const;
    const last = messages.at(-1);
    if (last?.role === "user") last.content.push(tail);
    else messages.push({ role: "user", content: [tail] });
  }
  return {
    model,
    ...sampling(request.params, modelCaps(model).outputTokens),
    ...(system.length === 0 ? {} : { system }),
    ...(tools.length === 0 ? {} : { tools }),
    messages,
    stream: true,
  };
}

type Sampling = Omit<MessageCreateParamsStreaming, "model" | "messages" | "stream" | "system" | "tools">;

function sampling(params: Config, defaultMaxTokens: number): Sampling {
  const { maxTokens, temperature, topP, stop, effort, thinking } = params;
  return {
    max_tokens: typeof maxTokens === "number" ? maxTokens : defaultMaxTokens,
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof topP === "number" ? { top_p: topP } : {}),
    ...(Array.isArray(stop) ? { stop_sequences: stop.map(String) } : {}),
    ...(isEffort(effort) ? { output_config: { effort } } : {}),
    ...(typeof thinking === "number" ? { thinking: { type: "enabled", budget_tokens: thinking } } : {}),
    ...(thinking === "adaptive" ? { thinking: { type: "adaptive" } } : {}),
  };
}

const efforts = ["low", "medium", "high", "xhigh", "max"] as const;

function isEffort(value: unknown): value is (typeof efforts)[number] {
  return efforts.some((effort) => effort === value);
}
