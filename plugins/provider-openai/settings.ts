import type { Place } from "@quire/core";
import type { Endpoint } from "./options.js";

/** One endpoint of the Chat Completions API. */
export interface OpenaiSettings {
  /** The part before the slash in `--model`. */
  readonly name: string;
  /** Without `/chat/completions` and without a slash at the end. */
  readonly baseUrl: string;
  /** Variable that holds its key; without one, the endpoint wants none. */
  readonly apiKeyEnv?: string;
  /** Known models; without them the endpoint is asked. */
  readonly models: readonly string[];
  readonly defaultModel?: string;
}

/** The vendor's own endpoint (`openai-chat`, which config may redefine) and those of config. */
export function openaiSettings(endpoints: Readonly<Record<string, Endpoint>>, env: Place["env"]): OpenaiSettings[] {
  const vendor: OpenaiSettings = {
    name: "openai-chat",
    baseUrl: baseUrl(env("OPENAI_BASE_URL")?.trim() || "https://api.openai.com/v1"),
    apiKeyEnv: "OPENAI_API_KEY",
    models: [],
    defaultModel: "gpt-5",
  };
  const configured = Object.entries(endpoints).map(([name, entry]): OpenaiSettings => {
    const defaultModel = entry.models[0];
    return {
      name,
      baseUrl: baseUrl(entry.base_url),
      models: entry.models,
      ...(entry.api_key_env === undefined ? {} : { apiKeyEnv: entry.api_key_env }),
      ...(defaultModel === undefined ? {} : { defaultModel }),
    };
  });
  return configured.some(({ name }) => name === vendor.name) ? configured : [vendor, ...configured];
}

/** Whether the address is the vendor's own. */
export function isVendorUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.endsWith(".openai.com");
}

function baseUrl(url: string): string {
  return url.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
}
