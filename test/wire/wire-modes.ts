import { anthropicProvider } from "../../plugins/provider-anthropic/provider.js";
import { openaiProvider } from "../../plugins/provider-openai/provider.js";
import { createNetwork } from "../../plugins/provider-openai/network/network.js";
import type { OpenaiApi } from "../../plugins/provider-openai/options.js";
import { isWireApi, validateWire } from "@quire/testkit";
import type { WireApi, WireRefusal } from "@quire/testkit";
import type { ProviderRequest, ProviderSpec } from "@quire/core";

const network = createNetwork({}, () => undefined);

/** One wire mode with one model: what the model takes decides what is sent. */
export interface WireModeCase {
  readonly name: string;
  readonly provider: ProviderSpec;
  readonly model: string;
  /** Late system texts join the head. */
  readonly isJoined: boolean;
}

export function anthropicMode(
  model: string,
  options: { readonly isVendor?: boolean; readonly isJoined?: boolean } = {},
) {
  const { isVendor = true, isJoined = false } = options;
  const baseUrl = isVendor ? "https://api.anthropic.com" : "https://gateway.example";
  const settings = { name: "anthropic", baseUrl, apiKeyEnv: "A_KEY", models: [], network };
  const provider = anthropicProvider(settings, () => "a-key", { isJoined, userOnly: new Set() });
  return { name: `anthropic-messages ${model}${isJoined ? " joined" : ""}`, provider, model, isJoined };
}

export function openaiMode(
  api: OpenaiApi,
  model: string,
  options: { readonly isVendor?: boolean; readonly isJoined?: boolean; readonly tools?: boolean } = {},
): WireModeCase {
  const { isVendor = true, isJoined = false, tools = true } = options;
  const baseUrl = isVendor ? "https://api.openai.com/v1" : "https://gateway.example/v1";
  const name = api === "openai-responses" ? "openai" : api;
  const settings = { name, api, baseUrl, apiKeyEnv: "O_KEY", models: [], tools, network };
  const provider = openaiProvider(settings, () => "o-key", { isJoined, userOnly: new Set() });
  return {
    name: `${api} ${model}${isJoined ? " joined" : ""}${tools ? "" : " without tools"}`,
    provider,
    model,
    isJoined,
  };
}

/** Every HTTP mode with models that differ in what they take. */
export const wireModes: readonly WireModeCase[] = [
  anthropicMode("claude-sonnet-5-5"),
  anthropicMode("claude-opus-4-8", { isJoined: true }),
  anthropicMode("claude-sonnet-4-6", { isVendor: false }),
  anthropicMode("claude-haiku-4-5"),
  anthropicMode("claude-3-5-haiku-latest"),
  anthropicMode("glm-5", { isVendor: false }),
  openaiMode("openai-chat", "gpt-5"),
  openaiMode("openai-chat", "gpt-4o"),
  openaiMode("openai-chat", "gpt-3.5-turbo"),
  openaiMode("openai-chat", "chatgpt-4o-latest"),
  openaiMode("openai-chat", "qwen3-coder", { isVendor: false }),
  openaiMode("openai-chat", "gemma3", { isVendor: false, tools: false }),
  openaiMode("openai-responses", "gpt-5"),
  openaiMode("openai-responses", "gpt-5", { isJoined: true }),
  openaiMode("openai-responses", "gpt-4.1"),
  openaiMode("openai-responses", "gpt-oss:20b", { isVendor: false }),
  openaiMode("openai-codex", "gpt-5"),
  openaiMode("openai-codex", "gpt-5.1-codex-max", { isJoined: true }),
  openaiMode("openai-codex", "codex-mini-latest"),
];

/** What the vendor of a mode would refuse of a request. */
export function refusals(mode: WireModeCase, request: ProviderRequest): readonly WireRefusal[] {
  const { api } = mode.provider;
  if (!isWireApi(api)) throw new Error(`no rules for ${api satisfies string}`);
  const wire = mode.provider.project(request);
  return validateWire(api satisfies WireApi, wire.body, wire.headers);
}
