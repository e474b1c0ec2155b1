import type { Diagnostic } from "./contracts/diagnostic.js";
import type { ModelRef } from "./contracts/message.js";
import type { Place } from "./contracts/place.js";
import type { ProviderSpec } from "./contracts/provider.js";
import { configError, toDiagnostic } from "./errors.js";
import type { Owned } from "./registries/resolve-specs.js";
import { didYouMean } from "./text/nearest.js";

/**
 * The model a name stands for: `provider/model`, or `provider` alone for its default model. Without a name the first
 * provider that can be used as things are.
 * @param place Its `env` shows secrets.
 * @throws {ConfigError} `model-unknown`.
 */
export function chooseModel(
  providers: readonly Owned<ProviderSpec>[],
  name: string | undefined,
  place: Pick<Place, "env">,
  report: (diagnostic: Diagnostic) => void,
): ModelRef {
  if (name !== undefined)
    return named(
      providers.map(({ spec }) => spec),
      name,
    );
  for (const { spec, owner: plugin } of providers) {
    try {
      if (spec.defaultModel === undefined || spec.available?.(place) !== true) continue;
      return { provider: spec.name, id: spec.defaultModel };
    } catch (error) {
      report(toDiagnostic(error, { code: "provider-available-failed", plugin }));
    }
  }
  const fix = "Choose one with --model provider/model, or set the key of a provider";
  throw configError("model-unknown", "No model was named and no provider is ready", { fix });
}

function named(providers: readonly ProviderSpec[], name: string): ModelRef {
  const [prefix = "", ...rest] = name.split("/");
  const provider = providers.find((candidate) => candidate.name === prefix);
  const id = rest.join("/") || provider?.defaultModel;
  if (provider !== undefined && id !== undefined) return { provider: prefix, id };
  const names = providers.map((candidate) => candidate.name);
  const message =
    provider === undefined
      ? `No provider is called "${prefix}" (in the model "${name}")`
      : `Provider "${prefix}" has no default model`;
  const fix = `Write --model provider/model with one of: ${names.join(", ")}. ${didYouMean(prefix, names, "")}`.trim();
  throw configError("model-unknown", message, { fix });
}
