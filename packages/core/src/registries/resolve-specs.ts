import type { Diagnostic } from "../contracts/diagnostic.js";
import { fault, messageOf, warning } from "../errors.js";
import { didYouMean } from "../text/nearest.js";

export interface Named {
  readonly name: string;
}
export type SpecKind = "layout" | "provider" | "command" | "tool";

/** A spec and the plugin that registered its name. */
export interface Owned<T> {
  readonly spec: T;
  readonly owner: string;
}

/** What a plugin wants done to a name. */
export interface SpecEdit<T> {
  readonly op: "replace" | "wrap" | "remove";
  readonly plugin: string;
  readonly name: string;
  /** @returns Undefined: removed. */
  apply(previous: T): T | undefined;
}

/**
 * What registrations and edits come to. The last replacement or removal of a name stands; wraps go around it, inner to
 * outer in order. Whether a plugin edits before or after it registers makes no difference. Pure.
 * @param keyOf Of two specs with one key the first stays.
 */
export function resolveSpecs<T extends Named>(
  kind: SpecKind,
  registered: readonly Owned<T>[],
  edits: readonly SpecEdit<T>[],
  keyOf: (name: string) => string,
): { readonly entries: readonly Owned<T>[]; readonly findings: readonly Diagnostic[] } {
  const findings: Diagnostic[] = [];
  const firstOf = (entries: readonly Owned<T>[], key: (name: string) => string) =>
    entries.filter((entry) => {
      const winner = entries.find((other) => key(other.spec.name) === key(entry.spec.name)) ?? entry;
      if (winner !== entry) findings.push(duplicate(kind, winner, entry));
      return winner === entry;
    });
  const single = firstOf(registered, (name) => name);
  const names = single.map(({ spec }) => spec.name);
  for (const { op, plugin, name } of edits.filter((edit) => !names.includes(edit.name))) {
    const message = `Plugin "${plugin}" wants to ${op} the ${kind} "${name}", which nobody registered`;
    const fix = didYouMean(name, names, `"agent list ${kind}s" shows the names`);
    findings.push(warning("name-unknown", message, { plugin, fix }));
  }
  const edited = single.flatMap(({ spec: given, owner }) => {
    const own = edits.filter(({ name }) => name === given.name);
    const last = own.findLast(({ op }) => op !== "wrap");
    let spec = last === undefined ? given : last.apply(given);
    for (const { plugin, name, apply } of own.filter(({ op }) => op === "wrap")) {
      try {
        spec = spec && apply(spec);
      } catch (cause) {
        const message = `Plugin "${plugin}" failed to wrap the ${kind} "${name}", which stays as it was: ${messageOf(cause)}`;
        const fix = `Let the function given to wrap return a ${kind} of the same name`;
        findings.push(fault("wrap-failed", message, { plugin, fix, cause }));
      }
    }
    return spec === undefined ? [] : [Object.freeze({ spec, owner })];
  });
  return { entries: Object.freeze(firstOf(edited, keyOf)), findings };
}

function duplicate(kind: SpecKind, winner: Owned<Named>, loser: Owned<Named>): Diagnostic {
  const [first, second, kept, lost] = [winner.owner, loser.owner, winner.spec.name, loser.spec.name];
  if (first === second) {
    const message = `Plugin "${first}" registers the ${kind} "${lost}" twice; the first one stays`;
    return fault("name-duplicate", message, { plugin: second, fix: "Take one of them out" });
  }
  const what = kept === lost ? `the ${kind} "${kept}"` : `"${kept}" and "${lost}"`;
  const message = `The plugins "${first}" and "${second}" both bring ${what}; that of "${first}" stays`;
  const order = `plugins: { ${JSON.stringify(second)}: {}, ${JSON.stringify(first)}: {} }`;
  return fault("name-duplicate", message, { plugin: second, fix: `To let the other win, within one tier: ${order}` });
}
