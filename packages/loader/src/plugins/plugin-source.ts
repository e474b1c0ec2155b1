import type { Config, Origin, Tier } from "@quire/core";

/** A plugin's file, found and not yet read. */
export interface PluginSource {
  /** What names it to the user: as written in config or on the command line, else its path. */
  readonly label: string;
  /** Absolute. */
  readonly file: string;
  readonly tier: Exclude<Tier, "builtin">;
  /** Where it is asked for; a plugin that is merely found in a folder has none. */
  readonly at?: Origin;
  /** Name of its package. */
  readonly packageName?: string;
}

/** One entry under `plugins:` in a config file. */
export interface PluginEntry {
  /** As written: a name or a path. */
  readonly key: string;
  /** The path, absolute, if the key is one. */
  readonly path?: string;
  readonly layer: "user" | "project";
  readonly at: Origin;
  readonly options?: Config;
  readonly required?: boolean;
}

/** A plugin that was asked for and does not load. */
export interface PluginFailure {
  readonly label: string;
  readonly file?: string;
  readonly at?: Origin;
  readonly code: "plugin-missing" | "plugin-syntax" | "plugin-import" | "plugin-invalid" | "plugin-unverified";
  readonly message: string;
  readonly fix: string;
  readonly cause?: unknown;
}

/** Whether a plugin is named by a path, not by a name. */
export function isPathLike(text: string): boolean {
  return /^(\.{1,2}\/|\/|~\/|\.{1,2}$)/.test(text) || /\.[cm]?[jt]s$/.test(text);
}

export function isFailure(found: object): found is PluginFailure {
  return "code" in found;
}
