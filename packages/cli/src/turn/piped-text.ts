import { fstatSync, readFileSync } from "node:fs";
import { ConfigError } from "@quire/core";

/** Whether standard input brings text: a file, a pipe or a socket. A terminal and `/dev/null` do not. */
export function hasPipe(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFile() || stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/**
 * All of standard input. A pipe that stays silent is waited for, since its text may be what the words are about.
 * @param onSilence Called once when nothing has come for three seconds.
 * @returns Undefined when there is no pipe.
 * @throws {ConfigError} `input-binary`: it is no text.
 */
export async function readPipedText(onSilence: () => void, signal: AbortSignal): Promise<string | undefined> {
  if (!hasPipe()) return undefined;
  if (fstatSync(0).isFile()) return textOf(readFileSync(0));
  const timer = setTimeout(onSilence, 3000);
  const stop = () => process.stdin.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) {
      clearTimeout(timer);
      chunks.push(Buffer.from(chunk as Buffer));
    }
    return textOf(Buffer.concat(chunks));
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

function textOf(bytes: Buffer): string {
  if (!bytes.subarray(0, 8192).includes(0)) return bytes.toString("utf8");
  throw new ConfigError({
    code: "input-binary",
    level: "error",
    message: `Standard input brings ${bytes.length} bytes that are no text`,
    fix: "Name the file in your words instead, so that the model can look at it with its tools",
  });
}
