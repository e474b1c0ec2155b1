export type MaybePromise<T> = T | Promise<T>;
/** Plain data as it came out of YAML or JSON; an edge narrows it before use. */
export type Config = Readonly<Record<string, unknown>>;
/** String values by name: attributes of a tag, headers, environment variables. */
export type Attrs = Readonly<Record<string, string>>;

/** Where the host runs. Plugins take it from here, not from `process`. */
export interface Place {
  /** Absolute. */
  readonly cwd: string;
  /** Nearest folder upwards with a `.git` entry of any kind, else `cwd`. */
  readonly projectRoot: string;
  /** The user's home folder. */
  readonly home: string;
  /** `$QUIRE_HOME`, by default `~/.quire`. */
  readonly quireHome: string;
  /** Whether the user trusts what this project brings. */
  readonly trusted: boolean;
  /** An environment variable. Tracked in a section's compute; a provider's key reads as undefined. */
  env(name: string): string | undefined;
  /** The environment for a child process: all variables but the providers' keys. */
  childEnv(): Attrs;
  /**
   * A file's text, byte order mark kept. Tracked in a section's compute unless `track` is false.
   * @param options `maxBytes`: at most so many bytes are read, cut back to a character boundary.
   * @returns Null when there is no file.
   * @throws When it cannot be read or is not UTF-8.
   */
  read(file: string, options?: { readonly maxBytes?: number; readonly track?: boolean }): Promise<string | null>;
  /**
   * A folder's entries, sorted by code point; the name of a folder (or of a link to one) ends in "/".
   * Tracked in a section's compute.
   * @returns Null when there is no such folder.
   */
  list(folder: string): Promise<readonly string[] | null>;
}

/** Values that outlive the process, kept per plugin by the host. Values are JSON. */
export interface KeyValue {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
}
