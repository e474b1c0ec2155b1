import type { ProviderSpec } from "@quire/core";

/** A model for a start that names none. */
export interface ModelChoice {
  /** As `--model` would give it. */
  readonly model: string;
  /** Told to the user when a key in the environment made the choice. */
  readonly announcement?: string;
}

/**
 * The first provider, in plugin order, that can be used as things are.
 * @param env Reads the environment, keys included.
 * @returns Undefined when no provider is usable.
 */
export function chooseModel(
  providers: readonly ProviderSpec[],
  env: (name: string) => string | undefined,
): ModelChoice | undefined {
  const usable = providers.find((provider) => provider.available?.({ env }) ?? false);
  if (usable === undefined) return undefined;
  const model = usable.defaultModel === undefined ? usable.name : `${usable.name}/${usable.defaultModel}`;
  const key = usable.secrets?.find((name) => env(name) !== undefined && env(name) !== "");
  if (key === undefined) return { model };
  return {
    model,
    announcement: `model ${model}, because ${key} is set; --model or \`model:\` in config chooses another`,
  };
}
