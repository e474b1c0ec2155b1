import type { Diagnostic } from "./index.js";
import type { Host, HostOptions } from "./host-door.js";
import { fault, toDiagnostic } from "./errors.js";
import { createCore, type HostCore } from "./host-core.js";
import { orderPlugins } from "./order/plugin-order.js";
import { planSections } from "./sections/plan.js";
import { invalidate, setUpPlugins, type SetUp } from "./setup-plugins.js";
import { openSession } from "./turns/session.js";

/**
 * Builds a host: orders the plugins, sets them up, closes the registries. A plugin that fails is reported and left out.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const core = createCore(options);
  const { ordered, diagnostics } = orderPlugins(options.plugins);
  diagnostics.forEach(core.report);
  const setUp = await setUpPlugins(core, ordered);
  const isThere = (name: string) => setUp.plugins.some((info) => info.name === name);
  const present = ordered.filter(({ name }) => isThere(name)).map(({ plugin }) => plugin);
  core.missing = missingPlugins(core, present);
  core.plan = planSections(core.records.sections(), core.records.edits());
  core.plan.diagnostics.forEach(core.report);
  return {
    diagnostics: core.diagnostics,
    plugins: setUp.plugins,
    layouts: core.layouts.list(),
    providers: core.providers.list(),
    tools: core.tools.snapshot(),
    commands: core.commands.list(),
    sections: core.plan.sections.map(({ name, slot, owner }) => ({ name, slot, owner })),
    invalidate: (section) => invalidate(core, section),
    open: (open) => openSession(core, open),
    dispose: () => disposeHost(core, setUp),
  };
}

/** Why no turn may start: required plugins that are not there. */
function missingPlugins({ options, diagnostics }: HostCore, present: readonly unknown[]): readonly Diagnostic[] {
  const missing = options.plugins.filter(({ required, plugin }) => required === true && !present.includes(plugin));
  return missing.map(({ name, plugin }) => {
    const cause = diagnostics.find((found) => found.plugin === name || found.plugin === plugin?.name);
    const message = `Plugin "${name}" is required by config and did not load: ${cause?.message ?? "it was left out"}`;
    const fix = "Mend the plugin, or remove required from its entry in config";
    return fault("plugin-required", message, { plugin: name, fix });
  });
}

async function disposeHost({ life, sessions, report }: HostCore, { cleanups }: SetUp): Promise<void> {
  if (life.signal.aborted) return;
  life.abort(new Error("the host was disposed"));
  for (const session of sessions) await session.close();
  for (const { plugin, run } of cleanups.toReversed()) {
    await run().catch((error: unknown) => report(toDiagnostic(error, { code: "plugin-cleanup-failed", plugin })));
  }
}
