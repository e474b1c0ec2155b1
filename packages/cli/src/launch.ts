/** What the launcher hands to the bundled command. */
export interface Launch {
  /** Of the command. */
  readonly version: string;
  /** Hash of the bundle. */
  readonly build: string;
  /** `import()` of a file that is not cached: inside a cached script it fails on Node 20. */
  importModule(url: string): Promise<unknown>;
  /** Names what this run does; a whole turn shapes the code cache of later runs. */
  kind(name: "turn"): void;
}
