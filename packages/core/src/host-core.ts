import type { CommandSpec, Diagnostic, Layout, ModelRef, Place, ProviderSpec } from "./index.js";
import type { HostOptions } from "./host-door.js";
import { createEntering } from "./async/entering.js";
import { chooseLayout, chooseModel, findProvider } from "./choose.js";
import { readHostConfig } from "./host-config.js";
import { createHookBus } from "./hooks/hook-bus.js";
import { createRegistry, type Owned } from "./registries/registry.js";
import { createToolRegistry } from "./registries/tool-registry.js";
import { createReporter } from "./report.js";
import { createMemo } from "./sections/memo.js";
import { planSections } from "./sections/plan.js";
import { createSectionRecords } from "./sections/section-registry.js";
import { createPlace, type PlaceFacts } from "./sections/tracked-place.js";
import type { OpenSession } from "./turns/session.js";
import { callTool } from "./turns/tool-calls.js";
import type { RunningTurn } from "./turns/turn.js";

/** What the rooms of core share while a host lives. Never seen by a plugin. */
export type HostCore = ReturnType<typeof createCore>;

export function createCore(options: HostOptions) {
  const { timeScale = 1, now = () => new Date(), files } = options;
  const reporter = createReporter(options.onDiagnostic);
  const { report } = reporter;
  const config = readHostConfig(options.config);
  const entering = createEntering((plugin) => options.entering?.(plugin));
  const layouts = createRegistry<Layout>("layout", report);
  const providers = createRegistry<ProviderSpec>("provider", report);
  /** Turns under way by id. */
  const turns = new Map<string, RunningTurn>();
  const facts = (cwd: string): PlaceFacts & { readonly platform: string; readonly shell: string } => {
    const secrets = new Set(providers.list().flatMap((provider) => provider.secrets ?? []));
    const place = options.place(cwd);
    const shown = () => Object.entries(options.environment?.() ?? {}).filter(([name]) => !secrets.has(name));
    const env = (name: string) => (secrets.has(name) ? undefined : place.env(name));
    return { ...place, env, childEnv: () => Object.fromEntries(shown()) };
  };
  return {
    ...reporter,
    options,
    config,
    entering,
    timeScale,
    now,
    /** Aborted when the host is disposed. */
    life: new AbortController(),
    bus: createHookBus(report, entering, timeScale),
    layouts,
    providers,
    commands: createRegistry<CommandSpec>("command", report),
    records: createSectionRecords(options.edits ?? []),
    tools: createToolRegistry(
      report,
      (name, args, context) => callTool(turns.get(context.turnId), name, args, context),
      config,
    ),
    /** Of what `records` hold when set-up is over. */
    plan: planSections([], []),
    /** Required plugins that are not there: no turn may start. */
    missing: [] as readonly Diagnostic[],
    globalMemo: createMemo(),
    sessions: new Set<OpenSession>(),
    turns,
    facts,
    /** Files and facts of a place, untracked. */
    place: (cwd: string): Place => createPlace(facts(cwd), files),
    get layout(): Owned<Layout> {
      return chooseLayout(layouts.entries(), config.layout);
    },
    resolveModel: (name: string | undefined, cwd: string): ModelRef =>
      chooseModel(providers.entries(), name ?? config.model, options.place(cwd), report, options.aliases),
    provider: (model: ModelRef) => findProvider(providers.entries(), model.provider),
  };
}
