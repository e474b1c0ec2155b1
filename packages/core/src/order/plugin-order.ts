import type { Diagnostic } from "../contracts/diagnostic.js";
import type { LoadedPlugin } from "../contracts/host.js";
import type { Tier } from "../contracts/plugin.js";
import { cutCycle } from "./cycle.js";
import { checkDefinition } from "./plugin-shape.js";
import { keepSatisfied } from "./plugin-needs.js";

const tierRank: Readonly<Record<Tier, number>> = { builtin: 0, installed: 1, user: 2, project: 3, flags: 4 };

/**
 * Checks the plugins' definitions and puts them in the order of their set-up: tier, then position in `plugins`, as far
 * as `after`, `before` and `needs` allow.
 * @returns What is left in order, and why the others were dropped. Never throws for a plugin's mistake.
 */
export function orderPlugins(plugins: readonly LoadedPlugin[]): {
  readonly ordered: readonly LoadedPlugin[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const ranked = plugins.toSorted((a, b) => tierRank[a.tier] - tierRank[b.tier]);
  const valid = ranked.flatMap((plugin) => checkDefinition(plugin, report) ?? []);
  const single = dropDuplicates(valid, report);
  const satisfied = keepSatisfied(single, report);
  return { ordered: sortByRelations(satisfied, report), diagnostics };
}

function dropDuplicates(
  plugins: readonly LoadedPlugin[],
  report: (diagnostic: Diagnostic) => void,
): readonly LoadedPlugin[] {
  const first = new Map<string, LoadedPlugin>();
  for (const plugin of plugins) {
    const winner = first.get(plugin.name);
    if (winner === undefined) {
      first.set(plugin.name, plugin);
      continue;
    }
    report({
      code: "plugin-duplicate",
      level: "error",
      plugin: plugin.name,
      ...(plugin.file === undefined ? {} : { at: { kind: "plugin", plugin: plugin.name, file: plugin.file } }),
      message: `Two plugins are named "${plugin.name}": ${sourceOf(winner)} stays, ${sourceOf(plugin)} is not loaded`,
      fix: "Rename one of them, or take one out of config",
    });
  }
  return [...first.values()];
}

function sourceOf(plugin: LoadedPlugin): string {
  return plugin.file ?? `the ${plugin.tier} one`;
}

/** Lowest rank first among those whose predecessors stand already. */
function sortByRelations(
  plugins: readonly LoadedPlugin[],
  report: (diagnostic: Diagnostic) => void,
): readonly LoadedPlugin[] {
  const waitsFor = relationsOf(plugins);
  const waiting = new Map(plugins.map((plugin) => [plugin.name, plugin]));
  const ordered: LoadedPlugin[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting.values()].find((plugin) => waitsFor.get(plugin.name)?.size === 0);
    if (ready === undefined) {
      report(cycleFound(cutCycle([...waiting.keys()], waitsFor)));
      continue;
    }
    ordered.push(ready);
    waiting.delete(ready.name);
    for (const others of waitsFor.values()) others.delete(ready.name);
  }
  return ordered;
}

function relationsOf(plugins: readonly LoadedPlugin[]): Map<string, Set<string>> {
  const waitsFor = new Map<string, Set<string>>(plugins.map(({ name }) => [name, new Set()]));
  const relate = (earlier: string, later: string) => {
    if (earlier !== later && waitsFor.has(earlier)) waitsFor.get(later)?.add(earlier);
  };
  for (const { name, plugin } of plugins) {
    for (const earlier of [...(plugin.after ?? []), ...(plugin.needs ?? [])]) relate(earlier, name);
    for (const later of plugin.before ?? []) relate(name, later);
  }
  return waitsFor;
}

function cycleFound(cycle: readonly string[]): Diagnostic {
  const [lowest = ""] = cycle;
  return {
    code: "plugin-cycle",
    level: "warn",
    plugin: lowest,
    message: `The plugins ${[...cycle, lowest].map((name) => `"${name}"`).join(" after ")} wait for each other; "${lowest}" goes first`,
    fix: "Take one name out of after, before or needs in one of them",
  };
}
