import { lstat, realpath, stat } from "node:fs/promises";

/** What a path is on the disk, before anything of it is read. */
export interface DiskFacts {
  /**
   * `absent` also for what is not on this disk at all. `special` is a pipe, a socket or a device: opening one may
   * never come back. `dangling` is a link to nothing.
   */
  readonly kind: "absent" | "file" | "folder" | "special" | "dangling";
  /** With all links resolved; the path itself when it is absent. */
  readonly realPath: string;
}

export async function lookAt(file: string): Promise<DiskFacts> {
  const entry = await lstat(file).catch(() => null);
  if (entry === null) return { kind: "absent", realPath: file };
  try {
    const [realPath, target] = await Promise.all([realpath(file), stat(file)]);
    if (target.isFile()) return { kind: "file", realPath };
    return { kind: target.isDirectory() ? "folder" : "special", realPath };
  } catch {
    return { kind: entry.isSymbolicLink() ? "dangling" : "absent", realPath: file };
  }
}
