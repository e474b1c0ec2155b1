import type { Files } from "@quire/core/host";

/** Files in memory. Each write gives a path another stamp. */
export interface MemoryFiles extends Files {
  write(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
}

/** @param initial Texts by absolute path; folders follow from the paths. */
export function createMemoryFiles(initial: Readonly<Record<string, string>> = {}): MemoryFiles {
  const contents = new Map<string, Uint8Array>();
  const versions = new Map<string, number>();
  let writes = 0;
  const touch = (path: string) => {
    writes += 1;
    for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) versions.set(at, writes);
  };
  const write = (path: string, content: string | Uint8Array) => {
    contents.set(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
    touch(path);
  };
  for (const [path, text] of Object.entries(initial)) write(path, text);
  return {
    write,
    remove(path) {
      contents.delete(path);
      touch(path);
    },
    read: (path, maxBytes) => Promise.resolve(contents.get(path)?.subarray(0, maxBytes) ?? null),
    list(path) {
      const inside = [...contents.keys()].filter((name) => name.startsWith(`${path}/`));
      if (inside.length === 0) return Promise.resolve(null);
      const names = inside.map((name) => {
        const [first = "", ...rest] = name.slice(path.length + 1).split("/");
        return rest.length === 0 ? first : `${first}/`;
      });
      return Promise.resolve([...new Set(names)].sort());
    },
    stamp: (path) => Promise.resolve(String(versions.get(path) ?? "absent")),
  };
}
