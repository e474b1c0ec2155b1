import type { Config, ProviderRequest } from "@quire/core";
import type { ChatCompletionCreateParamsStreaming, ChatCompletionTool } from "openai/resources/chat/completions";
import { isOwnModel } from "./caps.js";
import { messageParams } from "./messages.js";

/**
 * The body of `POST /chat/completions` for a request. Pure, and free of secrets.
 *
 * The system text is the first message. This API keeps prefixes by itself and takes no marks; `prompt_cache_key` goes
 * to the vendor's own address alone, because other servers may refuse a field they do not know.
 * Params taken: `maxTokens`, `temperature`, `topP`, `stop`, `effort`.
 * @param isVendor Whether the body goes to the vendor's own address.
 */
export function projectChat(request: ProviderRequest, isVendor: boolean): ChatCompletionCreateParamsStreaming {
  const model = request.model.id;
  const tools = request.tools.map(({ name, description, input }): ChatCompletionTool => ({
    type: "function",
    function: { name, description, parameters: { ...input } },
  }));
  return {
    model,
    messages: messageParams(request, isOwnModel(model)),
    ...(tools.length === 0 ? {} : { tools }),
    ...sampling(request.params, isOwnModel(model)),
    ...(isVendor && request.cacheKey !== "" ? { prompt_cache_key: request.cacheKey.slice(0, 64) } : {}),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** The vendor renamed `max_tokens` for its own models; other servers often know the older name alone. */
function sampling(params: Config, isOwn: boolean): Partial<ChatCompletionCreateParamsStreaming> {
  const { maxTokens, temperature, topP, stop, effort } = params;
  return {
    ...(typeof maxTokens === "number" ? { [isOwn ? "max_completion_tokens" : "max_tokens"]: maxTokens } : {}),
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(typeof topP === "number" ? { top_p: topP } : {}),
    ...(Array.isArray(stop) ? { stop: stop.map(String) } : {}),
    ...(isEffort(effort) ? { reasoning_effort: effort } : {}),
  };
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

function isEffort(value: unknown): value is (typeof efforts)[number] {
  return efforts.some((effort) => effort === value);
}
