import type { Diagnostic, Tier } from "../index.js";
import type { LoadedPlugin } from "../host-door.js";
import { fault, warning } from "../errors.js";
import type { Report } from "../report.js";
import { nearest } from "../text/nearest.js";
import { firstOfEach } from "./first-of-each.js";
import { checkDefinition, originOf } from "./plugin-shape.js";
import { sortByRelations } from "./sort-by-relations.js";

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
  const report: Report = (diagnostic) => void diagnostics.push(diagnostic);
  const ranked = plugins.toSorted((a, b) => tierRank[a.tier] - tierRank[b.tier]);
  const valid = ranked.flatMap((plugin) => checkDefinition(plugin, report) ?? []);
  const single = firstOfEach(
    valid,
    ({ name }) => name,
    (other, first) => report(duplicate(other, first)),
  );
  const kept = keepSatisfied(single, report);
  const related = kept.map((loaded) => {
    const { after = [], needs = [], before } = loaded.plugin;
    return { name: loaded.name, after: [...after, ...needs], before, loaded };
  });
  const { order, cycles } = sortByRelations(related);
  for (const cycle of cycles) {
    const [plugin = ""] = cycle;
    const chain = [...cycle, plugin].map((name) => `"${name}"`).join(" after ");
    const message = `The plugins ${chain} wait for each other; "${plugin}" goes first`;
    const fix = "Take one name out of after, before or needs in one of them";
    report(warning("plugin-cycle", message, { plugin, fix }));
  }
  return { ordered: order.map(({ loaded }) => loaded), diagnostics };
}

function duplicate(plugin: LoadedPlugin, winner: LoadedPlugin): Diagnostic {
  const { name } = plugin;
  const [kept, lost] = [winner, plugin].map(({ file, tier }) => file ?? `the ${tier} one`);
  const message = `Two plugins are named "${name}": ${kept} stays, ${lost} is not loaded`;
  const fix = "Rename one of them, or take one out of config";
  return fault("plugin-duplicate", message, { plugin: name, at: originOf(plugin), fix });
}

/** Drops the plugins whose `needs` are not all present, and then those that needed them. */
function keepSatisfied(plugins: readonly LoadedPlugin[], report: Report): readonly LoadedPlugin[] {
  const names = plugins.map(({ name }) => name);
  let kept = plugins;
  for (let before = Infinity; kept.length < before;) {
    before = kept.length;
    const present = new Set(kept.map(({ name }) => name));
    kept = kept.filter((plugin) => {
      const missing = (plugin.plugin.needs ?? []).filter((name) => !present.has(name));
      if (missing.length > 0) report(needsMissing(plugin, missing, names));
      return missing.length === 0;
    });
  }
  return kept;
}

function needsMissing(plugin: LoadedPlugin, missing: readonly string[], all: readonly string[]): Diagnostic {
  const { name } = plugin;
  const others = all.filter((other) => other !== name);
  const isDropped = missing.every((other) => others.includes(other));
  const near = isDropped ? undefined : missing.map((wanted) => nearest(wanted, others)).find(Boolean);
  const list = missing.map((other) => `"${other}"`).join(", ");
  const message = `Plugin "${name}" is not loaded: it needs ${list}, ${isDropped ? "left out itself" : "not loaded"}`;
  const load = `Load ${list} too, or take "${name}" out of config`;
  const fix = near === undefined ? load : `Did you mean "${near}"? Else load ${list} too`;
  return fault("plugin-needs", message, { plugin: name, at: originOf(plugin), fix });
}
