import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { diskFiles } from "./disk-files.js";

/**
 * All files below a folder, as paths relative to it with `/`, sorted by code point. Links are followed, no folder is
 * entered twice, hidden entries and `node_modules` are passed by.
 */
export async function listTree(folder: string): Promise<readonly string[]> {
  const seen = new Set<string>();
  const walk = async (at: string, prefix: string): Promise<string[]> => {
    const real = await realpath(at).catch(() => at);
    const names = seen.has(real) ? null : await diskFiles.list(at);
    seen.add(real);
    const found: string[] = [];
    for (const name of names ?? []) {
      if (name.startsWith(".") || name === "node_modules/") continue;
      if (name.endsWith("/")) found.push(...(await walk(join(at, name), prefix + name)));
      else found.push(prefix + name);
    }
    return found;
  };
  return walk(folder, "");
}
