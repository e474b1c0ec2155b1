import type { Diagnostic, Origin } from "@quire/core";
import { sha256, type LoadedPlugin } from "@quire/core/host";
import type { Builtin } from "../contract.js";
import { inOrder, missingEntries, requiredMissing, speaksOf } from "./config-entries.js";
import { importPlugin, preparePlugin, type ImportSettings, type Prepared } from "./import-plugin.js";
import type { OffRules } from "./off-rules.js";
import { versionOf } from "./package-manifest.js";
import { isFailure, type PluginEntry, type PluginFailure, type PluginSource } from "./plugin-source.js";
import { searchPlugins, type PluginSearch } from "./search-plugins.js";

export interface PluginRequest extends PluginSearch {
  readonly builtins: readonly Builtin[];
  readonly off: OffRules;
  readonly settings: ImportSettings;
  /** Code that was judged already, by file: what was judged is what is loaded. */
  readonly prepared: ReadonlyMap<string, Prepared>;
}

export interface PluginResult {
  /** By tier, then in the order of config. */
  readonly plugins: readonly LoadedPlugin[];
  readonly diagnostics: readonly Diagnostic[];
  readonly requiredMissing: readonly Diagnostic[];
  /** Which config entries speak of which plugin, by its name. */
  readonly entriesOf: ReadonlyMap<string, readonly PluginEntry[]>;
  /** Foreign plugins that were asked for and are not loaded, by label. */
  readonly notLoaded: readonly string[];
}

/** Finds, bundles and imports every plugin that is on. One that fails is reported; the others go on. */
export async function loadPlugins(request: PluginRequest): Promise<PluginResult> {
  const { builtins, entries, off } = request;
  const found = await searchPlugins(request);
  const failures = [...found.failures];
  const sources = found.sources.filter((source) => !off.hasSource(source));
  const switchedOff = found.sources.filter((source) => !sources.includes(source)).map(({ label }) => label);

  const foreign = await importForeign(sources, request, failures);
  const on = foreign.filter(({ name, tier, file }) => !off.hasName(name, tier === "flags", file));
  switchedOff.push(...foreign.filter((plugin) => !on.includes(plugin)).map(({ name }) => name));
  const typedNames = on.filter(({ tier }) => tier === "flags").map(({ name }) => name);
  const own = await loadBuiltins(request, typedNames, failures);
  const kept = on.filter(({ name, tier }) => tier === "flags" || !typedNames.includes(name));

  const loaded = [...own.plugins, ...kept];
  const entriesOf = new Map(
    loaded.map((plugin) => [plugin.name, entries.filter((entry) => speaksOf(entry, plugin, sources))]),
  );
  failures.push(...missingEntries(request, entriesOf, failures, switchedOff, found.sources));
  const labels = found.sources.map(({ label }) => label);
  return {
    plugins: inOrder(loaded, entries, entriesOf).map((plugin) => {
      const required = entriesOf.get(plugin.name)?.findLast((entry) => entry.required !== undefined)?.required;
      return required === undefined ? plugin : { ...plugin, required };
    }),
    diagnostics: [
      ...failures.map(toDiagnostic),
      ...[...on.filter((plugin) => !kept.includes(plugin)), ...own.replaced].map(({ name }) => overridden(name)),
      ...off.unused(
        [...builtins, ...foreign].map(({ name }) => name),
        labels,
      ),
    ],
    requiredMissing: requiredMissing(entries, off, entriesOf, failures),
    entriesOf,
    notLoaded: [...new Set([...switchedOff, ...failures.map(({ label }) => label)])],
  };
}

/** Bundles together, imports one after another: top-level code of two plugins does not interleave. */
async function importForeign(
  sources: readonly PluginSource[],
  request: PluginRequest,
  failures: PluginFailure[],
): Promise<readonly LoadedPlugin[]> {
  const { settings } = request;
  const prepared = await Promise.all(
    sources.map(async (source) => request.prepared.get(source.file) ?? (await preparePlugin(source, settings))),
  );
  const plugins: LoadedPlugin[] = [];
  for (const [index, source] of sources.entries()) {
    const result = await importPlugin(source, prepared[index] ?? null, settings);
    if (isFailure(result)) {
      failures.push(result);
      continue;
    }
    const { plugin, hash } = result;
    const { tier, file } = source;
    plugins.push({ name: plugin.name, version: await versionOf(file), hash, tier, file, plugin });
  }
  return plugins;
}

async function loadBuiltins(
  request: PluginRequest,
  typedNames: readonly string[],
  failures: PluginFailure[],
): Promise<{ readonly plugins: readonly LoadedPlugin[]; readonly replaced: readonly Builtin[] }> {
  const { builtins, off, typed, settings } = request;
  const on = builtins.filter(({ name }) => typed.includes(name) || !off.hasName(name, false));
  const replaced = on.filter(({ name }) => typedNames.includes(name));
  const loaded = await Promise.all(
    on
      .filter((builtin) => !replaced.includes(builtin))
      .map(async (builtin): Promise<LoadedPlugin | PluginFailure> => {
        const { name } = builtin;
        const hash = sha256(`${name}@${settings.version}`);
        try {
          return { name, version: settings.version, hash, tier: "builtin", plugin: await builtin.load() };
        } catch (cause) {
          const message = `The built-in plugin ${name} fails while it is imported: ${cause instanceof Error ? cause.message : String(cause)}`;
          return { label: name, code: "plugin-import", message, fix: `Switch it off with --no-plugin ${name}`, cause };
        }
      }),
  );
  failures.push(...loaded.filter(isFailure));
  return { plugins: loaded.filter((each): each is LoadedPlugin => !isFailure(each)), replaced };
}

function toDiagnostic(failure: PluginFailure): Diagnostic {
  const { code, message, fix, label, at, file, cause } = failure;
  const place: Origin | undefined = at ?? (file === undefined ? undefined : { kind: "plugin", file });
  return {
    code,
    level: "error",
    plugin: label,
    message,
    fix,
    ...(place === undefined ? {} : { at: place }),
    ...(cause === undefined ? {} : { cause }),
  };
}

function overridden(name: string): Diagnostic {
  return {
    code: "plugin-overridden",
    level: "info",
    plugin: name,
    message: `Plugin ${name} of the command line stands in for the one that was there`,
    at: { kind: "flag" },
  };
}
