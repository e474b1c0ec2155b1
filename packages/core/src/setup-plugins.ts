import type { Diagnostic } from "./contracts/diagnostic.js";
import type { HostOptions, LoadedPlugin } from "./contracts/host.js";
import type { KeyValue } from "./contracts/place.js";
import type { PluginHost, PluginInfo } from "./contracts/plugin.js";
import { bounded } from "./async/bounded.js";
import { PluginError, toDiagnostic } from "./errors.js";
import { pluginOptions } from "./host-config.js";

/** What each plugin gets a face of, and can be withdrawn from. */
export interface Rooms {
  faces(
    plugin: PluginInfo,
  ): Omit<PluginHost, "plugin" | "options" | "store" | "signal" | "frontMatter" | "invalidate" | "report">;
  withdraw(plugin: string): void;
}

export interface SetUp {
  readonly plugins: readonly PluginInfo[];
  /** Cleanups in the order of set-up. */
  readonly cleanups: readonly { readonly plugin: string; run(): Promise<void> }[];
  /** Required plugins that are not there: no turn may start. */
  readonly missing: readonly Diagnostic[];
}

/** Sets plugins up one after another; one that fails leaves no trace and the others go on. */
export async function setUpPlugins(
  ordered: readonly LoadedPlugin[],
  rooms: Rooms,
  options: HostOptions,
  host: Pick<PluginHost, "signal" | "invalidate"> & { report(diagnostic: Diagnostic): void },
): Promise<SetUp> {
  const plugins: PluginInfo[] = [];
  const cleanups: { plugin: string; run(): Promise<void> }[] = [];
  const missing: Diagnostic[] = [];
  const failed = new Set<string>();
  const timeScale = options.timeScale ?? 1;
  for (const loaded of ordered) {
    const { plugin: definition, required, ...info } = loaded;
    try {
      const absent = definition.needs?.find((name) => failed.has(name));
      if (absent !== undefined) throw needsFailed(info.name, absent);
      const face: PluginHost = {
        ...rooms.faces(info),
        plugin: info,
        options: await parseOptions(loaded, options),
        store: pluginStore(info.name, options),
        signal: host.signal,
        frontMatter: options.frontMatter,
        invalidate: host.invalidate,
        report: (diagnostic) => host.report({ ...diagnostic, plugin: info.name }),
      };
      options.entering?.(info.name);
      const cleanup = await bounded(
        () => (definition.setup as (host: PluginHost) => unknown)(face),
        setupLimitMs * timeScale,
        host.signal,
      );
      plugins.push(info);
      if (typeof cleanup === "function") {
        const run = cleanup as () => unknown;
        cleanups.push({
          plugin: info.name,
          run: async () => void (await bounded(() => run(), cleanupLimitMs * timeScale, new AbortController().signal)),
        });
      }
    } catch (error) {
      failed.add(info.name);
      rooms.withdraw(info.name);
      const at = info.file === undefined ? {} : { at: { kind: "plugin", plugin: info.name, file: info.file } as const };
      const found = toDiagnostic(error, {
        code: "plugin-setup-failed",
        plugin: info.name,
        fix: `Mend it, or start with --no-plugin ${info.name}`,
        ...at,
      });
      const diagnostic = {
        ...found,
        plugin: info.name,
        message:
          found.code === "plugin-setup-failed"
            ? `Plugin "${info.name}" failed in setup: ${found.message}`
            : found.message,
      };
      host.report(diagnostic);
      if (required === true) missing.push(requiredMissing(info.name, diagnostic));
    } finally {
      options.entering?.(null);
    }
  }
  return { plugins, cleanups, missing };
}

/** Why no turn may start without this plugin. */
export function requiredMissing(plugin: string, cause: Diagnostic): Diagnostic {
  return {
    code: "plugin-required",
    level: "error",
    message: `Plugin "${plugin}" is required by config and did not load: ${cause.message}`,
    plugin,
    fix: "Mend the plugin, or remove required from its entry in config",
  };
}

async function parseOptions(loaded: LoadedPlugin, options: HostOptions): Promise<unknown> {
  const { plugin: definition } = loaded;
  if (definition.options === undefined) return {};
  const raw = pluginOptions(options.config, loaded.name, definition.configKeys ?? []);
  const result = await definition.options["~standard"].validate(raw);
  if (result.issues === undefined) return result.value;
  const problems = result.issues.map((issue) => {
    const path = (issue.path ?? []).map((part) =>
      typeof part === "object" && part !== null && "key" in part ? String(part.key) : String(part),
    );
    return path.length === 0 ? issue.message : `${path.join(".")}: ${issue.message}`;
  });
  throw new PluginError({
    code: "options-invalid",
    level: "error",
    message: `The options of plugin "${loaded.name}" do not fit: ${problems.join("; ")}`,
    plugin: loaded.name,
    fix: "Correct them in config; agent config schema shows what is allowed",
  });
}

function pluginStore(plugin: string, options: HostOptions): PluginHost["store"] {
  const memory = new Map<string, KeyValue>();
  const open = (session: string | null): KeyValue => {
    if (options.store !== undefined) return options.store(plugin, session);
    const key = session ?? "";
    const found = memory.get(key) ?? memoryStore();
    memory.set(key, found);
    return found;
  };
  return { user: open(null), session: open };
}

function memoryStore(): KeyValue {
  const values = new Map<string, unknown>();
  return { get: async (key) => values.get(key), set: async (key, value) => void values.set(key, value) };
}

function needsFailed(plugin: string, absent: string): PluginError {
  const message = `Plugin "${plugin}" needs "${absent}", which failed`;
  return new PluginError({ code: "plugin-needs", level: "error", message, plugin, fix: `Mend "${absent}"` });
}

const setupLimitMs = 10_000;
const cleanupLimitMs = 2_000;
