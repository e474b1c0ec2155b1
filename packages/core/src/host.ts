import { createEntering } from "./async/entering.js";
import type { Host, HostOptions, LoadedPlugin } from "./contracts/host.js";
import type { Diagnostic } from "./contracts/diagnostic.js";
import type { Layout } from "./contracts/layout.js";
import type { CommandSpec } from "./contracts/registry.js";
import type { ProviderSpec } from "./contracts/provider.js";
import { configError, fault, QuireError, toDiagnostic } from "./errors.js";
import type { HostCore } from "./host-core.js";
import { readHostConfig } from "./host-config.js";
import { createHookBus } from "./hooks/hook-bus.js";
import { chooseModel } from "./model-choice.js";
import { orderPlugins } from "./order/plugin-order.js";
import { createRegistry } from "./registries/registry.js";
import { createToolRegistry } from "./registries/tool-registry.js";
import { createReporter } from "./report.js";
import { createMemo } from "./sections/memo.js";
import { planSections } from "./sections/plan.js";
import { createSectionRecords } from "./sections/section-registry.js";
import { createPlace } from "./sections/tracked-place.js";
import { requiredMissing, setUpPlugins, type SetUp } from "./setup-plugins.js";
import { didYouMean } from "./text/nearest.js";
import { createTurns, endSession, openSession } from "./turns/session.js";
import { callTool } from "./turns/tool-calls.js";

/**
 * Builds a host: orders the plugins, sets them up, closes the registries. A plugin that fails is reported and left out.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { timeScale = 1, now = () => new Date() } = options;
  const reporter = createReporter(options.onDiagnostic);
  const { report } = reporter;
  const entering = createEntering((plugin) => options.entering?.(plugin));
  const life = new AbortController();
  const config = readHostConfig(options.config);
  const bus = createHookBus({ report, within: entering.within, timeScale });
  const layouts = createRegistry<Layout>("layout", report);
  const providers = createRegistry<ProviderSpec>("provider", report);
  const commands = createRegistry<CommandSpec>("command", report);
  const records = createSectionRecords(options.edits ?? []);
  const tools = createToolRegistry(
    report,
    (name, args, context) => callTool(core, core.turns.get(context.turnId), name, args, context),
    config,
  );
  const rooms = [bus, layouts, providers, commands, records, tools];
  const sessions: HostCore["sessions"] = new Set();
  const globalMemo = createMemo();
  const invalidate = (section: string): void => {
    for (const memo of [globalMemo, ...[...sessions].map((session) => session.memo)]) memo.invalidate(section);
  };
  const turns = createTurns(() => core);
  const order = orderPlugins(options.plugins);
  order.diagnostics.forEach(report);
  const setUp = await setUpPlugins(
    order.ordered,
    {
      faces: (plugin) => ({
        hooks: bus.face(plugin.name),
        sections: records.face(plugin),
        layouts: layouts.face(plugin.name),
        tools: tools.face(plugin.name),
        providers: providers.face(plugin.name),
        commands: commands.face(plugin.name),
        turns,
        signal: life.signal,
        invalidate,
      }),
      withdraw: (plugin) => rooms.forEach((room) => room.withdraw(plugin)),
    },
    options,
    entering,
    report,
  );
  for (const room of rooms) room.close();
  const plan = planSections(records.sections(), records.edits());
  plan.diagnostics.forEach(report);

  const secrets = new Set(providers.list().flatMap((provider) => provider.secrets ?? []));
  const facts: HostCore["facts"] = (cwd) => {
    const place = options.place(cwd);
    const shown = () => Object.entries(options.environment?.() ?? {}).filter(([name]) => !secrets.has(name));
    const env = (name: string) => (secrets.has(name) ? undefined : place.env(name));
    return { ...place, env, childEnv: () => Object.fromEntries(shown()) };
  };
  const core: HostCore = {
    ...reporter,
    options,
    config,
    plan,
    bus,
    tools,
    get layout() {
      return chooseLayout(layouts.list(), config.layout);
    },
    get layoutOwner() {
      return layouts.owner(this.layout.name) ?? this.layout.name;
    },
    commands: commands.entries(),
    globalMemo,
    sessions,
    entering,
    turns: new Map(),
    missing: [...orderedAway(options.plugins, order), ...setUp.missing],
    facts,
    place: (cwd) => createPlace(facts(cwd), options.files),
    now,
    timeScale,
    signal: life.signal,
    resolveModel: (name, cwd) => chooseModel(providers.entries(), name ?? config.model, options.place(cwd), report),
    provider({ provider: name }) {
      const found = providers.entries().find(({ spec }) => spec.name === name);
      if (found !== undefined) return found;
      throw new QuireError(fault("model-unknown", `No provider is called "${name}"`));
    },
  };
  return {
    diagnostics: reporter.diagnostics,
    plugins: setUp.plugins,
    layouts: layouts.list(),
    providers: providers.list(),
    tools: tools.snapshot(),
    commands: commands.list(),
    sections: plan.sections.map(({ name, slot, owner }) => ({ name, slot, owner })),
    invalidate,
    async open(open) {
      void core.layout;
      return await openSession(core, open);
    },
    dispose: () => disposeHost(core, setUp, life),
  };
}

/** Required plugins that the order had no place for. */
function orderedAway(plugins: readonly LoadedPlugin[], order: ReturnType<typeof orderPlugins>): readonly Diagnostic[] {
  const kept = new Set(order.ordered.map(({ plugin }) => plugin));
  const away = plugins.filter(({ required, plugin }) => required === true && !kept.has(plugin));
  return away.map(({ name }) => {
    const cause = order.diagnostics.find((found) => found.plugin === name);
    return requiredMissing(name, cause?.message ?? "it was left out");
  });
}

async function disposeHost(core: HostCore, setUp: SetUp, life: AbortController): Promise<void> {
  if (life.signal.aborted) return;
  life.abort(new Error("the host was disposed"));
  for (const session of core.sessions) await endSession(core, session);
  for (const { plugin, run } of setUp.cleanups.toReversed()) {
    await run().catch((error: unknown) => core.report(toDiagnostic(error, { code: "plugin-cleanup-failed", plugin })));
  }
}

/** @throws {ConfigError} `layout-unknown`. */
function chooseLayout(layouts: readonly Layout[], name: string | undefined): Layout {
  const wanted = name ?? "quire";
  const found = layouts.find((layout) => layout.name === wanted) ?? (name === undefined ? layouts[0] : undefined);
  if (found !== undefined) return found;
  const names = layouts.map((layout) => layout.name);
  const fix = `Choose one of: ${names.join(", ")}. ${didYouMean(wanted, names, "")}`.trim();
  throw configError("layout-unknown", `There is no layout "${wanted}"`, { fix });
}
