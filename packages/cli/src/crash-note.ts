import { closeSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "@quire/core";

/** Remembers on disk which plugin is at work, so that one that never returns can be named by the next start. */
export interface CrashNote {
  /** Null: no plugin is at work. */
  entering(plugin: string | null): void;
  /** The run ends well. */
  close(): void;
}

const prefix = "entering-";
const sizeBytes = 128;

/** @param folder Absolute; made when the first plugin is entered. Every error of the disk is ignored. */
export function openCrashNote(folder: string, processId: number): CrashNote {
  const file = join(folder, `${prefix}${processId}`);
  let handle: number | undefined;
  let failed = false;
  let written = "";
  /** What is so now; plugins come and go thousands of times in a turn. */
  let current = "";
  let isWaiting = false;
  const write = (name: string) => {
    if (handle === undefined) {
      mkdirSync(folder, { recursive: true });
      handle = openSync(file, "w", 0o600);
    }
    writeSync(handle, name.slice(0, sizeBytes).padEnd(sizeBytes), 0);
    written = name;
  };
  const attempt = (name: string) => {
    try {
      if (!failed && name !== written) write(name);
    } catch {
      failed = true;
    }
  };
  return {
    entering(plugin) {
      current = plugin ?? "";
      // A plugin that never returns has to be named before it is entered; that it returned can wait for the event loop.
      if (current !== "") attempt(current);
      else if (!isWaiting) {
        isWaiting = true;
        setImmediate(() => {
          isWaiting = false;
          if (current === "") attempt("");
        }).unref();
      }
    },
    close() {
      if (handle === undefined) return;
      failed = true;
      closeSync(handle);
      rmSync(file, { force: true });
      handle = undefined;
    },
  };
}

/**
 * Says which plugins were at work when earlier runs ended without coming to their end, and forgets it.
 * @param builtins Names of built-in plugins. A run that is killed in the middle of a tool call leaves theirs, which is
 *   worth an info; a stranger's plugin is worth a warning.
 */
export function readCrashNotes(folder: string, builtins: readonly string[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const name of namesIn(folder)) {
    const processId = Number(name.slice(prefix.length));
    if (!name.startsWith(prefix) || isAlive(processId)) continue;
    const file = join(folder, name);
    try {
      const plugin = readFileSync(file, "utf8").trim();
      rmSync(file, { force: true });
      if (plugin !== "") found.push(crashed(plugin, processId, builtins.includes(plugin)));
    } catch {
      // Another start was faster.
    }
  }
  return found;
}

function crashed(plugin: string, processId: number, isBuiltin: boolean): Diagnostic {
  return {
    code: "plugin-crash",
    level: isBuiltin ? "info" : "warn",
    message: `An earlier run (process ${processId}) ended while plugin "${plugin}" was at work`,
    plugin,
    fix: `If it hung, start with --no-plugin ${plugin}`,
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
