import type { Diagnostic } from "../contracts/diagnostic.js";
import { PluginError, toDiagnostic } from "../errors.js";
import { nearest } from "../text/nearest.js";

export interface Named {
  readonly name: string;
}
export type SpecKind = "layout" | "provider" | "command" | "tool";

/** A spec after every edit, and the plugin that registered its name. */
export interface Owned<T> {
  readonly spec: T;
  readonly owner: string;
}

export interface NamedSpecsOptions<T> {
  readonly kind: SpecKind;
  readonly report: (diagnostic: Diagnostic) => void;
  /**
   * The spec as it is kept.
   * @throws {PluginError} When it is not one.
   */
  readonly check: (plugin: string, spec: T) => T;
  /** Two specs with one key are duplicates. */
  readonly keyOf: (name: string) => string;
}

type Edit<T> =
  | { readonly op: "replace"; readonly plugin: string; readonly name: string; readonly spec: T }
  | { readonly op: "remove"; readonly plugin: string; readonly name: string }
  | { readonly op: "wrap"; readonly plugin: string; readonly name: string; readonly fn: (previous: T) => T };

/**
 * Specs by name with the edits made to them. Edits are records, resolved when somebody asks: whether a plugin edits
 * before or after it registers makes no difference.
 */
export interface NamedSpecs<T> {
  /** @throws {PluginError} `registry-closed`, or what `check` throws. */
  register(plugin: string, spec: T): void;
  replace(plugin: string, name: string, spec: T): void;
  remove(plugin: string, name: string): void;
  wrap(plugin: string, name: string, fn: (previous: T) => T): void;
  /** In the order of registration. */
  resolve(): readonly Owned<T>[];
  /** Takes away what a plugin registered and edited, and refuses what it still may: its set-up failed. */
  withdraw(plugin: string): void;
  /** @throws {PluginError} `registry-closed` when set-up is over for this plugin. */
  refuseLate(plugin: string, verb: string): void;
  /** Ends set-up and reports what the edits came to. */
  close(): void;
}

export function createNamedSpecs<T extends Named>(options: NamedSpecsOptions<T>): NamedSpecs<T> {
  const { kind, check, keyOf, report } = options;
  const withdrawn = new Set<string>();
  let registered: Owned<T>[] = [];
  let edits: Edit<T>[] = [];
  let resolved: readonly Owned<T>[] | undefined;

  function refuseLate(plugin: string, verb: string): void {
    if (resolved === undefined && !withdrawn.has(plugin)) return;
    throw new PluginError({
      code: "registry-closed",
      level: "error",
      plugin,
      message: `Plugin "${plugin}" calls ${verb} of the ${kind}s after set-up is over`,
      fix: `Call ${verb} inside setup, before it returns`,
    });
  }

  function resolve(report: (diagnostic: Diagnostic) => void): readonly Owned<T>[] {
    const single = firstOf(kind, registered, (name) => name, report);
    reportUnknown(kind, single, edits, report);
    const edited = single.flatMap((entry) => applyEdits(kind, entry, edits, report));
    return Object.freeze(firstOf(kind, edited, keyOf, report));
  }

  return {
    refuseLate,
    register(plugin, spec) {
      refuseLate(plugin, "register");
      registered.push(Object.freeze({ spec: check(plugin, spec), owner: plugin }));
    },
    replace(plugin, name, spec) {
      refuseLate(plugin, "replace");
      const kept = check(plugin, spec);
      if (kept.name !== name) throw renamed(kind, plugin, name, kept.name);
      edits.push({ op: "replace", plugin, name, spec: kept });
    },
    remove(plugin, name) {
      refuseLate(plugin, "remove");
      edits.push({ op: "remove", plugin, name });
    },
    wrap(plugin, name, fn) {
      refuseLate(plugin, "wrap");
      if (typeof fn !== "function") throw noFunction(kind, plugin, name);
      edits.push({
        op: "wrap",
        plugin,
        name,
        fn(previous) {
          const next = check(plugin, fn(previous));
          if (next.name !== name) throw renamed(kind, plugin, name, next.name);
          return next;
        },
      });
    },
    resolve: () => resolved ?? resolve(() => {}),
    withdraw(plugin) {
      withdrawn.add(plugin);
      registered = registered.filter(({ owner }) => owner !== plugin);
      edits = edits.filter((edit) => edit.plugin !== plugin);
    },
    close() {
      resolved ??= resolve(report);
    },
  };
}

