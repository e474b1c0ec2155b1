import { readFileSync } from "node:fs";
import { mkdir, readFile, stat, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { QuireError } from "@quire/core";
import { isRecord } from "../record.js";

/** A lock file without a readable owner counts as one that is being written, for so long. */
const writingMs = 5_000;

/**
 * Takes a lock file for this process, or finds that another living process has it. A lock whose process is gone
 * (killed, or its number given to another one) is taken over.
 */
export async function takeLock(file: string): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  if (await createLock(file)) return true;
  if (!(await isStale(file))) return false;
  // Only one process at a time may remove a stale lock, or the second would remove the fresh lock of the first.
  const broom = `${file}.broom`;
  if (!(await createLock(broom))) {
    if (await isStale(broom)) await unlink(broom).catch(() => undefined);
    return false;
  }
  try {
    if (await isStale(file)) await unlink(file).catch(() => undefined);
    return await createLock(file);
  } finally {
    await unlink(broom).catch(() => undefined);
  }
}

/** Gives back a lock that this process took. */
export async function releaseLock(file: string): Promise<void> {
  const owner = await readOwner(file);
  if (owner?.pid === process.pid) await unlink(file).catch(() => undefined);
}

const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while no other process and no other call in this one does.
 * @throws {QuireError} `lock-timeout` after `timeoutMs`.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, timeoutMs = 10_000): Promise<T> {
  const before = queues.get(file) ?? Promise.resolve();
  const run = before.then(async () => {
    const end = Date.now() + timeoutMs;
    while (!(await takeLock(file))) {
      if (Date.now() > end) throw lockTimeout(file, timeoutMs);
      await sleep(5 + Math.random() * 20);
    }
    try {
      return await work();
    } finally {
      await releaseLock(file);
    }
  });
  const settled = run.catch(() => undefined);
  queues.set(file, settled);
  try {
    return await run;
  } finally {
    if (queues.get(file) === settled) queues.delete(file);
  }
}

interface Owner {
  readonly pid: number;
  /** When that process began, in the system's own count; absent where the system does not tell. */
  readonly started?: string;
}

async function createLock(file: string): Promise<boolean> {
  const started = processStart(process.pid);
  const owner: Owner = { pid: process.pid, ...(started === undefined ? {} : { started }) };
  try {
    await writeFile(file, JSON.stringify(owner), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const owner: unknown = JSON.parse(await readFile(file, "utf8"));
    return isRecord(owner) && typeof owner["pid"] === "number" ? (owner as unknown as Owner) : undefined;
  } catch {
    return undefined;
  }
}

async function isStale(file: string): Promise<boolean> {
  const owner = await readOwner(file);
  if (owner !== undefined) return !isAlive(owner);
  const found = await stat(file).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > writingMs;
}

function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const started = processStart(owner.pid);
  return started !== "gone" && (owner.started === undefined || started === undefined || started === owner.started);
}

/** Start time of a process from Linux' /proc; `gone` for a zombie, undefined on systems without it. */
function processStart(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? "gone" : fields[19];
  } catch {
    return undefined;
  }
}

function lockTimeout(file: string, timeoutMs: number): QuireError {
  return new QuireError({
    code: "lock-timeout",
    level: "error",
    message: `Another process keeps ${file} for more than ${timeoutMs} ms`,
    fix: "End the other process, or remove that file if there is none",
  });
}
