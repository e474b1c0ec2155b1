import { constants, statSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Files } from "@quire/core/host";

/** The real disk. Paths are absolute; links are followed. */
export const diskFiles: Files = {
  async read(path, maxBytes = Number.MAX_SAFE_INTEGER) {
    // Without this flag a pipe that nobody writes to would be waited for until the end of time.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(absent);
    if (handle === null) return null;
    try {
      const found = await handle.stat();
      if (!found.isFile() && !found.isDirectory()) throw new Error(`${path} is a pipe or a device, not a file`);
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
    try {
      // Asked for every file of a prompt at each request: a promise would cost ten times what the answer does.
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      return found === undefined ? "absent" : `${found.mtimeNs}-${found.ctimeNs}-${found.size}-${found.ino}`;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return absentCodes.has(code) ? "absent" : `unreadable ${code}`;
    }
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

/** Nothing is there, the way leads through something that is no folder, or no file can be called so. */
const absentCodes = new Set<string | undefined>(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

function absent(error: NodeJS.ErrnoException): null {
  if (absentCodes.has(error.code)) return null;
  throw error;
}
