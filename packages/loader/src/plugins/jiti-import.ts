import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sha256 } from "@quire/core/host";
import type * as jitiModule from "jiti";
import { hostModule } from "./host-modules.js";

export interface JitiRequest {
  /** Absolute. */
  readonly entry: string;
  readonly cacheFolder: string;
  importModule(specifier: string): Promise<unknown>;
}

/** Files that jiti loaded before: forgotten at the next load, so that a reload sees what changed. */
const loadedFiles = new Set<string>();

/**
 * Imports a plugin without a bundle, where esbuild cannot run. jiti leaves `.mjs` files to Node: an edit of such a
 * helper is seen by the next process only.
 * @returns The module and a hash over the plugin's own files.
 */
export async function importWithJiti(request: JitiRequest): Promise<{ module: unknown; hash: string }> {
  const { entry, cacheFolder } = request;
  const library = (await request.importModule("jiti")) as typeof jitiModule;
  const jiti = library.createJiti(pathToFileURL(entry).href, {
    fsCache: join(cacheFolder, "jiti"),
    virtualModules: await virtualModules(entry),
  });
  for (const file of loadedFiles) delete jiti.cache[file];
  const before = new Set(Object.keys(jiti.cache));
  const module = await jiti.import(entry);
  const own = Object.keys(jiti.cache).filter((file) => !before.has(file) && !file.includes("node_modules"));
  for (const file of own) loadedFiles.add(file);
  return { module, hash: await hashOfFiles([...new Set([entry, ...own])].sort()) };
}

async function virtualModules(entry: string): Promise<Record<string, object>> {
  const core = await hostModule("@quire/core");
  try {
    createRequire(entry).resolve("zod");
    return { "@quire/core": core };
  } catch {
    return { "@quire/core": core, zod: await hostModule("zod") };
  }
}

async function hashOfFiles(files: readonly string[]): Promise<string> {
  return sha256(JSON.stringify(await Promise.all(files.map(async (file) => [file, sha256(await readFile(file))]))));
}
