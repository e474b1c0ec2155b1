import type { Model, Place, ProviderSpec } from "@quire/core";
import { modelCaps } from "./caps.js";
import { anthropicClient } from "./client.js";
import { api } from "./options.js";
import { projectMessages } from "./project.js";
import { isVendorUrl } from "./settings.js";
import type { AnthropicSettings } from "./settings.js";
import { streamMessages } from "./stream.js";
import { bindingBeta } from "./thinking.js";
import { anthropicTools } from "./tools.js";
import type { NamedWire } from "./wire/renamed-tools.js";

/**
 * A provider for one endpoint. `env` is read at each request, so a key never stands in the wire.
 * @param isJoined Late system texts join the system text at the head.
 */
export function anthropicProvider(settings: AnthropicSettings, env: Place["env"], isJoined = false): ProviderSpec {
  const { name, apiKeyEnv, authTokenEnv, defaultModel } = settings;
  const secrets = [apiKeyEnv, authTokenEnv].filter((each) => each !== undefined);
  return {
    name,
    api,
    secrets,
    ...(defaultModel === undefined ? {} : { defaultModel }),
    available: (place) => secrets.some((secret) => (place.env(secret)?.trim() ?? "") !== ""),
    async models(signal): Promise<readonly Model[]> {
      if (settings.models.length > 0) return settings.models.map((id) => ({ id }));
      const { client, fail } = await anthropicClient(settings, env, { model: "the list of models" });
      try {
        const models: Model[] = [];
        for await (const { id } of client.models.list({}, { signal })) models.push({ id });
        return models;
      } catch (error) {
        signal.throwIfAborted();
        throw fail(error);
      }
    },
    caps: modelCaps,
    project(request): NamedWire {
      const tools = anthropicTools(request.tools);
      const body = projectMessages(request, tools, { isVendor: isVendorUrl(settings.baseUrl), isJoined });
      return {
        url: `${settings.baseUrl}/v1/messages`,
        headers:
          body.thinking !== undefined && "block_binding" in body.thinking ? { "anthropic-beta": bindingBeta } : {},
        body,
        ...(tools.renamed === undefined ? {} : { renamed: tools.renamed }),
      };
    },
    stream: (wire, signal) => streamMessages(wire, settings, env, signal),
  };
}
