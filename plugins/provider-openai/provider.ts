import type { Model, Place, ProviderSpec } from "@quire/core";
import { modelCaps, takesTools } from "./caps.js";
import { openaiClient } from "./client.js";
import { modes } from "./modes.js";
import { isVendorUrl } from "./settings.js";
import type { OpenaiSettings } from "./settings.js";
import { streamAnswer } from "./stream.js";
import { openaiTools } from "./tools.js";
import type { NamedWire } from "./wire/renamed-tools.js";

export interface LateSystem {
  /** Late system texts join the instructions, where the API has any. */
  readonly isJoined: boolean;
  /** Base URLs where they go as the user's; may grow. */
  readonly userOnly: ReadonlySet<string>;
}

/** A provider for one endpoint. `env` is read at each request, so a key never stands in the wire. */
export function openaiProvider(
  settings: OpenaiSettings,
  env: Place["env"],
  { isJoined, userOnly }: LateSystem = { isJoined: false, userOnly: new Set() },
): ProviderSpec {
  const { name, api, baseUrl, apiKeyEnv, defaultModel } = settings;
  const mode = modes[api];
  const isVendor = isVendorUrl(baseUrl);
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
    caps: (model) => ({ ...modelCaps(model), contextRole: userOnly.has(baseUrl) ? "user" : mode.contextRole(model) }),
    project(request): NamedWire {
      const tools = openaiTools(request.tools, settings.tools && takesTools(request.model.id));
      return {
        url: `${baseUrl}${mode.path}`,
        headers: {},
        body: mode.project(request, tools, { isVendor, isJoined, isUserOnly: userOnly.has(baseUrl) }),
        ...(tools.renamed === undefined ? {} : { renamed: tools.renamed }),
      };
    },
    stream: (wire, signal) => streamAnswer(wire, settings, env, signal),
  };
}
