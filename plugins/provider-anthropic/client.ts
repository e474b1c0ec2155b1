import { ProviderError } from "@quire/core";
import type { Place } from "@quire/core";
import type { BaseAnthropic } from "@anthropic-ai/sdk/client";
import { toProviderError } from "./failure.js";
import { isVendorUrl } from "./settings.js";
import type { AnthropicSettings } from "./settings.js";

export interface ClientDoor {
  readonly client: BaseAnthropic;
  /** Wraps whatever the client throws. */
  readonly fail: (error: unknown) => ProviderError;
}

/** The SDK's own limit, out of the way. */
const longestMs = 86_400_000;

/**
 * The vendor's SDK with this endpoint's key, loaded when first needed. It retries nothing: the host does.
 * @throws {ProviderError} When the key is not set.
 */
export async function anthropicClient(
  settings: AnthropicSettings,
  env: Place["env"],
  request: { readonly model: string; readonly fetch?: typeof fetch; readonly hasLateRole?: boolean },
): Promise<ClientDoor> {
  const { name, baseUrl, apiKeyEnv, authTokenEnv, network } = settings;
  const apiKey = secretOf(apiKeyEnv, env);
  const authToken = secretOf(authTokenEnv, env);
  if (apiKeyEnv !== undefined && apiKey === undefined && authToken === undefined) {
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
  const { BaseAnthropic: Client } = await import("./sdk.js");
  const key = apiKey ?? (authToken === undefined ? "none" : undefined);
  const client = new Client({
    ...(key === undefined ? { authToken: authToken ?? null } : { apiKey: key }),
    baseURL: baseUrl,
    maxRetries: 0,
    // A request with a watch has its own limits.
    timeout: request.fetch === undefined ? network.firstByteMs : longestMs,
    logLevel: "off",
    openTelemetry: false,
    fetch: request.fetch ?? (await network.fetch()),
    // The SDK sends keys as bearer tokens; servers that imitate the vendor often know the older header alone.
    ...(key === undefined || isVendorUrl(baseUrl) ? {} : { defaultHeaders: { "x-api-key": key } }),
  });
  const secrets = [apiKey, authToken].filter((secret) => secret !== undefined);
  const keyName = authToken !== undefined && apiKey === undefined ? authTokenEnv : apiKeyEnv;
  return {
    client,
    fail: (error) =>
      toProviderError(error, {
        provider: name,
        url: baseUrl,
        model: request.model,
        keyName: keyName ?? "api_key_env",
        secrets,
        hasProxy: network.hasProxy,
        hasLateRole: request.hasLateRole === true,
      }),
  };
}

function secretOf(name: string | undefined, env: Place["env"]): string | undefined {
  return name === undefined ? undefined : env(name)?.trim() || undefined;
}
