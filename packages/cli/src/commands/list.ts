import type { Config, Diagnostic, ProviderSpec } from "@quire/core";
import type { Loaded, ModelTable } from "@quire/loader";
import { builtins } from "../builtins.js";
import { chooseModel } from "../choose-model.js";
import type { ExitCode } from "../exit-code.js";
import { table } from "../output/table.js";
import type { Started } from "../start-host.js";
import { printResult, type CommandContext } from "./command-context.js";
import { presetOf } from "./preset-of.js";
import { withHost } from "./with-host.js";

const modelsTimeoutMs = 10_000;
const env = (name: string) => process.env[name];

/** `agent list models | providers | agents | tools | presets | layouts` */
export function listCommand(context: CommandContext): Promise<ExitCode> {
  return withHost<ExitCode>(context, async (started) => {
    const what = context.path.split(" ")[1] ?? "";
    const { items, rows } = await listings[what as keyof typeof listings](started, context);
    printResult(context, { [what]: items }, rows.length === 0 ? "" : table(rows));
    if (rows.length === 0) context.streams.note(`there are no ${what}`);
    return 0;
  });
}

interface Listing<T = object> {
  readonly items: readonly T[];
  readonly rows: readonly (readonly string[])[];
}

const listings = {
  models: listModels,
  providers: async ({ host, loaded }: Started) => listProviders(host.providers, loaded.config.merged),
  agents: async ({ loaded }: Started) => listProfiles(loaded.profiles),
  tools: async ({ host }: Started) => {
    const items = host.tools.map(({ name, plugin, spec, off }) => {
      return { name, plugin, effect: spec.effect, off: off ?? null, description: spec.description };
    });
    const rows = items.map(({ name, plugin, effect, off }) => [
      name,
      effect,
      plugin,
      off === null ? "" : `off: ${off}`,
    ]);
    return { items, rows };
  },
  presets: listPresets,
  layouts: async ({ host, loaded }: Started) => {
    const wanted = loaded.config.merged["layout"];
    const items = host.layouts.map(({ name, slots, escape }) => {
      const chosen = name === (wanted ?? "quire");
      return { name, chosen, escape: escape ?? "fence", slots: slots.map(({ slot }) => slot) };
    });
    return { items, rows: items.map(({ name, chosen }) => [name, chosen ? "chosen" : ""]) };
  },
} satisfies Record<string, (started: Started, context: CommandContext) => Promise<Listing>>;

function listProfiles(profiles: Loaded["profiles"]): Listing {
  const items = profiles.map(({ id, name, kind, scope, description, tools, model, file }) => {
    return { id, name, kind, scope, description: description ?? "", tools: tools ?? null, model: model ?? null, file };
  });
  const rows = items.map(({ id, kind, scope, description }) => [
    id,
    scope,
    kind === "primary" ? "main agent only" : "",
    description,
  ]);
  return { items, rows };
}

/** `quire` names the defaults; every other preset is a plugin that carries data. */
async function listPresets(started: Started): Promise<Listing> {
  const chosen = presetOf(started);
  const carriers = builtins.filter(({ name }) => name.startsWith("preset-"));
  const others = await Promise.all(
    carriers.map(async ({ name, load }) => {
      return { name: name.slice("preset-".length), summary: (await load()).preset?.summary ?? "" };
    }),
  );
  const presets = [{ name: "quire", summary: "The defaults" }, ...others];
  const items = presets.map((preset) => ({ ...preset, chosen: preset.name === chosen }));
  return { items, rows: items.map(({ name, summary, chosen }) => [name, chosen ? "chosen" : "", summary]) };
}

/** What a provider is, and what it lacks. */
export function listProviders(providers: readonly ProviderSpec[], config: Config): Listing<Provider> {
  const items = providers.map((provider) => ({
    name: provider.name,
    api: provider.api,
    default_model: provider.defaultModel ?? null,
    ready: isReady(provider, config),
    keys: provider.secrets ?? [],
  }));
  const rows = items.map(({ name, api, default_model, ready, keys }) => [
    name,
    api,
    ready ? "ready" : keys.length > 0 ? `set ${keys.join(" or ")}` : "not set up",
    default_model ?? "",
  ]);
  return { items, rows };
}

export interface Provider {
  readonly name: string;
  readonly api: string;
  readonly default_model: string | null;
  readonly ready: boolean;
  readonly keys: readonly string[];
}

/** Whether it can be asked. An endpoint that config names without a key wants none. */
function isReady(provider: ProviderSpec, { providers }: Config): boolean {
  const isNamed = typeof providers === "object" && providers !== null && Object.hasOwn(providers, provider.name);
  const wantsKey = (provider.secrets ?? []).length > 0;
  return (provider.available?.({ env }) ?? false) || (isNamed && !wantsKey);
}

/** Asks every endpoint that is set up; one that does not answer is reported and keeps its default model. */
async function listModels({ host, loaded, models }: Started, context: CommandContext): Promise<Listing> {
  const { merged } = loaded.config;
  const ready = host.providers.filter((provider) => isReady(provider, merged));
  const lists = await Promise.all(ready.map((provider) => modelsOf(provider, models, context)));
  const chosen = typeof merged["model"] === "string" ? merged["model"] : chooseModel(host.providers, env)?.model;
  const isChosen = (model: string, isOwn: boolean) => model === chosen || (isOwn && model.startsWith(`${chosen}/`));
  const items = lists.flat().map((item) => ({ ...item, default: isChosen(item.model, item.default) }));
  const aliases = Object.entries(models.aliases);
  const rows = items.map(({ model, default: isDefault, context_tokens, usd_per_million: usd }) => {
    const names = aliases.flatMap(([alias, meant]) => (meant === model ? [alias] : []));
    const price = usd === null ? "" : `$${usd.input} in, $${usd.output} out`;
    return [model, isDefault ? "default" : "", `${context_tokens}`, price, names.join(", ")];
  });
  return { items, rows };
}

interface ListedModel {
  readonly model: string;
  readonly default: boolean;
  readonly context_tokens: number;
  readonly output_tokens: number;
  /** Of a short prompt. */
  readonly usd_per_million: { readonly input: number; readonly output: number } | null;
}

/** What the endpoint lists; of one that does not answer what is known without it. */
async function modelsOf(
  provider: ProviderSpec,
  models: ModelTable,
  { signal, sink }: CommandContext,
): Promise<readonly ListedModel[]> {
  const own = provider.defaultModel === undefined ? [] : [{ id: provider.defaultModel }];
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(modelsTimeoutMs)]);
  const found = await provider.models?.(timeout).catch((error: unknown) => {
    sink.report(unreachable(provider.name, error));
    return models.idsOf(provider.name).map((id) => ({ id }));
  });
  const ids = new Set([...own, ...(found ?? [])].map(({ id }) => id));
  return [...ids].map((id) => {
    const { contextTokens: context_tokens, outputTokens: output_tokens } = provider.caps(id);
    const usd = models.find(provider.name, id)?.usdPerMillion(0);
    const usd_per_million = usd === undefined ? null : { input: usd.input, output: usd.output };
    const isDefault = id === provider.defaultModel;
    return { model: `${provider.name}/${id}`, default: isDefault, context_tokens, output_tokens, usd_per_million };
  });
}

function unreachable(provider: string, error: unknown): Diagnostic {
  const what = error instanceof Error ? error.message : String(error);
  return {
    code: "models-unavailable",
    level: "warn",
    message: `Provider "${provider}" did not say which models it has: ${what.split("\n", 1)[0]}`,
    fix: "The models that are known can be used all the same",
  };
}
