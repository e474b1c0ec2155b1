import type { Attrs } from "@quire/core";
import { rmSync } from "node:fs";
import { lstat, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "quire-claude-cli-";
const shape = /^quire-claude-cli-(\d+)-[A-Za-z0-9]{6}$/;

/** Milliseconds after which a folder is a leftover whoever runs under its process id now. No request takes so long. */
const longestLifeMs = 24 * 60 * 60 * 1000;

/** Folders for this user alone, each there for one request. Their names carry the process that made them. */
export class PrivateFolders {
  readonly #live = new Set<string>();

  /** A new folder (0700). Removed by `remove`, and when the process exits. */
  async create(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
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
    const leftovers = names.filter((name) => shape.test(name) && !this.#live.has(join(tmpdir(), name)));
    await Promise.all(leftovers.map((name) => removeLeftover(join(tmpdir(), name), Number(shape.exec(name)?.[1]))));
  }

  readonly #removeAll = (): void => {
    for (const folder of this.#live) rmSync(folder, { recursive: true, force: true });
  };
}

async function removeLeftover(folder: string, owner: number): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found === null || !found.isDirectory() || found.uid !== process.getuid?.()) return;
  const startedAt = Date.now() - process.uptime() * 1000;
  const isOurs = owner === process.pid && found.ctimeMs >= startedAt;
  const isAlive = owner === process.pid ? isOurs : lives(owner);
  if (isAlive && Date.now() - found.ctimeMs < longestLifeMs) return;
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
