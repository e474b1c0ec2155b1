import type { Place } from "@quire/core";
import type { Network } from "./network/network.js";
import type { Endpoint, OpenaiApi } from "./options.js";

/** One endpoint of one API. */
export interface OpenaiSettings {
  /** The part before the slash in `--model`. */
  readonly name: string;
  readonly api: OpenaiApi;
  /** Without `/chat/completions` or `/responses` and without a slash at the end. */
  readonly baseUrl: string;
  /** Variable that holds its key; without one, the endpoint wants none. */
  readonly apiKeyEnv?: string;
  /** Known models; without them the endpoint is asked. */
  readonly models: readonly string[];
  readonly defaultModel?: string;
  readonly network: Network;
  /** Whether its models may be given tools. */
  readonly tools: boolean;
}

/** The vendor's providers in the order in which a key chooses one. */
const vendors = [
  { name: "openai", api: "openai-responses" },
  { name: "openai-chat", api: "openai-chat" },
  { name: "openai-codex", api: "openai-codex" },
] as const;

/** The vendor's own endpoint under its three names, each of which config may redefine, and those of config. */
export function openaiSettings(
  endpoints: Readonly<Record<string, Endpoint>>,
  env: Place["env"],
  network: Network,
): OpenaiSettings[] {
  const vendorUrl = baseUrl(env("OPENAI_BASE_URL")?.trim() || "https://api.openai.com/v1");
  const own = vendors.map(({ name, api }): OpenaiSettings => ({
    name,
    api,
    baseUrl: vendorUrl,
    apiKeyEnv: "OPENAI_API_KEY",
    models: [],
    network,
    defaultModel: "gpt-5",
    tools: true,
  }));
  const configured = Object.entries(endpoints).map(([name, entry]): OpenaiSettings => {
    const defaultModel = entry.models[0];
    return {
      name,
      api: entry.api,
      baseUrl: baseUrl(entry.base_url),
      models: entry.models,
      network,
      tools: entry.tools,
      ...(entry.api_key_env === undefined ? {} : { apiKeyEnv: entry.api_key_env }),
      ...(defaultModel === undefined ? {} : { defaultModel }),
    };
  });
  return [...own.filter(({ name }) => !Object.hasOwn(endpoints, name)), ...configured];
}

/** Whether the address is the vendor's own. */
export function isVendorUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.endsWith(".openai.com");
}

function baseUrl(url: string): string {
  return url.replace(/\/+$/, "").replace(/\/(chat\/completions|responses)$/, "");
}
