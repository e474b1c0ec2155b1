import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Registry } from "../contracts/registry.js";
import { pluginError } from "../errors.js";
import { createSetUpGate } from "../set-up-gate.js";
import { resolveSpecs, type Named, type Owned, type SpecEdit, type SpecKind } from "./resolve-specs.js";

/** The registry of one kind of thing, as the host sees it. */
export interface HostRegistry<T extends Named> {
  /** One plugin's view. Its calls throw `PluginError`: `spec-invalid`, `name-prefix`, `name-mismatch`, `registry-closed`. */
  face(plugin: string): Registry<T>;
  /** In plugin order, every edit applied. */
  entries(): readonly Owned<T>[];
  list(): readonly T[];
  /** The plugin that registered a name, whoever replaced it. */
  owner(name: string): string | undefined;
  /** @throws {PluginError} `registry-closed`. */
  checkOpen(plugin: string, call: string): void;
  /** Takes away what a plugin registered and edited: its set-up failed. */
  withdraw(plugin: string): void;
  /** Ends set-up; duplicates, unknown names and failed wraps are reported here. */
  close(): void;
}

const bareName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** What a name looks like, of commands and tools the part after the plugin's prefix. */
const forms = { layout: bareName, provider: bareName, command: /^[^\s/]+$/, tool: /^[a-z0-9][a-z0-9_-]*$/ };

/** @param check The spec as it is kept; throws a `PluginError` when it is none. */
export function createRegistry<T extends Named>(
  kind: SpecKind,
  report: (diagnostic: Diagnostic) => void,
  check: (plugin: string, spec: T) => T = (plugin, spec) => checkNamed(kind, plugin, spec),
): HostRegistry<T> {
  const gate = createSetUpGate();
  let registered: Owned<T>[] = [];
  let edits: SpecEdit<T>[] = [];
  let closed: readonly Owned<T>[] | undefined;
  // Users type the last part of a command alone.
  const resolve = () => resolveSpecs(kind, registered, edits, kind === "command" ? shortName : (name) => name);
  const entries = () => closed ?? resolve().entries;
  const list = () => Object.freeze(entries().map(({ spec }) => spec));
  const checkOpen = (plugin: string, call: string) => gate.check(plugin, `${kind}s.${call}`);
  const checkSame = (plugin: string, given: T, name: string): T => {
    const spec = check(plugin, given);
    if (spec.name === name) return spec;
    const message = `Plugin "${plugin}" puts a ${kind} named "${spec.name}" in the place of "${name}"`;
    throw pluginError("name-mismatch", message, { plugin, fix: `Give it the name "${name}"` });
  };
  const edit = (op: SpecEdit<T>["op"], plugin: string, name: string, apply: SpecEdit<T>["apply"]): void => {
    checkOpen(plugin, op);
    edits.push({ op, plugin, name, apply });
  };
  return {
    entries,
    list,
    owner: (name) => entries().find(({ spec }) => spec.name === name)?.owner,
    checkOpen,
    withdraw(plugin) {
      gate.shutOut(plugin);
      registered = registered.filter(({ owner }) => owner !== plugin);
      edits = edits.filter((one) => one.plugin !== plugin);
    },
    close() {
      if (closed !== undefined) return;
      gate.close();
      const resolved = resolve();
      closed = resolved.entries;
      for (const found of resolved.findings) report(found);
    },
    face: (plugin) => ({
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
        if (typeof fn !== "function") throw noFunction(kind, plugin, name);
        edit("wrap", plugin, name, (previous) => checkSame(plugin, fn(previous), name));
      },
      remove: (name) => edit("remove", plugin, name, () => undefined),
      list,
    }),
  };
}

/** The part after the last slash: what a model or a user sees. */
export function shortName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** @throws {PluginError} `name-prefix`. */
export function checkName(kind: SpecKind, plugin: string, name: string, form = forms[kind]): void {
  const isBare = form === bareName;
  const prefix = isBare ? "" : `${plugin}/`;
  if (name.startsWith(prefix) && form.test(name.slice(prefix.length))) return;
  if (isBare) {
    const message = `Plugin "${plugin}" names a ${kind} "${name}", and a ${kind} has a bare name`;
    throw pluginError("name-prefix", message, {
      plugin,
      fix: "Use letters, digits, dots and hyphens, without a slash",
    });
  }
  const part = shortName(name.toLowerCase()).replaceAll(/[^a-z0-9_-]+/g, "-") || "name";
  const message = `Plugin "${plugin}" registers the ${kind} "${name}" where "${plugin}/<name>" is wanted`;
  const fix = `Name it "${plugin}/${part}"; another plugin's ${kind} is edited with replace, wrap or remove`;
  throw pluginError("name-prefix", message, { plugin, fix });
}

/** Types do not hold at run time: a plugin may be plain JavaScript. */
function checkNamed<T extends Named>(kind: SpecKind, plugin: string, spec: T): T {
  if (typeof (spec as Partial<Named> | null | undefined)?.name === "string") return spec;
  const message = `Plugin "${plugin}" gives something without a name where a ${kind} is wanted`;
  throw pluginError("spec-invalid", message, { plugin, fix: `Give an object with the name of the ${kind}` });
}

function noFunction(kind: SpecKind, plugin: string, name: string): Error {
  const message = `Plugin "${plugin}" wraps the ${kind} "${name}" with something that is no function`;
  return pluginError("spec-invalid", message, {
    plugin,
    fix: "Give wrap a function from the previous one to the next",
  });
}
