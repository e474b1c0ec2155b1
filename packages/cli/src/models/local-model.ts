import type { ProviderSpec } from "@quire/core";
import type { ModelChoice } from "../choose-model.js";

const patienceMs = 5_000;

/** Models of the servers on this machine, which are looked for now. */
export async function localModels(providers: readonly ProviderSpec[]): Promise<readonly string[]> {
  const local = providers.find(({ name }) => name === "local");
  const found = await local?.models?.(AbortSignal.timeout(patienceMs)).catch(() => []);
  return (found ?? []).map(({ id }) => `local/${id}`);
}

/** A model for a start on a terminal where no key chooses one. */
export async function localChoice(providers: readonly ProviderSpec[]): Promise<ModelChoice | undefined> {
  const [model] = await localModels(providers);
  if (model === undefined) return undefined;
  const why = "because its server runs on this machine and no key is set";
  return { model, announcement: `model ${model}, ${why}; --model or \`model:\` in config chooses another` };
}
