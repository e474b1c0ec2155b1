import type { Attrs, Config, Diagnostic, Origin, PluginDefinition } from "@quire/core";
import type { HostOptions, OpenOptions, SessionLog } from "@quire/core/host";

/** A plugin that ships with the program. It is imported only if nothing disables it. */
export interface Builtin {
  readonly name: string;
  /** Top-level config keys that belong to it, known without importing it. */
  readonly configKeys: readonly string[];
  load(): Promise<PluginDefinition>;
}

/** What the command line asks of the loader, with values as they were typed. */
export interface LoadFlags {
  /** The only config file of this start. Absolute or relative to `cwd`. */
  readonly configFile?: string;
  /** What flags mean, said as config: `{ model, layout, preset, disable, tools: { only }, permissions: { mode } }`. */
  readonly config: Config;
  /** Paths relative to `typedAt`, or names. Being typed, they need no trust and win over config. */
  readonly plugins: readonly string[];
  /** Names or paths; `all` is every plugin that is neither built in nor in `plugins`. */
  readonly noPlugins: readonly string[];
  /** `value` is a text, or `@` and a file relative to `typedAt`. */
  readonly sections: readonly { readonly name: string; readonly value: string }[];
  readonly noSections: readonly string[];
  /** A text, or the path of a file that exists. Replaces the group `base`. */
  readonly systemPrompt?: string;
  /** Texts or files, joined by a blank line to the section `user/append`. */
  readonly appendSystemPrompts: readonly string[];
  /** A text or a file; it stands in for the config key of that name. Empty: no such text. */
  readonly instructions?: string;
  /** Accepts what the project brings, for this start only. */
  readonly trust: boolean;
  /** The profile this start runs as. */
  readonly profile?: ProfileChoice;
}

/** A profile by its id or name, and whether it is the main agent's or that of a subagent to look at. */
export interface ProfileChoice {
  readonly name: string;
  readonly audience: "main" | "subagent";
}

export interface LoadOptions {
  /** Where the agent works, absolute. */
  readonly cwd: string;
  /** Where the user typed: paths in flags are relative to it. Absolute. */
  readonly typedAt: string;
  /** The user's home folder, absolute. */
  readonly home: string;
  readonly environment: Attrs;
  /** `<quireHome>/cache` by default. */
  readonly cacheFolder?: string;
  /** Of the host; part of every cache key. */
  readonly version: string;
  readonly builtins: readonly Builtin[];
  readonly flags: LoadFlags;
  /** Imports a module by URL or package name. A bundled program passes a function of its own launcher. */
  importModule?(url: string): Promise<unknown>;
  /** Asks the user on a terminal whether `what` may be loaded. Absent: untrusted means not loaded. */
  confirmTrust?(what: readonly string[]): Promise<boolean>;
  /** Forces one way of loading foreign plugins; by default esbuild, and jiti where esbuild cannot run. */
  readonly bundler?: "esbuild" | "jiti";
  /** The host's clock. */
  readonly now?: () => Date;
}

export interface Loaded {
  /** All `createHost` needs but what the terminal gives. */
  readonly host: Omit<HostOptions, "ask" | "entering" | "onDiagnostic" | "strict">;
  readonly place: {
    readonly cwd: string;
    readonly projectRoot: string;
    readonly home: string;
    readonly quireHome: string;
    readonly trusted: boolean;
  };
  readonly config: LoadedConfig;
  readonly sessions: SessionStore;
  /** Found while loading, plugin failures included. */
  readonly diagnostics: readonly Diagnostic[];
  /** Plugins marked `required` that did not load: no turn may start. */
  readonly requiredMissing: readonly Diagnostic[];
  /** Foreign plugins that were found or asked for and are not loaded, by name or path. */
  readonly notLoaded: readonly string[];
  /** What an untrusted project brought and was not loaded, one human line each. */
  readonly untrusted: readonly string[];
  /** Sorted by id; one of each id and kind. */
  readonly profiles: readonly AgentProfile[];
  /** The one this start runs as. */
  readonly profile?: AgentProfile;
}

/** A profile: a Markdown file whose body is the instructions of an agent. */
export interface AgentProfile extends NonNullable<OpenOptions["profile"]> {
  /** The file's name without `.md`: what `--agent` takes. */
  readonly id: string;
  readonly description?: string;
  /** The only tools it gets, by the names the model sees; absent: all that are on. */
  readonly tools?: readonly string[];
  /** As `model:` in config. */
  readonly model?: string;
  /** `primary`: a main agent only, never a subagent. */
  readonly kind: "any" | "primary";
  readonly scope: "user" | "project";
  /** Absolute. */
  readonly file: string;
  /** The line that its instructions start at, from 1. */
  readonly line: number;
}

export interface LoadedConfig {
  /**
   * Defaults < preset < its system's files < user < trusted project < profile < flags; objects merge, arrays replace.
   * Plugins stand by name.
   */
  readonly merged: Config;
  /** From low to high. */
  readonly scopes: readonly ConfigScope[];
  /** Where the value in force comes from: `permissions.mode` -> file and line. */
  origin(keyPath: string): Origin | undefined;
  /** Every file that may count. */
  readonly files: readonly {
    readonly scope: string;
    readonly file: string;
    readonly exists: boolean;
    readonly used: boolean;
  }[];
}

export interface ConfigScope {
  /** `preset-files`: the system's own config files; `profile`: the one the agent runs as. */
  readonly scope: "defaults" | "preset" | "preset-files" | "user" | "project" | "profile" | "flags";
  readonly file?: string;
  readonly value: Config;
}

/** The session logs of `$QUIRE_HOME/sessions`, one JSONL file each. */
export interface SessionStore extends SessionLog {
  /** Newest first, by the last record. */
  list(projectRoot?: string): Promise<readonly SessionSummary[]>;
  newest(projectRoot: string): Promise<string | undefined>;
  /** Takes the session for this process. False: another living process has it. */
  acquire(id: string): Promise<boolean>;
  release(id: string): Promise<void>;
  /**
   * The one session whose id begins with `prefix`.
   * @throws {QuireError} `session-unknown` with the nearest id, `session-ambiguous` with the candidates.
   */
  resolveId(prefix: string): Promise<string>;
  /** The file of a session, whether it exists or not. */
  path(id: string): string;
}

export interface SessionSummary {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly projectRoot: string;
  readonly cwd: string;
  /** The beginning of the first words of the user; empty when there are none. */
  readonly title: string;
  readonly turns: number;
  /** `provider/model` of the last turn. */
  readonly model?: string;
  /** The session it was forked from. */
  readonly parent?: string;
}
