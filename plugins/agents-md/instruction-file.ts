/** One file of the chain, or one that another brought. */
export interface InstructionFile {
  /** Absolute. */
  readonly path: string;
  /** With all links resolved. */
  readonly realPath: string;
  /** As it stands in the file, without the front matter that limits it. */
  readonly text: string;
  /** The line of the file that `text` starts at. */
  readonly line: number;
  /** The user's own: it may include from anywhere. */
  readonly own: boolean;
  /** Its text is empty because it could not be read. */
  readonly isUnreadable?: boolean;
  readonly scope?: string;
  /** Globs that limit it to matching work. */
  readonly paths?: readonly string[];
  /** The file that brought it. */
  readonly includedBy?: string;
}
