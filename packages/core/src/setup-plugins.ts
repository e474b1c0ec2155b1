import type { KeyValue, PluginHost, PluginInfo } from "./index.js";
import type { HostOptions, LoadedPlugin } from "./host-door.js";
import { bounded } from "./async/bounded.js";
import { pluginError, toDiagnostic } from "./errors.js";
import { pluginOptions } from "./host-config.js";
import type { HostCore } from "./host-core.js";
import { originOf } from "./order/plugin-shape.js";
import { describeIssues } from "./text/issues.js";
import { createTurns } from "./turns/session.js";

/** Plugins that are set up, and their cleanups in the order of set-up. */
export type SetUp = Awaited<ReturnType<typeof setUpPlugins>>;

/** Sets plugins up one after another and closes the rooms; one that fails leaves no trace and the others go on. */
export async function setUpPlugins(core: HostCore, ordered: readonly LoadedPlugin[]) {
  const { options, bus, layouts, providers, commands, records, tools, report } = core;
  const rooms = [bus, layouts, providers, commands, records, tools];
  const turns = createTurns(core);
  const plugins: PluginInfo[] = [];
  const cleanups: { readonly plugin: string; run(): Promise<unknown> }[] = [];
  const failed = new Set<string>();
  for (const loaded of ordered) {
    const { plugin: definition, required: _required, ...info } = loaded;
    const { name } = info;
    const call = (run: () => unknown, limitMs: number): Promise<unknown> =>
      core.entering.within(name, () => bounded(run, limitMs * core.timeScale, new AbortController().signal));
    try {
      const absent = definition.needs?.find((other) => failed.has(other));
      if (absent !== undefined) {
        const message = `Plugin "${name}" needs "${absent}", which failed`;
        throw pluginError("plugin-needs", message, { fix: `Mend "${absent}"` });
      }
      const host: PluginHost = {
        plugin: info,
        options: await parseOptions(loaded, options),
        hooks: bus.face(name),
        sections: records.face(info),
        layouts: layouts.face(name),
        tools: tools.face(name),
        providers: providers.face(name),
        commands: commands.face(name),
        turns,
        store: pluginStore(name, options),
        signal: core.life.signal,
        frontMatter: options.frontMatter,
        invalidate: (section) => invalidate(core, section),
        report: (diagnostic) => report({ ...diagnostic, plugin: name }),
      };
      const cleanup = await call(() => definition.setup(host), setupLimitMs);
      plugins.push(info);
      const run = () => call(cleanup as () => unknown, cleanupLimitMs);
      if (typeof cleanup === "function") cleanups.push({ plugin: name, run });
    } catch (error) {
      failed.add(name);
      for (const room of rooms) room.withdraw(name);
      const fix = `Mend it, or start with --no-plugin ${name}`;
      const found = toDiagnostic(error, { code: "plugin-setup-failed", fix, at: originOf(info) });
      const lead = found.code === "plugin-setup-failed" ? `Plugin "${name}" failed in setup: ` : "";
      report({ ...found, plugin: name, message: lead + found.message });
    }
  }
  for (const room of rooms) room.close();
  return { plugins, cleanups };
}

/** Drops what is memoized of a section, in every session. */
export function invalidate({ globalMemo, sessions }: HostCore, section: string): void {
  for (const memo of [globalMemo, ...[...sessions].map((session) => session.memo)]) memo.invalidate(section);
}

async function parseOptions({ name, plugin, tier }: LoadedPlugin, { config }: HostOptions): Promise<unknown> {
  if (plugin.options === undefined) return {};
  const result = await plugin.options["~standard"].validate(pluginOptions(config, name, plugin.configKeys ?? []));
  if (result.issues === undefined) return result.value;
  const message = `The options of plugin "${name}" do not fit: ${describeIssues(result.issues)}`;
  const where = tier === "builtin" ? "; agent config schema shows what is allowed" : `, in the options of "${name}"`;
  throw pluginError("options-invalid", message, { fix: `Correct them in config${where}` });
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
