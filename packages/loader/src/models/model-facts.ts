import type { Usage } from "@quire/core";

/** US dollars per million tokens. Without a price of its own a cached token costs what any other input costs. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number | undefined;
  readonly cache_write?: number | undefined;
  /** Holds for prompts of at most so many tokens, cached ones included. */
  readonly up_to_tokens?: number | undefined;
}

/** A file of facts about models: the one that ships, and the user's `models.yaml`. */
export interface ModelFile {
  /** Where the facts were read. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
  /** Providers whose models cost what those of another provider cost. */
  readonly priced_as?: Readonly<Record<string, string>> | undefined;
  /** By `provider/model`, without the date that ends some ids. */
  readonly models?: Readonly<Record<string, ModelEntry>> | undefined;
}

export interface ModelEntry {
  readonly context_tokens?: number | undefined;
  readonly output_tokens?: number | undefined;
  /** Of a list the first whose limit the prompt does not exceed. */
  readonly usd_per_million?: ModelPrice | readonly ModelPrice[] | undefined;
}

/** What is known of a model. */
export interface ModelFacts {
  readonly contextTokens?: number;
  readonly outputTokens?: number;
  /**
   * US dollars per million tokens of each kind, for a prompt of so many tokens, cached ones included.
   * @returns Undefined when no price is known.
   */
  usdPerMillion(promptTokens: number): Usage | undefined;
}

/** Facts of models by name. */
export interface ModelTable {
  find(provider: string, model: string): ModelFacts | undefined;
}

/** @param files The first that knows a model counts. */
export function modelTable(files: readonly ModelFile[]): ModelTable {
  const inFile = ({ models = {}, priced_as = {} }: ModelFile, provider: string, model: string) => {
    for (const owner of [provider, priced_as[provider]]) {
      for (const id of [model, model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "")]) {
        const name = `${owner}/${id}`;
        if (owner !== undefined && Object.hasOwn(models, name)) return models[name];
      }
    }
    return undefined;
  };
  return {
    find(provider, model) {
      for (const file of files) {
        const found = inFile(file, provider, model);
        if (found !== undefined) return toFacts(found);
      }
      return undefined;
    },
  };
}

function toFacts({ context_tokens, output_tokens, usd_per_million }: ModelEntry): ModelFacts {
  const prices = usd_per_million === undefined ? [] : [usd_per_million].flat();
  return {
    ...(context_tokens !== undefined && { contextTokens: context_tokens }),
    ...(output_tokens !== undefined && { outputTokens: output_tokens }),
    usdPerMillion(promptTokens) {
      const found = prices.find(({ up_to_tokens = Infinity }) => promptTokens <= up_to_tokens);
      if (found === undefined) return undefined;
      const { input, output, cache_read: cacheRead = input, cache_write: cacheWrite = input } = found;
      return { input, cacheRead, cacheWrite, output };
    },
  };
}
