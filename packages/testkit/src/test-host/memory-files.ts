import { posix } from "node:path";
import type { Files } from "@quire/core/host";

/** A disk in memory; a file exists with the folders above it. */
export interface MemoryFiles extends Files {
  /** Paths are absolute. */
  write(path: string, text: string): void;
  remove(path: string): void;
}

/** @param folders Exist although they hold nothing. */
export function memoryFiles(folders: readonly string[]): MemoryFiles {
  const contents = new Map<string, { readonly bytes: Uint8Array; readonly version: number }>();
  let version = 0;
  const entriesOf = (folder: string): readonly string[] | null => {
    const prefix = folder === "/" ? "/" : `${folder}/`;
    const below = [...contents.keys(), ...folders.map((each) => `${each}/`)].filter((path) => path.startsWith(prefix));
    if (below.length === 0) return null;
    const names = below.map((path) => {
      const [name = "", ...rest] = path.slice(prefix.length).split("/");
      return rest.length > 0 && name !== "" ? `${name}/` : name;
    });
    return [...new Set(names)].filter((name) => name !== "").sort((left, right) => (left < right ? -1 : 1));
  };
  return {
    read(path, maxBytes) {
      const bytes = contents.get(posix.normalize(path))?.bytes;
      return Promise.resolve(bytes === undefined ? null : bytes.slice(0, maxBytes));
    },
    list: (path) => Promise.resolve(entriesOf(posix.normalize(path))),
    stamp(path) {
      const file = contents.get(posix.normalize(path));
      if (file !== undefined) return Promise.resolve(`file ${file.version}`);
      return Promise.resolve(`folder ${JSON.stringify(entriesOf(posix.normalize(path)))}`);
    },
    write(path, text) {
      version += 1;
      contents.set(posix.normalize(path), { bytes: new TextEncoder().encode(text), version });
    },
    remove: (path) => void contents.delete(posix.normalize(path)),
  };
}
