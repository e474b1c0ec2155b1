import type { Attrs, Layout, ModelRef, Place, ProviderSpec } from "./index.js";
import { configError, fault, QuireError, toDiagnostic } from "./errors.js";
import type { Owned } from "./registries/registry.js";
import type { Report } from "./report.js";
import { didYouMean } from "./text/nearest.js";

/**
 * The layout of a name; without a name the default one, or the first there is.
 * @throws {ConfigError} `layout-unknown`.
 */
export function chooseLayout(layouts: readonly Owned<Layout>[], name: string | undefined): Owned<Layout> {
  const wanted = name ?? "quire";
  const found = layouts.find(({ spec }) => spec.name === wanted) ?? (name === undefined ? layouts[0] : undefined);
  if (found !== undefined) return found;
  const names = layouts.map(({ spec }) => spec.name);
  const one = `Choose one of: ${names.join(", ")}, or the preset that brings it`;
  const none = "The plugin that brings one is off or failed: agent doctor names it";
  const fix = didYouMean(wanted, names, names.length === 0 ? none : one);
  throw configError("layout-unknown", `There is no layout "${wanted}"`, { fix });
}

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
  report: Report,
  aliases: Attrs = {},
): ModelRef {
  if (name !== undefined) return namedModel(providers, name, aliases);
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

function namedModel(providers: readonly Owned<ProviderSpec>[], name: string, aliases: Attrs): ModelRef {
  const [prefix = "", ...rest] = name.split("/");
  const provider = providers.find(({ spec }) => spec.name === prefix);
  const meant = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  if (provider === undefined && meant !== undefined) return namedModel(providers, meant, {});
  const id = rest.join("/") || provider?.spec.defaultModel;
  if (provider !== undefined && id !== undefined) return { provider: prefix, id };
  const names = [...providers.map(({ spec }) => spec.name), ...Object.keys(aliases)];
  const unknown = `No provider is called "${prefix}" (in the model "${name}")`;
  if (provider !== undefined) {
    const fix = `Write ${prefix}/MODEL; agent list models shows what it has`;
    throw configError("model-unknown", `Provider "${prefix}" has no default model`, { fix });
  }
  const fix = `Write --model provider/model with one of: ${names.join(", ")}. ${didYouMean(prefix, names, "")}`.trim();
  throw configError("model-unknown", unknown, { fix });
}

/** @throws {QuireError} `model-unknown`. */
export function findProvider(providers: readonly Owned<ProviderSpec>[], name: string): Owned<ProviderSpec> {
  const found = providers.find(({ spec }) => spec.name === name);
  if (found !== undefined) return found;
  throw new QuireError(fault("model-unknown", `No provider is called "${name}"`));
}
