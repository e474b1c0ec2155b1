/** A stream to print to. A reader that goes away (`| head`) is no error: what follows is dropped. */
export interface Output {
  write(text: string): void;
  /** Resolves when everything written was handed to the system. */
  flush(): Promise<void>;
  /** True once nobody reads any more. */
  readonly closed: boolean;
}

/** @param onClosed Called once, when the reader goes away. */
export function openOutput(stream: NodeJS.WriteStream, onClosed: () => void = () => {}): Output {
  let closed = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (closed) return;
    closed = true;
    if (error.code !== "EPIPE") process.exitCode = 1;
    onClosed();
  });
  return {
    write(text) {
      if (!closed && text !== "") stream.write(text);
    },
    flush: () =>
      new Promise((resolve) => {
        if (closed || stream.writableLength === 0) resolve();
        else stream.write("", () => resolve());
      }),
    get closed() {
      return closed;
    },
  };
}
