import type { Config, Origin } from "@quire/core";
import type { ConfigScope, LoadedConfig } from "../contract.js";
import { isRecord } from "../record.js";
import { mergeConfig } from "./merge.js";
import type { YamlFile } from "./yaml-file.js";

/** One scope of config, with the way back to its author. */
export interface Scope extends ConfigScope {
  readonly lines?: YamlFile;
  /** Of the preset's scope. */
  readonly plugin?: string;
}

/** All scopes merged, from low to high, and the way back from a value to where it was written. */
export function loadedConfig(scopes: readonly Scope[], plugins: Config, files: LoadedConfig["files"]): LoadedConfig {
  const written = scopes.reduce<Config>((merged, { value }) => mergeConfig(merged, value), {});
  return {
    merged: Object.keys(plugins).length === 0 ? written : { ...written, plugins },
    scopes: scopes.map(({ scope, file, value }) => ({ scope, ...(file === undefined ? {} : { file }), value })),
    files,
    origin(keyPath) {
      for (const scope of scopes.toReversed()) {
        const path = findPath(scope.value, keyPath);
        if (path !== undefined) return originIn(scope, path);
      }
      return undefined;
    },
  };
}

/** A key may hold dots itself, as in `plugins.@acme/focus.v2.options`: every way to read the path is tried. */
function findPath(value: unknown, keyPath: string): readonly string[] | undefined {
  if (Array.isArray(value)) return findPath(Object.fromEntries(value.entries()), keyPath);
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, keyPath)) return [keyPath];
  for (let dot = keyPath.indexOf("."); dot >= 0; dot = keyPath.indexOf(".", dot + 1)) {
    const key = keyPath.slice(0, dot);
    const rest = Object.hasOwn(value, key) ? findPath(value[key], keyPath.slice(dot + 1)) : undefined;
    if (rest !== undefined) return [key, ...rest];
  }
  return undefined;
}

function originIn(scope: Scope, path: readonly string[]): Origin {
  if (scope.lines !== undefined) {
    return { kind: "config", file: scope.lines.file, line: scope.lines.lineOf(path) };
  }
  if (scope.plugin !== undefined) return { kind: "plugin", plugin: scope.plugin };
  return { kind: scope.scope === "flags" ? "flag" : "host" };
}
