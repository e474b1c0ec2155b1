import type { Place } from "@quire/core";
import type { Network } from "./network/network.js";
import type { Endpoint } from "./options.js";

/** One endpoint of the Messages API. */
export interface AnthropicSettings {
  /** The part before the slash in `--model`. */
  readonly name: string;
  /** Without `/v1/messages` and without a slash at the end. */
  readonly baseUrl: string;
  /** Variables that hold its secrets; without any, the endpoint wants none. */
  readonly apiKeyEnv?: string;
  readonly authTokenEnv?: string;
  /** Known models; without them the endpoint is asked. */
  readonly models: readonly string[];
  readonly defaultModel?: string;
  readonly network: Network;
}

/** The vendor's own endpoint (`anthropic`, which config may redefine) and those of config. */
export function anthropicSettings(
  endpoints: Readonly<Record<string, Endpoint>>,
  env: Place["env"],
  network: Network,
): AnthropicSettings[] {
  const vendor: AnthropicSettings = {
    name: "anthropic",
    baseUrl: baseUrl(env("ANTHROPIC_BASE_URL")?.trim() || "https://api.anthropic.com"),
    apiKeyEnv: "ANTHROPIC_API_KEY",
    authTokenEnv: "ANTHROPIC_AUTH_TOKEN",
    models: [],
    network,
    defaultModel: "claude-sonnet-5-5",
  };
  const configured = Object.entries(endpoints).map(([name, entry]): AnthropicSettings => {
    const defaultModel = entry.models[0];
    return {
      name,
      baseUrl: baseUrl(entry.base_url),
      models: entry.models,
      network,
      ...(entry.api_key_env === undefined ? {} : { apiKeyEnv: entry.api_key_env }),
      ...(defaultModel === undefined ? {} : { defaultModel }),
    };
  });
  return configured.some(({ name }) => name === vendor.name) ? configured : [vendor, ...configured];
}

/** Whether the address is the vendor's own. */
export function isVendorUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.endsWith(".anthropic.com");
}

/** People write base URLs with and without what the SDK puts behind them. */
function baseUrl(url: string): string {
  return url.replace(/\/+$/, "").replace(/\/v1(\/messages)?$/, "");
}
