import type { Entering } from "./async/entering.js";
import { bounded } from "./async/bounded.js";
import type { Diagnostic } from "./contracts/diagnostic.js";
import type { HostOptions, LoadedPlugin } from "./contracts/host.js";
import type { KeyValue } from "./contracts/place.js";
import type { PluginHost, PluginInfo } from "./contracts/plugin.js";
import { fault, pluginError, toDiagnostic } from "./errors.js";
import { pluginOptions } from "./host-config.js";
import { originOf } from "./order/plugin-shape.js";
import { describeIssues } from "./text/issues.js";

/** What each plugin gets a face of, and can be withdrawn from. */
export interface Rooms {
  faces(plugin: PluginInfo): Pick<PluginHost, RoomName | "turns" | "signal" | "invalidate">;
  withdraw(plugin: string): void;
}
type RoomName = "hooks" | "sections" | "layouts" | "tools" | "providers" | "commands";

export interface SetUp {
  readonly plugins: readonly PluginInfo[];
  /** Cleanups in the order of set-up. */
  readonly cleanups: readonly { readonly plugin: string; run(): Promise<unknown> }[];
  /** Required plugins that are not there: no turn may start. */
  readonly missing: readonly Diagnostic[];
}

/** Sets plugins up one after another; one that fails leaves no trace and the others go on. */
export async function setUpPlugins(
  ordered: readonly LoadedPlugin[],
  rooms: Rooms,
  options: HostOptions,
  { within }: Entering,
  report: (diagnostic: Diagnostic) => void,
): Promise<SetUp> {
  const plugins: PluginInfo[] = [];
  const cleanups: SetUp["cleanups"][number][] = [];
  const missing: Diagnostic[] = [];
  const failed = new Set<string>();
  const { timeScale = 1, frontMatter } = options;
  for (const loaded of ordered) {
    const { plugin: definition, required, ...info } = loaded;
    const { name } = info;
    const call = (run: () => unknown, limitMs: number): Promise<unknown> =>
      within(name, () => bounded(run, limitMs * timeScale, new AbortController().signal));
    try {
      const absent = definition.needs?.find((other) => failed.has(other));
      if (absent !== undefined) {
        const message = `Plugin "${name}" needs "${absent}", which failed`;
        throw pluginError("plugin-needs", message, { fix: `Mend "${absent}"` });
      }
      const host: PluginHost = {
        ...rooms.faces(info),
        plugin: info,
        options: await parseOptions(loaded, options),
        store: pluginStore(name, options),
        frontMatter,
        report: (diagnostic) => report({ ...diagnostic, plugin: name }),
      };
      const cleanup = await call(() => definition.setup(host), setupLimitMs);
      plugins.push(info);
      if (typeof cleanup === "function")
        cleanups.push({ plugin: name, run: () => call(() => cleanup(), cleanupLimitMs) });
    } catch (error) {
      failed.add(name);
      rooms.withdraw(name);
      const fix = `Mend it, or start with --no-plugin ${name}`;
      const found = toDiagnostic(error, { code: "plugin-setup-failed", fix, at: originOf(info) });
      const isOwn = found.code === "plugin-setup-failed";
      const message = isOwn ? `Plugin "${name}" failed in setup: ${found.message}` : found.message;
      const diagnostic = { ...found, plugin: name, message };
      report(diagnostic);
      if (required === true) missing.push(requiredMissing(name, diagnostic.message));
    }
  }
  return { plugins, cleanups, missing };
}

/** Why no turn may start without this plugin. */
export function requiredMissing(plugin: string, why: string): Diagnostic {
  const message = `Plugin "${plugin}" is required by config and did not load: ${why}`;
  return fault("plugin-required", message, {
    plugin,
    fix: "Mend the plugin, or remove required from its entry in config",
  });
}

async function parseOptions({ name, plugin }: LoadedPlugin, { config }: HostOptions): Promise<unknown> {
  if (plugin.options === undefined) return {};
  const result = await plugin.options["~standard"].validate(pluginOptions(config, name, plugin.configKeys ?? []));
  if (result.issues === undefined) return result.value;
  const message = `The options of plugin "${name}" do not fit: ${describeIssues(result.issues)}`;
  throw pluginError("options-invalid", message, {
    fix: "Correct them in config; agent config schema shows what is allowed",
  });
}

function pluginStore(plugin: string, options: HostOptions): PluginHost["store"] {
  const memory = new Map<string | null, KeyValue>();
  const open = (session: string | null): KeyValue => {
    const store = options.store?.(plugin, session) ?? memory.get(session) ?? memoryStore();
    memory.set(session, store);
    return store;
  };
  return { user: open(null), session: open };
}

function memoryStore(): KeyValue {
  const values = new Map<string, unknown>();
  return { get: async (key) => values.get(key), set: async (key, value) => void values.set(key, value) };
}

const setupLimitMs = 10_000;
const cleanupLimitMs = 2_000;
