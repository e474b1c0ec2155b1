import type { Diagnostic } from "./contracts/diagnostic.js";
import type { Host, HostOptions, LoadedPlugin } from "./contracts/host.js";
import type { Layout } from "./contracts/layout.js";
import type { CommandSpec } from "./contracts/registry.js";
import type { ProviderSpec } from "./contracts/provider.js";
import { ConfigError, QuireError, toDiagnostic } from "./errors.js";
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
import { requiredMissing, setUpPlugins, type Rooms, type SetUp } from "./setup-plugins.js";
import { nearest } from "./text/nearest.js";
import { createToolSet } from "./tools/tool-set.js";
import { callTool, type ActiveTurn } from "./turns/active-turn.js";
import { endSession, openSession } from "./turns/open-session.js";
import { createTurns } from "./turns/start-turns.js";

/**
 * Builds a host: orders the plugins, sets them up, closes the registries. A plugin that fails is reported and left out.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { diagnostics, report, inTurn } = createReporter(options.onDiagnostic);
  const life = new AbortController();
  let entered: string | undefined;
  const entering = (plugin: string | null): void => {
    entered = plugin ?? undefined;
    options.entering?.(plugin);
  };
  const config = readHostConfig(options.config);
  const bus = createHookBus({
    report,
    entering,
    ...(options.timeScale === undefined ? {} : { timeScale: options.timeScale }),
  });
  const layouts = createRegistry<Layout>("layout", { report, prefixed: false });
  const providers = createRegistry<ProviderSpec>("provider", { report, prefixed: false });
  const commands = createRegistry<CommandSpec>("command", { report, prefixed: true });
  const records = createSectionRecords(options.edits ?? []);
  const activeTurns = new Map<string, ActiveTurn>();
  const tools = createToolRegistry({
    report,
    call: (name, args, context) => callTool(core, activeTurns.get(context.turnId), name, args, context),
  });
  const sessions: HostCore["sessions"] = new Set();
  const globalMemo = createMemo();
  const invalidate = (section: string): void => {
    globalMemo.delete(section);
    for (const session of sessions) session.memo.delete(section);
  };
  const turns = createTurns(() => core);
  const rooms: Rooms = {
    faces: (plugin) => ({
      hooks: bus.face(plugin.name),
      sections: records.face(plugin),
      layouts: layouts.face(plugin.name),
      tools: tools.face(plugin.name),
      providers: providers.face(plugin.name),
      commands: commands.face(plugin.name),
      turns,
    }),
    withdraw(plugin) {
      records.drop(plugin);
      for (const room of [bus, layouts, tools, providers, commands]) room.withdraw(plugin);
    },
  };
  const order = orderPlugins(options.plugins);
  for (const found of order.diagnostics) report(found);
  const setUp = await setUpPlugins(
    order.ordered,
    rooms,
    { ...options, entering },
    { signal: life.signal, invalidate, report },
  );
  for (const room of [bus, layouts, tools, providers, commands, records]) room.close();
  const plan = planSections(records.sections, records.edits);
  for (const found of plan.diagnostics) report(found);

  const secrets = new Set(providers.list().flatMap((provider) => provider.secrets ?? []));
  const facts: HostCore["facts"] = (cwd) => {
    const place = options.place(cwd);
    return {
      ...place,
      env: (name) => (secrets.has(name) ? undefined : place.env(name)),
      childEnv: () =>
        Object.fromEntries(Object.entries(options.environment?.() ?? {}).filter(([name]) => !secrets.has(name))),
    };
  };
  const now = options.now ?? (() => new Date());
  const core: HostCore = {
    options: { ...options, entering },
    config,
    plan,
    bus,
    tools: createToolSet(tools, config),
    get layout() {
      return chooseLayout(layouts.list(), config.layout);
    },
    get layoutOwner() {
      return layouts.owner(this.layout.name) ?? this.layout.name;
    },
    providers: () => providers.list(),
    commands: () => commands.list(),
    globalMemo,
    sessions,
    diagnostics,
    report,
    inTurn,
    entered: () => entered,
    turns: activeTurns,
    missing: [...orderedAway(options.plugins, order), ...setUp.missing],
    facts,
    place: (cwd) => createPlace(facts(cwd), options.files),
    today: () => localDate(now()),
    now,
    timeScale: options.timeScale ?? 1,
    signal: life.signal,
    resolveModel: (name, cwd) => chooseModel(providers.list(), name ?? config.model, options.place(cwd)),
    provider(model) {
      const found = providers.list().find((provider) => provider.name === model.provider);
      if (found !== undefined) return found;
      throw new QuireError({
        code: "model-unknown",
        level: "error",
        message: `No provider is called "${model.provider}"`,
      });
    },
  };
  return {
    diagnostics,
    plugins: setUp.plugins,
    layouts: layouts.list(),
    providers: providers.list(),
    get tools() {
      return core.tools.declared();
    },
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
  const kept = new Set(order.ordered);
  return plugins
    .filter((loaded) => loaded.required === true && !kept.has(loaded))
    .map((loaded) => {
      const cause = order.diagnostics.find((found) => found.plugin === loaded.name);
      return requiredMissing(
        loaded.name,
        cause ?? { code: "plugin-dropped", level: "error", message: "it was left out" },
      );
    });
}

async function disposeHost(core: HostCore, setUp: SetUp, life: AbortController): Promise<void> {
  if (life.signal.aborted) return;
  life.abort(new Error("the host was disposed"));
  for (const session of core.sessions) await endSession(core, session);
  for (const { plugin, run } of setUp.cleanups.toReversed()) {
    try {
      core.options.entering?.(plugin);
      await run();
    } catch (error) {
      core.report(toDiagnostic(error, { code: "plugin-cleanup-failed", plugin }));
    } finally {
      core.options.entering?.(null);
    }
  }
}

/** @throws {ConfigError} `layout-unknown`. */
function chooseLayout(layouts: readonly Layout[], name: string | undefined): Layout {
  const found =
    layouts.find((layout) => layout.name === (name ?? defaultLayout)) ?? (name === undefined ? layouts[0] : undefined);
  if (found !== undefined) return found;
  const names = layouts.map((layout) => layout.name);
  const near = nearest(name ?? defaultLayout, names);
  throw new ConfigError({
    code: "layout-unknown",
    level: "error",
    message: `There is no layout "${name ?? defaultLayout}"`,
    fix: `Choose one of: ${names.join(", ")}${near === undefined ? "" : `. Did you mean "${near}"?`}`,
  });
}

const defaultLayout = "quire";

function localDate(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
