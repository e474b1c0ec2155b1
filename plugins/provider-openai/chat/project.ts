import type { Config, ProviderRequest } from "@quire/core";
import type { ChatCompletionCreateParamsStreaming, ChatCompletionTool } from "openai/resources/chat/completions";
import { hasReasoning, isOwnModel } from "../caps.js";
import { isEffort } from "../effort.js";
import type { WireTools } from "../wire/wire-tools.js";
import { messageParams } from "./messages.js";

/**
 * The body of `POST /chat/completions` for a request. Pure, and free of secrets.
 *
 * The system text is the first message. This API keeps prefixes by itself and takes no marks; `prompt_cache_key` goes
 * to the vendor's own address alone, because other servers may refuse a field they do not know.
 * Params taken: `maxTokens`, `temperature`, `topP`, `stop`, `effort`, each where the model takes it.
 */
export function projectChat(
  request: ProviderRequest,
  tools: WireTools,
  { isVendor, isUserOnly }: { readonly isVendor: boolean; readonly isUserOnly: boolean },
): ChatCompletionCreateParamsStreaming {
  const declared = tools.list.map(({ name, description, schema }): ChatCompletionTool => ({
    type: "function",
    function: { name, description, parameters: schema },
  }));
  return {
    model: request.model.id,
    messages: messageParams(request, tools, isUserOnly),
    ...(declared.length === 0 ? {} : { tools: declared }),
    ...settings(request.params, request.model.id),
    ...(isVendor && request.cacheKey !== "" ? { prompt_cache_key: request.cacheKey.slice(0, 64) } : {}),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** The vendor renamed `max_tokens` for its own models; other servers often know the older name alone. */
function settings(params: Config, model: string): Partial<ChatCompletionCreateParamsStreaming> {
  const { maxTokens, temperature, topP, stop, effort } = params;
  const isOwn = isOwnModel(model);
  const isSampled = !hasReasoning(model);
  return {
    ...(typeof maxTokens === "number" ? { [isOwn ? "max_completion_tokens" : "max_tokens"]: maxTokens } : {}),
    ...(isSampled && typeof temperature === "number" ? { temperature } : {}),
    ...(isSampled && typeof topP === "number" ? { top_p: topP } : {}),
    ...(isSampled && Array.isArray(stop) ? { stop: stop.slice(0, 4).map(String) } : {}),
    ...(isEffort(effort) && (!isOwn || !isSampled) ? { reasoning_effort: effort } : {}),
  };
}
