import { ToolError } from "@quire/core";
import type { Attrs } from "@quire/core";
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Readable } from "node:stream";

export interface Exit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A shell and everything it starts, as one process group that is signalled as one. */
export interface ProcessGroup {
  /** Of the shell; also the id of the group. */
  readonly id: number;
  /** Standard output and error in the order they were written. */
  readonly output: Readable;
  /** Settles when the shell itself is gone, whatever it left behind. */
  readonly exited: Promise<Exit>;
}

/**
 * The shell's output goes through a real pipe and `cat`. Node gives a child a socket, and `/dev/stderr` or
 * `/dev/stdout` cannot be opened when a socket is behind them. The second shell takes the place of the first, so its
 * pid and exit code stay, and its `$0` and line numbers are those of a plain `bash -c`. `cat` outlives the polite signal,
 * so that last words arrive and nobody dies of a broken pipe.
 */
const bashLauncher = `exec > >(trap '' TERM INT HUP; exec cat) 2>&1; exec bash -c "$1"`;
/** Without bash there is no such pipe; only scripts that open `/dev/stderr` notice. */
const shLauncher = 'exec sh -c "$1" 2>&1';

/**
 * Starts `bash -c command`, or `sh -c` where there is no bash, with nothing to read from.
 * @throws {ToolError} `command-invalid` or `shell-missing`; nothing runs then.
 */
export async function startGroup(
  command: string,
  place: { readonly cwd: string; readonly env: Attrs },
): Promise<ProcessGroup> {
  if (command.includes("\0")) {
    throw refuse("command-invalid", "The command holds a NUL character", "Leave it out");
  }
  try {
    return await start(["bash", "-c", bashLauncher, "bash", command], place);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw startError(error);
  }
  try {
    return await start(["sh", "-c", shLauncher, "sh", command], place);
  } catch (error) {
    throw startError(error);
  }
}

async function start(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env }: { readonly cwd: string; readonly env: Attrs },
): Promise<ProcessGroup> {
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  // A broken stream ends; its close event tells.
  child.stdout.on("error", () => undefined);
  await spawned(child);
  if (child.pid === undefined) throw new Error("the shell has no process id");
  return { id: child.pid, output: child.stdout, exited };
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    // Stays on: a later error, such as a signal that could not be sent, must not end the host.
    child.on("error", reject);
  });
}

function startError(error: unknown): ToolError {
  if (hasCode(error, "ENOENT")) {
    return refuse("shell-missing", "Neither bash nor sh was found on PATH", "Tell the user to install bash");
  }
  if (hasCode(error, "E2BIG")) {
    return refuse("command-invalid", "The command is too long", "Write it to a file and run that");
  }
  const message = error instanceof Error ? error.message : String(error);
  return refuse("shell-failed", `The shell could not be started: ${message}`, "Try again");
}

function refuse(code: string, message: string, fix: string): ToolError {
  return new ToolError({ code, level: "error", message, fix });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Signals every process of a group. One that is gone already is no error. */
export function signalGroup(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-id, signal);
  } catch (error) {
    if (!hasCode(error, "ESRCH") && !hasCode(error, "EPERM")) throw error;
  }
}

/** Whether a process of the group still runs. A dead one that nobody has collected yet does not count. */
export function groupLives(id: number): boolean {
  try {
    process.kill(-id, 0);
  } catch {
    return false;
  }
  const states = memberStates(id);
  return states === null || states.some((state) => state !== "Z" && state !== "X");
}

/** From /proc; null where there is none. Field 3 of `stat` is the state, field 5 the group. Source: proc(5). */
function memberStates(id: number): readonly string[] | null {
  const states: string[] = [];
  try {
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      const [state, , group] = statFields(name);
      if (group === String(id) && state !== undefined) states.push(state);
    }
  } catch {
    return null;
  }
  return states;
}

function statFields(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    // It ended while we looked.
    return [];
  }
}

/** Asks a group to end, and ends what is left of it after the grace. Settles when nothing of it runs. */
export async function endGroup(id: number, graceMs: number): Promise<void> {
  signalGroup(id, "SIGTERM");
  const deadline = Date.now() + graceMs;
  for (let waitMs = 5; groupLives(id); waitMs = Math.min(waitMs * 2, 100)) {
    if (Date.now() >= deadline) {
      signalGroup(id, "SIGKILL");
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
