import type { Config, ProviderRequest } from "@quire/core";
import type { FunctionTool, ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import { hasReasoning, isOwnModel, takesVerbosity } from "../caps.js";
import { isEffort } from "../effort.js";
import type { WireTools } from "../wire/wire-tools.js";
import { inputItems } from "./input-items.js";

export interface ResponsesOptions {
  /** Whether the body goes to the vendor's own address. */
  readonly isVendor: boolean;
  /** Late system texts join the instructions, and have no place of their own. */
  readonly isJoined: boolean;
  /** Else they go as the user's. */
  readonly isUserOnly: boolean;
  /** Codex Responses: what the vendor's own program sends there. */
  readonly isCodex: boolean;
}

/**
 * The body of `POST /responses` for a request. Pure, and free of secrets.
 *
 * The system text is `instructions`, the conversation `input`. Nothing is stored at the vendor: reasoning comes back
 * encrypted and is replayed from the session. Codex takes no limit and no sampling.
 * Params taken: `maxTokens`, `temperature`, `topP`, `effort`, `summary`, each where the model takes it.
 */
export function projectResponses(
  request: ProviderRequest,
  tools: WireTools,
  options: ResponsesOptions,
): ResponseCreateParamsStreaming {
  const { isVendor, isCodex } = options;
  const model = request.model.id;
  const { input, late } = inputItems(request, tools, options);
  const instructions = joined([request.system.text, ...late]);
  const declared = tools.list.map(({ name, description, schema }): FunctionTool => ({
    type: "function",
    name,
    description,
    parameters: schema,
    // Left out, this API would bend the schema into its strict subset.
    strict: false,
  }));
  return {
    model,
    // Codex wants the field, be it empty.
    ...(instructions === "" && !isCodex ? {} : { instructions }),
    input,
    ...(declared.length === 0 ? {} : { tools: declared, ...(isCodex ? { parallel_tool_calls: true } : {}) }),
    ...(isCodex && takesVerbosity(model) ? { text: { verbosity: "low" } } : {}),
    ...(isCodex ? {} : sampling(request.params, model)),
    ...reasoning(request.params, model, isCodex),
    ...(isVendor && request.cacheKey !== "" ? { prompt_cache_key: request.cacheKey.slice(0, 64) } : {}),
    store: false,
    stream: true,
  };
}

/** Texts with one blank line between two; the first keeps its bytes when it is alone. */
function joined(texts: readonly string[]): string {
  const said = texts.filter((text) => text.trim() !== "");
  return said.map((text, index) => (index < said.length - 1 ? text.replace(/\n+$/, "") : text)).join("\n\n");
}

/** The vendor's least `max_output_tokens`. */
const leastTokens = 16;

function sampling(params: Config, model: string): Partial<ResponseCreateParamsStreaming> {
  const { maxTokens, temperature, topP } = params;
  const isSampled = !hasReasoning(model);
  return {
    ...(typeof maxTokens === "number" ? { max_output_tokens: Math.max(leastTokens, maxTokens) } : {}),
    ...(isSampled && typeof temperature === "number" ? { temperature } : {}),
    ...(isSampled && typeof topP === "number" ? { top_p: topP } : {}),
  };
}

/**
 * Of models that reason: their effort, a summary to show and the encrypted content to give back. A summary is asked for
 * only when wanted, or by Codex: the vendor refuses it to organizations that it has not verified.
 */
function reasoning(params: Config, model: string, isCodex: boolean): Partial<ResponseCreateParamsStreaming> {
  const effort = isEffort(params["effort"]) ? { effort: params["effort"] } : {};
  if (!hasReasoning(model)) {
    return isOwnModel(model) || Object.keys(effort).length === 0 ? {} : { reasoning: effort };
  }
  const wanted = isSummary(params["summary"]) ? params["summary"] : isCodex ? "auto" : undefined;
  const fields = { ...effort, ...(wanted === undefined ? {} : { summary: wanted }) };
  return {
    ...(Object.keys(fields).length === 0 ? {} : { reasoning: fields }),
    include: ["reasoning.encrypted_content"],
  };
}

function isSummary(value: unknown): value is "auto" | "concise" | "detailed" {
  return value === "auto" || value === "concise" || value === "detailed";
}
