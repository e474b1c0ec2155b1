import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { IgnoreRules } from "./ignore-rules.js";

export interface WalkEntry {
  /** Relative to the start, with "/" between the parts. */
  readonly path: string;
  readonly kind: "file" | "folder" | "other";
}

export interface WalkOptions {
  /** Where ignore rules start when there is no repository. */
  readonly fallbackRoot: string;
  readonly signal: AbortSignal;
  /** Told of every folder that cannot be read. */
  readonly onUnreadable: (path: string) => void;
}

interface Pending {
  readonly path: string;
  readonly entry: Dirent;
  readonly rules: IgnoreRules;
}

/**
 * Everything below a folder that git would not ignore, each folder before what it holds, names by code point. `.git` is
 * left out. Symbolic links are named and never followed, so a loop of them is no danger.
 * @throws When the start itself cannot be read.
 */
export async function* walk(start: string, options: WalkOptions): AsyncGenerator<WalkEntry> {
  const { signal } = options;
  const rules = await IgnoreRules.at(start, options.fallbackRoot);
  const pending = await children(start, "", rules);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    signal.throwIfAborted();
    const { path, entry } = next;
    yield { path, kind: kindOf(entry) };
    if (!entry.isDirectory()) continue;
    const folder = join(start, path);
    try {
      pending.push(...(await children(folder, path, await next.rules.enter(folder))));
    } catch {
      options.onUnreadable(path);
    }
  }
}

/** In reverse order: they go onto a stack. */
async function children(folder: string, path: string, rules: IgnoreRules): Promise<Pending[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.name !== ".git")
    .filter((entry) => !rules.ignores(join(folder, entry.name), entry.isDirectory()))
    .sort((left, right) => (left.name < right.name ? 1 : -1))
    .map((entry) => ({ path: path === "" ? entry.name : `${path}/${entry.name}`, entry, rules }));
}

function kindOf(entry: Dirent): WalkEntry["kind"] {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}
