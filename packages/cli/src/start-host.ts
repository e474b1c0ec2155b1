import { realpathSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ConfigError, type Attrs, type PluginInfo } from "@quire/core";
import { createHost, type Host } from "@quire/core/host";
import { load, loadModels, type Loaded, type ModelTable } from "@quire/loader";
import type { Flags } from "./args/flags.js";
import { toLoadFlags } from "./args/load-flags.js";
import { createLedger, type Ledger } from "./bill/ledger.js";
import { builtins } from "./builtins.js";
import { openCrashNote, readCrashNotes } from "./crash-note.js";
import type { Launch } from "./launch.js";
import { modelFactsPlugin } from "./models/model-facts.js";
import type { DiagnosticSink } from "./output/diagnostic-sink.js";
import { isMisnamedFlag, refuseMisnamedFlags, unknownTools, unspokenApis } from "./misnamed.js";
import { watchStrayErrors } from "./stray-errors.js";

/** Somebody at a terminal, who can be asked. */
export interface Asking {
  ask(question: string): Promise<string | null>;
  confirmTrust(what: readonly string[]): Promise<boolean>;
}

export interface Started {
  readonly loaded: Loaded;
  readonly host: Host;
  readonly ledger: Ledger;
  /** Contexts and prices. */
  readonly models: ModelTable;
  /** Ends the plugins and everything that was opened. */
  close(): Promise<void>;
}

const builtinNames = builtins.map(({ name }) => name);

/** Config, plugins and files of this start, without a host. */
export function loadAll(launch: Launch, flags: Flags, asking?: Asking): Promise<Loaded> {
  const typedAt = process.cwd();
  return load({
    cwd: flags.cwd === undefined ? typedAt : folderOf(resolve(typedAt, flags.cwd)),
    typedAt,
    home: isAbsolute(homedir()) ? homedir() : userInfo().homedir,
    environment: environment(),
    version: launch.version,
    builtins,
    flags: toLoadFlags(flags, builtinNames, typedAt),
    importModule: launch.importModule,
    ...(asking !== undefined && { confirmTrust: asking.confirmTrust }),
  });
}

/**
 * Loads and builds the host. What is found on the way goes to `sink`; a plugin that fails is one of those findings.
 * @throws {ConfigError} Config or a flag is wrong.
 */
export async function startHost(launch: Launch, flags: Flags, sink: DiagnosticSink, asking?: Asking): Promise<Started> {
  let plugins: readonly PluginInfo[] = [];
  const stopWatching = watchStrayErrors(() => plugins, sink.report);
  const loaded = await loadAll(launch, flags, asking);
  refuseMisnamedFlags(loaded.diagnostics, loaded);
  plugins = loaded.host.plugins;
  const cache = join(loaded.place.quireHome, "cache");
  for (const diagnostic of [...readCrashNotes(cache, builtinNames), ...loaded.diagnostics]) sink.report(diagnostic);
  const note = openCrashNote(cache, process.pid);
  process.once("exit", note.close);
  const ledger = createLedger();
  const { models, diagnostics } = await loadModels(loaded.place.quireHome);
  for (const diagnostic of diagnostics) sink.report(diagnostic);
  const facts = modelFactsPlugin(models, plugins, launch.version);
  const built = await createHost({
    ...loaded.host,
    aliases: models.aliases,
    log: ledger.overhear(loaded.host.log),
    plugins: loaded.host.plugins
      .map((plugin) => (guards.has(plugin.name) ? { ...plugin, required: true } : plugin))
      .concat(facts),
    ...(asking !== undefined && { ask: asking.ask }),
    entering: note.entering,
    onDiagnostic: (diagnostic) => void (isMisnamedFlag(diagnostic, loaded) || sink.report(diagnostic)),
    strict: flags.strict,
  });
  // No plugin that anybody could turn off or replace.
  const host = { ...built, plugins: built.plugins.filter(({ name }) => name !== facts.name) };
  try {
    reportMisnamed(host, loaded, flags, sink);
  } catch (error) {
    await host.dispose();
    throw error;
  }
  return {
    loaded,
    host,
    ledger,
    models,
    close: async () => {
      await host.dispose();
      note.close();
      stopWatching();
    },
  };
}

/** @throws {ConfigError} A flag or an entry of `providers:` names what does not exist. */
function reportMisnamed(host: Host, loaded: Loaded, flags: Flags, sink: DiagnosticSink): void {
  refuseMisnamedFlags(host.diagnostics, loaded);
  const [unspoken, ...others] = unspokenApis(host, loaded);
  const hasAll = host.plugins.length === loaded.host.plugins.length && providersOn(host);
  if (unspoken !== undefined && hasAll) throw new ConfigError(unspoken);
  const apis = unspoken === undefined ? [] : [unspoken, ...others];
  for (const found of [...host.diagnostics, ...unknownTools(host, loaded, flags), ...apis]) sink.report(found);
}

/** Whether every built-in provider is there: what is off speaks its API no less. */
function providersOn({ plugins }: Host): boolean {
  const on = plugins.map(({ name }) => name);
  return builtinNames.every((name) => !name.startsWith("provider-") || on.includes(name));
}

/** Without these nothing judges tool calls: when one is on and fails, no turn starts. */
const guards = new Set(["permissions"]);

/**
 * The folder itself, links followed.
 * @throws {ConfigError} `cwd-missing`
 */
function folderOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return realpathSync(path);
  throw new ConfigError({
    code: "cwd-missing",
    level: "error",
    message: stat === undefined ? `There is no folder ${path}` : `${path} is no folder`,
    at: { kind: "flag" },
    fix: "Check the path that --cwd names",
  });
}

function environment(): Attrs {
  const set = Object.entries(process.env).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Attrs;
}
