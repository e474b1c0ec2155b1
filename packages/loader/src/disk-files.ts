import type { BigIntStats } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Files } from "@quire/core/host";

/** The real disk. Paths are absolute; links are followed. */
export const diskFiles: Files = {
  async read(path, maxBytes = Number.MAX_SAFE_INTEGER) {
    const handle = await open(path, "r").catch(absent);
    if (handle === null) return null;
    try {
      return await readUpTo(handle, maxBytes);
    } finally {
      await handle.close();
    }
  },

  async list(path) {
    const entries = await readdir(path, { withFileTypes: true }).catch(absent);
    if (entries === null) return null;
    const names = await Promise.all(
      entries.map(async (entry) => {
        if (entry.isDirectory()) return `${entry.name}/`;
        if (!entry.isSymbolicLink()) return entry.name;
        const target = await stat(join(path, entry.name)).catch(() => null);
        return target?.isDirectory() === true ? `${entry.name}/` : entry.name;
      }),
    );
    return names.sort(byCodePoint);
  },

  async stamp(path) {
    const found: BigIntStats | null = await stat(path, { bigint: true }).catch(absent);
    if (found === null) return "absent";
    return `${found.mtimeNs}-${found.ctimeNs}-${found.size}-${found.ino}`;
  },
};

/** Compares by code point, whatever the locale: UTF-16 units would put astral characters before U+E000. */
export function byCodePoint(left: string, right: string): number {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return Buffer.compare(a, b);
}

const chunkBytes = 65_536;

/** Grows with the content, so a limit far above the file's size costs nothing, nor does a file far above the limit. */
async function readUpTo(
  handle: { read(buffer: Uint8Array, offset: number, length: number): Promise<{ bytesRead: number }> },
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  let size = chunkBytes;
  while (total < maxBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(size, maxBytes - total));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
    size = Math.min(size * 2, 4 * 1024 * 1024);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, total);
}

/** A path that does not exist, or leads through something that is no folder, is absent; other errors stay errors. */
function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}
