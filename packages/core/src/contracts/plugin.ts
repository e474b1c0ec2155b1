import type { Attrs, Config, KeyValue, MaybePromise } from "./place.js";
import type { Diagnostic } from "./diagnostic.js";
import type { Hooks } from "./hooks.js";
import type { Layout } from "./layout.js";
import type { ProviderSpec } from "./provider.js";
import type { CommandSpec, Registry } from "./registry.js";
import type { SectionRegistry } from "./section.js";
import type { Options, StandardSchema } from "./standard-schema.js";
import type { ToolRegistry } from "./tool.js";
import type { Turns } from "./turn.js";

/** What a plugin's file exports by default; made by `definePlugin`. */
export interface PluginDefinition<S extends StandardSchema | undefined = StandardSchema | undefined> {
  /** kebab-case, or `@scope/kebab-case`. */
  readonly name: string;
  /** 1 is any 1.x. */
  readonly apiVersion: 1 | `^1.${number}`;
  /** Plugin names; an absent one is ignored. */
  readonly after?: readonly string[];
  readonly before?: readonly string[];
  /** Plugin names; when one is absent this plugin is not loaded. */
  readonly needs?: readonly string[];
  /** Validates the options of config; without a schema `host.options` is empty. */
  readonly options?: S;
  /** Top-level config keys that are merged into the options under the same name. */
  readonly configKeys?: readonly string[];
  /** Makes it a preset, called like the plugin without `preset-`: data alone, only the chosen one is imported. */
  readonly preset?: PresetData;
  /**
   * Registers and taps; work happens later, in taps, `compute` and `execute`.
   * @returns A function that cleans up when the generation ends.
   */
  setup(host: PluginHost<Options<S>>): MaybePromise<void | (() => MaybePromise<void>)>;
}

export interface PresetData {
  /** One line for `agent list presets`. */
  readonly summary: string;
  readonly layout: string;
  /** A scope between the defaults and the system's own files; its `sections` are edits of the layer `preset`. */
  readonly config: Config;
  /**
   * The system's own config files: of each entry the first that exists counts. A path begins with `~/`, with `$NAME/`
   * or is relative to the working directory.
   */
  readonly files?: readonly {
    readonly scope: "user" | "project";
    readonly paths: readonly string[];
    /** Which of our keys (dotted) each foreign key (dotted) sets. */
    readonly keys: Attrs;
  }[];
}

export type Tier = "builtin" | "installed" | "user" | "project" | "flags";
export interface PluginInfo {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of its code in hex. */
  readonly hash: string;
  readonly tier: Tier;
  /** Its file, absolute; built-in ones have none. */
  readonly file?: string;
}

/** What `setup` gets: one plugin's view of the host. */
export interface PluginHost<O = unknown> {
  readonly plugin: PluginInfo;
  readonly options: O;
  readonly hooks: Hooks;
  readonly sections: SectionRegistry;
  readonly layouts: Registry<Layout>;
  readonly tools: ToolRegistry;
  readonly providers: Registry<ProviderSpec>;
  readonly commands: Registry<CommandSpec>;
  readonly turns: Turns;
  /** Survives reloads. */
  readonly store: { readonly user: KeyValue; session(id: string): KeyValue };
  /** Aborted when the host is disposed. */
  readonly signal: AbortSignal;
  /**
   * Splits front matter from a Markdown text, byte order mark and CRLF understood.
   * @returns `bodyLine`: the line the body starts at, from 1. Without front matter `data` is empty.
   * @throws {QuireError} `front-matter-invalid` with the line in the text.
   */
  frontMatter(text: string): { readonly data: Config; readonly body: string; readonly bodyLine: number };
  /** Drops the memoized values of a section in every session. */
  invalidate(section: string, why: string): void;
  report(diagnostic: Omit<Diagnostic, "plugin">): void;
}
