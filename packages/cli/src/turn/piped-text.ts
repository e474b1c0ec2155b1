import { fstatSync, readFileSync } from "node:fs";

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
 */
export async function readPipedText(onSilence: () => void, signal: AbortSignal): Promise<string | undefined> {
  if (!hasPipe()) return undefined;
  if (fstatSync(0).isFile()) return readFileSync(0, "utf8");
  const timer = setTimeout(onSilence, 3000);
  const stop = () => process.stdin.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    process.stdin.setEncoding("utf8");
    let text = "";
    for await (const chunk of process.stdin) {
      clearTimeout(timer);
      text += String(chunk);
    }
    return text;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