function firstOf<T extends Named>(
  kind: SpecKind,
  entries: readonly Owned<T>[],
  keyOf: (name: string) => string,
  report: (diagnostic: Diagnostic) => void,
): Owned<T>[] {
  const first = new Map<string, Owned<T>>();
  for (const entry of entries) {
    const key = keyOf(entry.spec.name);
    const winner = first.get(key);
    if (winner === undefined) first.set(key, entry);
    else report(duplicate(kind, winner, entry));
  }
  return [...first.values()];
}

/** The last replacement or removal stands; wraps go around it, inner to outer in order. */
function applyEdits<T extends Named>(
  kind: SpecKind,
  entry: Owned<T>,
  edits: readonly Edit<T>[],
  report: (diagnostic: Diagnostic) => void,
): readonly Owned<T>[] {
  const own = edits.filter(({ name }) => name === entry.spec.name);
  const last = own.findLast(({ op }) => op !== "wrap");
  if (last?.op === "remove") return [];
  let spec = last?.op === "replace" ? last.spec : entry.spec;
  for (const edit of own) {
    if (edit.op !== "wrap") continue;
    try {
      spec = edit.fn(spec);
    } catch (error) {
      report(wrapFailed(kind, edit, error));
    }
  }
  return [Object.freeze({ spec, owner: entry.owner })];
}

function reportUnknown<T extends Named>(
  kind: SpecKind,
  entries: readonly Owned<T>[],
  edits: readonly Edit<T>[],
  report: (diagnostic: Diagnostic) => void,
): void {
  const names = entries.map(({ spec }) => spec.name);
  for (const { op, plugin, name } of edits) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    report({
      code: "name-unknown",
      level: "warn",
      plugin,
      message: `Plugin "${plugin}" wants to ${op} the ${kind} "${name}", which nobody registered`,
      fix: near === undefined ? `"agent list ${kind}s" shows the names` : `Did you mean "${near}"?`,
    });
  }
}

function duplicate<T extends Named>(kind: SpecKind, winner: Owned<T>, loser: Owned<T>): Diagnostic {
  const { owner: first, spec: kept } = winner;
  const { owner: second, spec: lost } = loser;
  const common = { code: "name-duplicate", level: "error", plugin: second } as const;
  if (first === second) {
    return {
      ...common,
      message: `Plugin "${first}" registers the ${kind} "${lost.name}" twice; the first one stays`,
      fix: "Take one of them out",
    };
  }
  const what = kept.name === lost.name ? `the ${kind} "${kept.name}"` : `"${kept.name}" and "${lost.name}"`;
  return {
    ...common,
    message: `The plugins "${first}" and "${second}" both bring ${what}; that of "${first}" stays`,
    fix: `To let the other win, within one tier: plugins: { ${JSON.stringify(second)}: {}, ${JSON.stringify(first)}: {} }`,
  };
}

function wrapFailed<T>(kind: SpecKind, edit: Edit<T>, error: unknown): Diagnostic {
  const { message } = toDiagnostic(error, { code: "wrap-failed" });
  return {
    code: "wrap-failed",
    level: "error",
    plugin: edit.plugin,
    message: `Plugin "${edit.plugin}" failed to wrap the ${kind} "${edit.name}", which stays as it was: ${message}`,
    fix: `Let the function given to wrap return a ${kind} of the same name`,
    cause: error,
  };
}

function renamed(kind: SpecKind, plugin: string, wanted: string, seen: string): PluginError {
  return new PluginError({
    code: "name-mismatch",
    level: "error",
    plugin,
    message: `Plugin "${plugin}" puts a ${kind} named "${seen}" in the place of "${wanted}"`,
    fix: `Give it the name "${wanted}"`,
  });
}

function noFunction(kind: SpecKind, plugin: string, name: string): PluginError {
  return new PluginError({
    code: "spec-invalid",
    level: "error",
    plugin,
    message: `Plugin "${plugin}" wraps the ${kind} "${name}" with something that is no function`,
    fix: "Give wrap a function from the previous one to the next",
  });
}
