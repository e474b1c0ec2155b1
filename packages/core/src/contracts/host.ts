import type { Attrs, Config, KeyValue, MaybePromise, Place } from "./place.js";
import type { Diagnostic, Origin } from "./diagnostic.js";
import type { ContextItem, Layout, Pieces, Region, ResolvedSection } from "./layout.js";
import type { Message, ModelRef } from "./message.js";
import type { PluginDefinition, PluginInfo } from "./plugin.js";
import type { ProviderRequest, ProviderSpec } from "./provider.js";
import type { CommandSpec } from "./registry.js";
import type { Audience, Profile, SectionBody, Slot } from "./section.js";
import type { ToolSpec } from "./tool.js";
import type { SessionInfo, Turn } from "./turn.js";

/** A plugin that is loaded and not yet set up. */
export type LoadedPlugin = PluginInfo & {
  readonly plugin: PluginDefinition;
  /** Without it no turn may start. */
  readonly required?: boolean;
};

/** Layers of edits from low to high: the later wins. */
export const layers = ["base", "preset", "plugin", "user", "project", "flags", "session", "turn"] as const;
export type Layer = (typeof layers)[number];

/** An edit that comes from outside the plugins: config, a Markdown file, a flag, a session command. */
export interface HostEdit {
  readonly layer: "preset" | "user" | "project" | "flags" | "session";
  readonly by: Origin;
  /**
   * `replace-group`: `section` is a group. `add`: `section` is the name of a new one (`user/…`).
   * `pin`: `plugin`'s replacement of `section` wins.
   */
  readonly op: "replace" | "replace-group" | "append" | "prepend" | "add" | "remove" | "pin";
  readonly section: string;
  /** Of replace, append, prepend and add. */
  readonly content?: string | SectionBody;
  /** Of replace: SHA-256 of the plain text it replaced when it was made; another text there now is reported. */
  readonly base?: string;
  /** Of pin. */
  readonly plugin?: string;
  /** Of add. */
  readonly slot?: Slot;
  readonly why?: string;
}

/** The disk, as the host sees it. Paths are absolute. */
export interface Files {
  /** @returns At most `maxBytes` bytes, or null when there is no file. */
  read(path: string, maxBytes?: number): Promise<Uint8Array | null>;
  /** @returns Names sorted by code point, folders with "/" at the end, or null when there is no folder. */
  list(path: string): Promise<readonly string[] | null>;
  /** A cheap mark of the present state of a file or folder: another state, another mark. */
  stamp(path: string): Promise<string>;
}

/** Keeps sessions. A record is one JSON object; `append` resolves when the record would survive a crash. */
export interface SessionLog {
  append(session: string, record: Config): Promise<void>;
  /** @throws {QuireError} `session-unknown` when there is none. */
  read(session: string): AsyncIterable<Config>;
}

export interface HostOptions {
  /** In config order within their tier. */
  readonly plugins: readonly LoadedPlugin[];
  /** Merged config. The host reads `model`, `layout`, `tools`, `prompt` and each plugin's options. */
  readonly config: Config;
  readonly edits?: readonly HostEdit[];
  /** Short names of models, each for a `provider/model`. A provider's name goes before them. */
  readonly aliases?: Attrs;
  readonly files: Files;
  readonly log: SessionLog;
  place(cwd: string): Omit<Place, "read" | "list" | "childEnv"> & { readonly platform: string; readonly shell: string };
  /** All environment variables, for child processes. */
  readonly environment?: () => Attrs;
  store?(plugin: string, session: string | null): KeyValue;
  frontMatter(text: string): { readonly data: Config; readonly body: string; readonly bodyLine: number };
  /** Present when somebody is there to answer; null is a refusal to answer. */
  ask?(question: string): Promise<string | null>;
  /** Called before control passes to a plugin's code, and with null after it. */
  entering?(plugin: string | null): void;
  /** Whatever is reported while the host lives. */
  onDiagnostic?(diagnostic: Diagnostic): void;
  /** Makes every error diagnostic fatal to the turn. */
  readonly strict?: boolean;
  readonly now?: () => Date;
  /** Multiplies every time limit of plugin code; 1 by default. */
  readonly timeScale?: number;
}

