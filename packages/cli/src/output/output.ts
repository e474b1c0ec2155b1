/** A stream to print to. A reader that goes away (`| head`) is no error: what follows is dropped. */
export interface Output {
  write(text: string): void;
  /** Resolves when everything written was handed to the system, or could not be. */
  flush(): Promise<void>;
  /** True once nobody reads any more. */
  readonly closed: boolean;
  /** Why it could not be written, unless its reader went away. */
  readonly failure: Error | undefined;
}

/** @param onClosed Called once, when the reader goes away or the system refuses to write. */
export function openOutput(stream: NodeJS.WriteStream, onClosed: () => void = () => {}): Output {
  let closed = false;
  let failure: Error | undefined;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (closed) return;
    closed = true;
    if (error.code !== "EPIPE") failure = error;
    onClosed();
  });
  return {
    write(text) {
      if (!closed && text !== "") stream.write(text);
    },
    flush: async () => {
      if (!closed && stream.writableLength > 0) {
        await new Promise<void>((resolve) => stream.write("", () => resolve()));
      }
      // An error of the last write is told a little later than the write.
      await new Promise((resolve) => setImmediate(resolve));
    },
    get closed() {
      return closed;
    },
    get failure() {
      return failure;
    },
  };
}
