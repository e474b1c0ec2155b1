import { definePlugin, type Block, type PluginInfo, type ProviderRequest, type ProviderSpec } from "@quire/core";
import type { LoadedPlugin } from "@quire/core/host";
import type { ModelLimits, ModelTable } from "@quire/loader";

const name = "model-facts";

/**
 * A plugin that lets what is known of models count, whichever provider serves them. Of a model that no file names it
 * says once what is assumed.
 * @param others All other plugins: it comes after them, when every provider is there.
 */
export function modelFactsPlugin(models: ModelTable, others: readonly PluginInfo[], version: string): LoadedPlugin {
  const plugin = definePlugin({
    name,
    apiVersion: 1,
    after: others.map((other) => other.name),
    setup(host) {
      for (const provider of host.providers.list()) {
        host.providers.wrap(provider.name, (spec) => withFacts(spec, (id) => models.limits(spec.name, id)));
      }
      const told = new Set<string>();
      host.hooks.beforeAgentStart.tap(({ model }) => {
        const full = `${model.provider}/${model.id}`;
        const provider = host.providers.list().find((each) => each.name === model.provider);
        if (provider === undefined || unlisted.has(provider.api) || told.has(full)) return;
        told.add(full);
        if (models.limits(model.provider, model.id) !== undefined) return;
        const { contextTokens, outputTokens } = provider.caps(model.id);
        host.report({
          code: "model-facts-missing",
          level: "info",
          message: `Nothing is known of ${full}: a context of ${contextTokens} tokens and answers of ${outputTokens} are assumed`,
          fix: `Say what it takes in models.yaml: models: { ${full}: { context_tokens: N, output_tokens: N } }`,
        });
      });
    },
  });
  return { name, version, hash: name, tier: "builtin", plugin };
}

/** Their models have no limits of their own, or stand under names that only a program knows. */
const unlisted: ReadonlySet<string> = new Set(["rehearsal", "claude-cli"]);

/** The APIs whose every request states a limit. */
const limited: ReadonlySet<string> = new Set(["anthropic-messages", "claude-cli"]);

/** The provider, as far as its models are known. */
function withFacts(spec: ProviderSpec, limits: (model: string) => ModelLimits | undefined): ProviderSpec {
  const known = (request: ProviderRequest): ProviderRequest => {
    const { images, tools, outputTokens } = limits(request.model.id) ?? {};
    const isLimited = outputTokens === undefined || !limited.has(spec.api) || "maxTokens" in request.params;
    return {
      ...request,
      ...(tools === false && { tools: [] }),
      ...(images === false && { messages: request.messages.map(withoutImages) }),
      ...(!isLimited && { params: { ...request.params, maxTokens: outputTokens } }),
    };
  };
  return {
    ...spec,
    caps(model) {
      const { tools: _tools, ...facts } = limits(model) ?? {};
      return { ...spec.caps(model), ...facts };
    },
    project: (request) => spec.project(known(request)),
    // Called on the provider itself, which may be of a class.
    stream: (wire, signal) => spec.stream(wire, signal),
    ...(spec.available && { available: (place) => spec.available?.(place) ?? false }),
    ...(spec.models && { models: async (signal) => (await spec.models?.(signal)) ?? [] }),
  };
}

function withoutImages<T extends { readonly content: readonly Block[] }>(holder: T): T {
  const content = holder.content.map((block): Block => {
    if (block.type === "image") return { type: "text", text: `[an image (${block.mime}) that the model cannot take]` };
    return block.type === "tool-result" ? withoutImages(block) : block;
  });
  return { ...holder, content };
}
