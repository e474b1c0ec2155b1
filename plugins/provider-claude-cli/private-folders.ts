import type { Attrs } from "@quire/core";
import { rmSync } from "node:fs";
import { lstat, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** This process, told from one that had the same id before: in a container that is started anew ids come again. */
const start = Math.round(performance.timeOrigin).toString(36);
const shape = /^quire-claude-cli-(?<pid>\d+)-(?<start>[a-z0-9]+)-[A-Za-z0-9]{6}$/;

/**
 * Folders for this user alone, each there for one request. Their names carry the process that made them; no clock says
 * when one is a leftover, because clocks jump.
 */
export class PrivateFolders {
  readonly #live = new Set<string>();

  /** A new folder (0700). Removed by `remove`, and when the process exits. */
  async create(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), `quire-claude-cli-${process.pid}-${start}-`));
    if (this.#live.size === 0) process.on("exit", this.#removeAll);
    this.#live.add(folder);
    return folder;
  }

  /** Writes the texts (0600) into a folder. */
  async fill(folder: string, files: Attrs): Promise<void> {
    await Promise.all(
      Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text, { mode: 0o600, flag: "wx" })),
    );
  }

  async remove(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    this.#live.delete(folder);
    if (this.#live.size === 0) process.off("exit", this.#removeAll);
  }

  /** Removes what processes of this user left behind that were killed. What cannot be looked at or removed stays. */
  async sweep(): Promise<void> {
    const names = await readdir(tmpdir()).catch(() => []);
    await Promise.all(names.filter(isLeftover).map((name) => removeOwn(join(tmpdir(), name))));
  }

  readonly #removeAll = (): void => {
    for (const folder of this.#live) rmSync(folder, { recursive: true, force: true });
  };
}

function isLeftover(name: string): boolean {
  const owner = shape.exec(name)?.groups;
  if (owner === undefined) return false;
  const pid = Number(owner["pid"]);
  return pid === process.pid ? owner["start"] !== start : !lives(pid);
}

async function removeOwn(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found === null || !found.isDirectory() || found.uid !== process.getuid?.()) return;
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

/** A process of another user counts: who may not be signalled is there. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
