import type { Diagnostic } from "../contracts/diagnostic.js";
import type { Registry } from "../contracts/registry.js";
import { PluginError } from "../errors.js";
import type { Named } from "./named-specs.js";
import { createNamedSpecs } from "./named-specs.js";
import { ownName, shortName } from "./own-name.js";

/** The registry of one kind of thing, as the host sees it. */
export interface HostRegistry<T extends Named> {
  /** One plugin's view. Its calls throw `PluginError`: `spec-invalid`, `name-prefix`, `name-mismatch`, `registry-closed`. */
  face(plugin: string): Registry<T>;
  /** In plugin order, every edit applied. */
  list(): readonly T[];
  /** The plugin that registered a name, whoever replaced it. */
  owner(name: string): string | undefined;
  /** Takes away what a plugin registered and edited: its set-up failed. */
  withdraw(plugin: string): void;
  /** Ends set-up; duplicates, unknown names and failed wraps are reported here. */
  close(): void;
}

export interface RegistryOptions {
  readonly report: (diagnostic: Diagnostic) => void;
  /** Names are `<own plugin>/<name>` and their last part is unique; else names are bare. */
  readonly prefixed: boolean;
}

const bareName = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const partName = /^[^\s/]+$/;

/** A registry of bare names (layouts, providers) or of `<plugin>/<name>` (commands). */
export function createRegistry<T extends Named>(
  kind: "layout" | "provider" | "command",
  { report, prefixed }: RegistryOptions,
): HostRegistry<T> {
  const specs = createNamedSpecs<T>({
    kind,
    report,
    keyOf: prefixed ? shortName : (name) => name,
    check(plugin, spec) {
      checkSpec(kind, plugin, spec);
      if (!prefixed && !bareName.test(spec.name)) throw notBare(kind, plugin, spec.name);
      return spec;
    },
  });
  const list = () => Object.freeze(specs.resolve().map(({ spec }) => spec));
  return {
    list,
    owner: (name) => specs.resolve().find(({ spec }) => spec.name === name)?.owner,
    withdraw: (plugin) => specs.withdraw(plugin),
    close: () => specs.close(),
    face: (plugin) => ({
      register(spec) {
        checkSpec(kind, plugin, spec);
        if (prefixed) ownName(kind, plugin, spec.name, partName);
        specs.register(plugin, spec);
      },
      replace: (name, spec) => specs.replace(plugin, name, spec),
      wrap: (name, fn) => specs.wrap(plugin, name, fn),
      remove: (name) => specs.remove(plugin, name),
      list,
    }),
  };
}

/** Types do not hold at run time: a plugin may be plain JavaScript. */
function checkSpec(kind: string, plugin: string, spec: unknown): void {
  if (typeof spec === "object" && spec !== null && "name" in spec && typeof spec.name === "string") return;
  throw new PluginError({
    code: "spec-invalid",
    level: "error",
    plugin,
    message: `Plugin "${plugin}" gives something without a name where a ${kind} is wanted`,
    fix: `Give an object with the name of the ${kind}`,
  });
}

function notBare(kind: string, plugin: string, name: string): PluginError {
  return new PluginError({
    code: "name-prefix",
    level: "error",
    plugin,
    message: `Plugin "${plugin}" names a ${kind} "${name}", and a ${kind} has a bare name`,
    fix: "Use letters, digits, dots and hyphens, without a slash",
  });
}
