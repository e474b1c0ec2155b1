import type { Diagnostic, Registry } from "../index.js";
import { fault, messageOf, pluginError, warning } from "../errors.js";
import { firstOfEach } from "../order/first-of-each.js";
import type { Report } from "../report.js";
import { createSetUpGate } from "../set-up-gate.js";
import { didYouMean } from "../text/nearest.js";

interface Named {
  readonly name: string;
}

/** A spec and the plugin that registered its name. */
export interface Owned<T> {
  readonly spec: T;
  readonly owner: string;
}

const bareName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** What a name looks like, of commands and tools the part after the plugin's prefix. */
const forms = { layout: bareName, provider: bareName, command: /^[^\s/]+$/, tool: /^[a-z0-9][a-z0-9_-]*$/ };
type Kind = keyof typeof forms;

/** What a plugin wants done to a name; `apply` gives undefined for a removal. */
interface Edit<T> {
  readonly op: "replace" | "wrap" | "remove";
  readonly plugin: string;
  readonly name: string;
  apply(previous: T): T | undefined;
}

/** The registry of one kind of thing, as the host sees it. */
export type HostRegistry<T extends Named> = ReturnType<typeof createRegistry<T>>;

/** @param check The spec as it is kept; throws a `PluginError` when it is none. */
export function createRegistry<T extends Named>(kind: Kind, report: Report, check = checkNamed<T>(kind)) {
  const gate = createSetUpGate();
  let registered: Owned<T>[] = [];
  let edits: Edit<T>[] = [];
  let closed: readonly Owned<T>[] | undefined;
  const entries = () => closed ?? resolve(kind, registered, edits).entries;
  const list = () => Object.freeze(entries().map(({ spec }) => spec));
  const checkOpen = (plugin: string, call: string) => gate.check(plugin, `${kind}s.${call}`);
  const edit = (op: Edit<T>["op"], plugin: string, name: string, apply: Edit<T>["apply"]): void => {
    checkOpen(plugin, op);
    edits.push({ op, plugin, name, apply });
  };
  const checkSame = (plugin: string, given: T, name: string): T => {
    const spec = check(plugin, given);
    if (spec.name === name) return spec;
    const message = `Plugin "${plugin}" puts a ${kind} named "${spec.name}" in the place of "${name}"`;
    throw pluginError("name-mismatch", message, { plugin, fix: `Give it the name "${name}"` });
  };
  return {
    /** In plugin order, every edit applied. */
    entries,
    list,
    /** The plugin that registered a name, whoever replaced it. */
    owner: (name: string) => entries().find(({ spec }) => spec.name === name)?.owner,
    /** @throws {PluginError} `registry-closed`. */
    checkOpen,
    /** Takes away what a plugin registered and edited: its set-up failed. */
    withdraw(plugin: string): void {
      gate.shutOut(plugin);
      registered = registered.filter(({ owner }) => owner !== plugin);
      edits = edits.filter((one) => one.plugin !== plugin);
    },
    /** Ends set-up; duplicates, unknown names and failed wraps are reported here. */
    close(): void {
      if (closed !== undefined) return;
      gate.close();
      const resolved = resolve(kind, registered, edits);
      closed = resolved.entries;
      resolved.findings.forEach(report);
    },
    /** One plugin's view. Its calls throw `PluginError`: `spec-invalid`, `name-prefix`, `name-mismatch`, `registry-closed`. */
    face: (plugin: string): Registry<T> => ({
      register(given) {
        checkOpen(plugin, "register");
        const spec = check(plugin, given);
        checkName(kind, plugin, spec.name);
        registered.push(Object.freeze({ spec, owner: plugin }));
      },
      replace(name, given) {
        const spec = checkSame(plugin, given, name);
        edit("replace", plugin, name, () => spec);
      },
      wrap(name, fn) {
        if (typeof fn !== "function") {
          const message = `Plugin "${plugin}" wraps the ${kind} "${name}" with something that is no function`;
          throw pluginError("spec-invalid", message, { plugin, fix: "Give wrap a function from spec to spec" });
        }
        edit("wrap", plugin, name, (previous) => checkSame(plugin, fn(previous), name));
      },
      remove: (name) => edit("remove", plugin, name, () => undefined),
      list,
    }),
  };
}

/** The part after the last slash: what a model or a user sees. */
export const shortName = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

/** @throws {PluginError} `name-prefix`. */
export function checkName(kind: Kind, plugin: string, name: string, form = forms[kind]): void {
  const prefix = form === bareName ? "" : `${plugin}/`;
  if (name.startsWith(prefix) && form.test(name.slice(prefix.length))) return;
  const part = shortName(name.toLowerCase()).replaceAll(/[^a-z0-9_-]+/g, "-") || "name";
  const message = `Plugin "${plugin}" registers the ${kind} "${name}" where "${prefix}<name>" is wanted`;
  const fix = `Name it "${prefix}${part}"; another plugin's ${kind} is edited with replace, wrap or remove`;
  throw pluginError("name-prefix", message, { plugin, fix });
}

/** Types do not hold at run time: a plugin may be plain JavaScript. */
function checkNamed<T extends Named>(kind: Kind) {
  return (plugin: string, spec: T): T => {
    if (typeof (spec as Partial<Named> | null | undefined)?.name === "string") return spec;
    const message = `Plugin "${plugin}" gives something without a name where a ${kind} is wanted`;
    throw pluginError("spec-invalid", message, { plugin, fix: `Give an object with the name of the ${kind}` });
  };
}

/**
 * What registrations and edits come to. The last replacement or removal of a name stands; wraps go around it, inner to
 * outer in order. Whether a plugin edits before or after it registers makes no difference. Pure.
 */
function resolve<T extends Named>(kind: Kind, registered: readonly Owned<T>[], edits: readonly Edit<T>[]) {
  const findings: Diagnostic[] = [];
  const firstOf = (entries: readonly Owned<T>[], keyOf: (name: string) => string) =>
    firstOfEach(
      entries,
      ({ spec }) => keyOf(spec.name),
      (other, first) => void findings.push(duplicate(kind, first, other)),
    );
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
        const what = `failed to wrap the ${kind} "${name}", which stays as it was: ${messageOf(cause)}`;
        const fix = `Let the function given to wrap return a ${kind} of the same name`;
        findings.push(fault("wrap-failed", `Plugin "${plugin}" ${what}`, { plugin, fix, cause }));
      }
    }
    return spec === undefined ? [] : [Object.freeze({ spec, owner })];
  });
  // Users type the last part of a command alone.
  const entries = firstOf(edited, kind === "command" ? shortName : (name) => name);
  return { entries: Object.freeze(entries), findings };
}

function duplicate(kind: Kind, winner: Owned<Named>, loser: Owned<Named>): Diagnostic {
  const [first, plugin, kept, lost] = [winner.owner, loser.owner, winner.spec.name, loser.spec.name];
  if (first === plugin) {
    const message = `Plugin "${first}" registers the ${kind} "${lost}" twice; the first one stays`;
    return fault("name-duplicate", message, { plugin, fix: "Take one of them out" });
  }
  const what = kept === lost ? `the ${kind} "${kept}"` : `"${kept}" and "${lost}"`;
  const message = `The plugins "${first}" and "${plugin}" both bring ${what}; that of "${first}" stays`;
  const order = `plugins: { ${JSON.stringify(plugin)}: {}, ${JSON.stringify(first)}: {} }`;
  return fault("name-duplicate", message, { plugin, fix: `To let the other win, within one tier: ${order}` });
}