/** One built set of plugins. */
export interface Host {
  readonly diagnostics: readonly Diagnostic[];
  readonly plugins: readonly PluginInfo[];
  readonly layouts: readonly Layout[];
  readonly providers: readonly ProviderSpec[];
  /** Under the names the model sees. */
  readonly tools: readonly HostTool[];
  readonly commands: readonly CommandSpec[];
  /** Every registered section, whoever edits it. */
  readonly sections: readonly { readonly name: string; readonly slot: Slot; readonly owner: string }[];
  invalidate(section: string, why: string): void;
  /** @throws {QuireError} `model-unknown`, `layout-unknown`, `session-unknown`, `session-format`. */
  open(options: OpenOptions): Promise<Session>;
  /** Ends sessions, runs the plugins' cleanups in reverse order, 2 s each. */
  dispose(): Promise<void>;
}

export interface HostTool {
  /** The name the model sees. */
  readonly name: string;
  /** `<plugin>/<name>`. */
  readonly fullName: string;
  readonly plugin: string;
  readonly spec: ToolSpec;
  /** Why it is off, if it is. */
  readonly off?: string;
}

export interface OpenOptions {
  readonly cwd: string;
  /** Id of a stored session. */
  readonly resume?: string;
  readonly fork?: string;
  /** `provider/model`, `provider`, or a bare model id of the configured provider. */
  readonly model?: string;
  readonly profile?: Profile;
  /** False: nothing is written. */
  readonly persist?: boolean;
}

export interface Session {
  readonly info: SessionInfo;
  readonly model: ModelRef;
  /** Every message so far, in order. */
  readonly messages: readonly Message[];
  /** Runs one turn; a second call waits for the first turn's end. */
  send(text: string, signal: AbortSignal): Turn;
  /** The prompt of the next turn, by the function a turn uses; nothing is sent or stored. */
  prompt(options?: {
    readonly message?: string;
    readonly audience?: Audience;
    readonly profile?: Profile;
    /** The only tools, by the names the model sees: the prompt of a turn that is limited to them. */
    readonly tools?: readonly string[];
  }): Promise<Prompt>;
  /** Forgets history and memoized values; what is on disk stays. */
  clear(): Promise<void>;
  /** The next turn makes a new prefix. */
  rebase(): Promise<void>;
  /** Replaces the history by a summary the model writes; the whole history stays on disk. Its text is the summary. */
  compact(why: string, signal: AbortSignal): Turn;
  setModel(model: string): MaybePromise<void>;
  close(): Promise<void>;
}

/** A prompt as it would be sent, with the account of every byte and every edit. */
export interface Prompt {
  readonly text: string;
  readonly layout: string;
  readonly pieces: Pieces;
  readonly regions: readonly Region[];
  /** The frozen prefix this prompt stands on, and why it was made; `isNew` when this prompt makes it. */
  readonly baseline: { readonly id: string; readonly cause: string; readonly isNew: boolean };
  readonly edits: readonly Edit[];
  /** In the order of the text, then delta and tail sections. */
  readonly sections: readonly ResolvedSection[];
  readonly context: readonly (ContextItem & { readonly text: string })[];
  readonly diagnostics: readonly Diagnostic[];
  /** What would be sent. */
  readonly request: ProviderRequest;
  readonly tools: readonly HostTool[];
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly section: string;
  readonly why: "empty" | "disabled" | "failed" | "budget" | "condition" | "audience";
}

/** One edit as it was judged. */
export interface Edit {
  readonly section: string;
  readonly op: string;
  readonly layer: Layer;
  readonly by: Origin;
  readonly won: boolean;
  /** Why it lost. */
  readonly why?: string;
}
