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
  /** Short names for `--model`, each of a `provider/model`. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** By `provider/model`, without the date that ends some ids. */
  readonly models?: Readonly<Record<string, ModelEntry>> | undefined;
}

export interface ModelEntry {
  readonly context_tokens?: number | undefined;
  readonly output_tokens?: number | undefined;
  /** False: it takes none. */
  readonly images?: boolean | undefined;
  readonly tools?: boolean | undefined;
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

/** What a model takes; left out where nothing is known. */
export interface ModelLimits {
  readonly contextTokens?: number;
  readonly outputTokens?: number;
  readonly images?: boolean;
  readonly tools?: boolean;
}

/** Facts of models by name. */
export interface ModelTable {
  readonly aliases: Readonly<Record<string, string>>;
  find(provider: string, model: string): ModelFacts | undefined;
  /**
   * What a model takes, whoever serves it: prices are the provider's, limits the model's.
   * @returns Undefined when no file names the model.
   */
  limits(provider: string, model: string): ModelLimits | undefined;
  /** Ids under a provider's own name. */
  idsOf(provider: string): readonly string[];
}

/** @param files The first that knows a model counts. */
export function modelTable(files: readonly ModelFile[]): ModelTable {
  const undated = (model: string): string => model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "");
  const inFile = ({ models = {}, priced_as = {} }: ModelFile, provider: string, model: string) => {
    for (const owner of [provider, priced_as[provider]]) {
      for (const id of [model, undated(model)]) {
        const name = `${owner}/${id}`;
        if (owner !== undefined && Object.hasOwn(models, name)) return models[name];
      }
    }
    return undefined;
  };
  const all = files.map(({ models = {} }) => Object.entries(models));
  return {
    aliases: Object.assign({}, ...files.toReversed().map(({ aliases }) => aliases)) as Readonly<Record<string, string>>,
    idsOf: (provider) => {
      const names = all.flat().flatMap(([name]) => (name.startsWith(`${provider}/`) ? [name] : []));
      return [...new Set(names)].map((name) => name.slice(provider.length + 1));
    },
    limits(provider, model) {
      const bare = undated(model);
      // From the provider's own entry to that of anybody who has the model.
      const exact = [`${provider}/${model}`, `${provider}/${bare}`, model, bare];
      const near = exact.flatMap((wanted) => all.flatMap((each) => each.filter(([name]) => name === wanted)));
      const far = all.flatMap((each) => each.filter(([name]) => name.slice(name.indexOf("/") + 1) === bare));
      const entries = [...near, ...far];
      if (entries.length === 0) return undefined;
      return entries.reduceRight<ModelLimits>((limits, [, entry]) => ({ ...limits, ...toLimits(entry) }), {});
    },
    find(provider, model) {
      for (const file of files) {
        const found = inFile(file, provider, model);
        if (found !== undefined) return toFacts(found);
      }
      return undefined;
    },
  };
}

function toLimits({ context_tokens, output_tokens, images, tools }: ModelEntry): ModelLimits {
  return {
    ...(context_tokens !== undefined && { contextTokens: context_tokens }),
    ...(output_tokens !== undefined && { outputTokens: output_tokens }),
    ...(images !== undefined && { images }),
    ...(tools !== undefined && { tools }),
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
