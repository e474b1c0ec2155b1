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

export interface LateSystem {
  /** Late system texts join the system text at the head. */
  readonly isJoined: boolean;
  /** Where they go as the user's; may grow. */
  readonly userOnly: ReadonlySet<string>;
}

/** A provider for one endpoint. `env` is read at each request, so a key never stands in the wire. */
export function anthropicProvider(
  settings: AnthropicSettings,
  env: Place["env"],
  { isJoined, userOnly }: LateSystem = { isJoined: false, userOnly: new Set() },
): ProviderSpec {
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
        const { Models } = await import("./sdk.js");
        for await (const { id } of new Models(client).list({}, { signal })) models.push({ id });
        return models;
      } catch (error) {
        signal.throwIfAborted();
        throw fail(error);
      }
    },
    caps(model) {
      const caps = modelCaps(model);
      return userOnly.has(settings.baseUrl) ? { ...caps, contextRole: "user" } : caps;
    },
    project(request): NamedWire {
      const tools = anthropicTools(request.tools);
      const body = projectMessages(request, tools, {
        isVendor: isVendorUrl(settings.baseUrl),
        isJoined,
        isUserOnly: userOnly.has(settings.baseUrl),
      });
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
