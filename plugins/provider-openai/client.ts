import { ProviderError } from "@quire/core";
import type { Place } from "@quire/core";
import type { OpenAI } from "openai";
import { toProviderError } from "./failure.js";
import { isVendorUrl } from "./settings.js";
import type { OpenaiSettings } from "./settings.js";

export interface ClientDoor {
  readonly client: OpenAI;
  /** Wraps whatever the client throws. */
  readonly fail: (error: unknown) => ProviderError;
}

/** The SDK's own limit, out of the way. */
const longestMs = 86_400_000;

/**
 * The vendor's SDK with this endpoint's key, loaded when first needed. It retries nothing: the host does.
 * @throws {ProviderError} When the key is not set, or the base URL is none.
 */
export async function openaiClient(
  settings: OpenaiSettings,
  env: Place["env"],
  request: { readonly model: string; readonly fetch?: typeof fetch; readonly hasLateRole?: boolean },
): Promise<ClientDoor> {
  const { name, baseUrl, apiKeyEnv, network } = settings;
  const key = apiKeyEnv === undefined ? "none" : env(apiKeyEnv)?.trim() || undefined;
  if (key === undefined) {
    throw new ProviderError(
      {
        code: "provider-key-missing",
        level: "error",
        message: `${name} needs a key, and ${apiKeyEnv} is not set`,
        fix: `Set ${apiKeyEnv}, or choose another model with --model`,
      },
      { status: 401 },
    );
  }
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new ProviderError(
      {
        code: "provider-url-invalid",
        level: "error",
        message: `The base URL of ${name} is no http or https address: ${baseUrl}`,
        fix: "Write it in full, for example http://127.0.0.1:8080/v1",
      },
      // Not to be tried again.
      { status: 400 },
    );
  }
  const { default: Client } = await import("openai");
  const client = new Client({
    apiKey: key,
    adminAPIKey: null,
    baseURL: baseUrl,
    maxRetries: 0,
    // A request with a watch has its own limits.
    timeout: request.fetch === undefined ? network.firstByteMs : longestMs,
    logLevel: "off",
    fetch: request.fetch ?? (await network.fetch()),
    // Otherwise the vendor's OPENAI_ORG_ID and OPENAI_PROJECT_ID would go to other servers.
    ...(isVendorUrl(baseUrl) ? {} : { organization: null, project: null }),
  });
  const context = {
    provider: name,
    url: baseUrl,
    model: request.model,
    keyName: apiKeyEnv ?? "api_key_env",
    api: settings.api,
    secrets: apiKeyEnv === undefined ? [] : [key],
    hasProxy: network.hasProxy,
    hasLateRole: request.hasLateRole === true,
  };
  return { client, fail: (error) => toProviderError(error, context) };
}
