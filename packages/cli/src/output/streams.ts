import { openOutput, type Output } from "./output.js";

/** Results go to `out`, everything else to `err`. */
export interface Streams {
  readonly out: Output;
  readonly err: Output;
  /** One line for the user that is no result. */
  note(line: string): void;
}

/** @param onClosed Called when the reader of standard output goes away. */
export function openStreams(onClosed: () => void): Streams {
  const out = openOutput(process.stdout, onClosed);
  const err = openOutput(process.stderr);
  return { out, err, note: (line) => err.write(`agent: ${line}\n`) };
}
