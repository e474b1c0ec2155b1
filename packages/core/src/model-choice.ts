import type { ModelRef } from "./contracts/message.js";
import type { Place } from "./contracts/place.js";
import type { ProviderSpec } from "./contracts/provider.js";
import { ConfigError } from "./errors.js";
import { nearest } from "./text/nearest.js";

/**
 * The model a name stands for: `provider/model`, or `provider` alone for its default model. Without a name the first
 * provider that can be used as things are.
 * @param place Its `env` shows secrets.
 * @throws {ConfigError} `model-unknown`.
 */
export function chooseModel(
  providers: readonly ProviderSpec[],
  name: string | undefined,
  place: Pick<Place, "env">,
): ModelRef {
  if (name !== undefined) return named(providers, name);
  const ready = providers.find(
    (provider) => provider.available?.(place) === true && provider.defaultModel !== undefined,
  );
  if (ready?.defaultModel !== undefined) return { provider: ready.name, id: ready.defaultModel };
  const fix = "Choose one with --model provider/model, or set the key of a provider";
  throw new ConfigError({
    code: "model-unknown",
    level: "error",
    message: "No model was named and no provider is ready",
    fix,
  });
}

function named(providers: readonly ProviderSpec[], name: string): ModelRef {
  const slash = name.indexOf("/");
  const prefix = slash === -1 ? name : name.slice(0, slash);
  const id = slash === -1 ? "" : name.slice(slash + 1);
  const provider = providers.find((candidate) => candidate.name === prefix);
  if (provider !== undefined && id !== "") return { provider: prefix, id };
  if (provider?.defaultModel !== undefined) return { provider: prefix, id: provider.defaultModel };
  const names = providers.map((candidate) => candidate.name);
  const near = nearest(prefix, names);
  throw new ConfigError({
    code: "model-unknown",
    level: "error",
    message:
      provider === undefined
        ? `No provider is called "${prefix}" (in the model "${name}")`
        : `Provider "${prefix}" has no default model`,
    fix: `Write --model provider/model with one of: ${names.join(", ")}${near === undefined ? "" : `. Did you mean "${near}"?`}`,
  });
}
