import type { Model, Place, ProviderSpec } from "@quire/core";
import { modelCaps } from "./caps.js";
import { openaiClient } from "./client.js";
import { api } from "./options.js";
import { projectChat } from "./project.js";
import { isVendorUrl } from "./settings.js";
import type { OpenaiSettings } from "./settings.js";
import { streamChat } from "./stream.js";

/** A provider for one endpoint. `env` is read at each request, so a key never stands in the wire. */
export function openaiChatProvider(settings: OpenaiSettings, env: Place["env"]): ProviderSpec {
  const { name, baseUrl, apiKeyEnv, defaultModel } = settings;
  return {
    name,
    api,
    secrets: apiKeyEnv === undefined ? [] : [apiKeyEnv],
    ...(defaultModel === undefined ? {} : { defaultModel }),
    available: (place) => apiKeyEnv !== undefined && (place.env(apiKeyEnv)?.trim() ?? "") !== "",
    async models(signal): Promise<readonly Model[]> {
      if (settings.models.length > 0) return settings.models.map((id) => ({ id }));
      const { client, fail } = await openaiClient(settings, env, { model: "the list of models" });
      try {
        const models: Model[] = [];
        for await (const { id } of client.models.list({ signal })) models.push({ id });
        return models;
      } catch (error) {
        signal.throwIfAborted();
        throw fail(error);
      }
    },
    caps: modelCaps,
    project: (request) => ({
      url: `${baseUrl}/chat/completions`,
      headers: {},
      body: projectChat(request, isVendorUrl(baseUrl)),
    }),
    stream: (wire, signal) => streamChat(wire, settings, env, signal),
  };
}
