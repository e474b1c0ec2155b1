import type { Attrs } from "@quire/core";
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import type { Readable } from "node:stream";

/** How a program ended. */
export interface Exit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program and everything it starts, as one process group. */
export interface Program {
  /** Standard output, line by line, without blank lines; ends when the program is gone. */
  readonly lines: AsyncIterable<string>;
  readonly exited: Promise<Exit>;
  /** The end of its standard error. */
  stderr(): string;
  /** Ends the group, if need be by force. Settles when the program is gone. */
  stop(): Promise<void>;
}

/** Milliseconds between the polite signal and the one that cannot be refused. */
const graceMs = 1000;
const keptErrorLength = 4000;

/**
 * Starts a program with all its input. It runs in the user's home folder: of a project it shall see nothing but the
 * request, and what is configured there runs nothing.
 * @throws When it cannot be started; the error has Node's code, such as `ENOENT`.
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  { env, input }: { readonly env: Attrs; readonly input: string },
): Promise<Program> {
  const cwd = existsSync(homedir()) ? homedir() : tmpdir();
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-keptErrorLength);
  });
  // A pipe breaks when the program ends early; how it ended tells more.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
  await spawned(child);
  const kill = (signal: NodeJS.Signals): void => signalGroup(child, signal);
  const onExit = (): void => kill("SIGKILL");
  process.once("exit", onExit);
  void exited.then(() => process.off("exit", onExit));
  child.stdin.end(input);
  const stop = async (): Promise<void> => {
    kill("SIGTERM");
    const timer = setTimeout(kill, graceMs, "SIGKILL");
    await exited;
    clearTimeout(timer);
    // What it started may have outlived it.
    kill("SIGKILL");
    child.stdout.destroy();
    child.stderr.destroy();
  };
  let stopping: Promise<void> | undefined;
  return {
    lines: linesOf(child.stdout),
    exited,
    stderr: () => errors.trim(),
    stop: () => (stopping ??= stop()),
  };
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    // Stays on: a later error must not end the host.
    child.on("error", reject);
  });
}

/** A group that is gone already is no error. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left to be signalled.
  }
}

async function* linesOf(output: Readable): AsyncGenerator<string> {
  let parts: string[] = [];
  for await (const chunk of output.setEncoding("utf8") as AsyncIterable<string>) {
    const [first = "", ...rest] = chunk.split("\n");
    parts.push(first);
    for (const text of rest) {
      const line = parts.join("");
      parts = [text];
      if (line.trim() !== "") yield line;
    }
  }
  const last = parts.join("");
  if (last.trim() !== "") yield last;
}
