/** Something a repository brings that may be used only with trust. */
export interface TrustPart {
  /** What it is, one human line each; none: nothing that needs trust. */
  readonly needsTrust: readonly string[];
  /** Path relative to the project's root and SHA-256 of each file that trust covers. */
  hashes(): Promise<readonly FileHash[]>;
}

export type FileHash = readonly [path: string, hash: string];
