import { stat } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { byCodePoint, diskFiles } from "../disk-files.js";
import { readManifest } from "./package-manifest.js";
import type { PluginFailure, PluginSource } from "./plugin-source.js";

/** Extensions of files that can be a plugin. */
const moduleExtensions = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"] as const;

type Found = readonly (PluginSource | PluginFailure)[];

/**
 * The plugins in a `plugins/` folder: its files `.ts`, `.js` and `.mjs`, and the entries that package folders name in
 * `quire.plugins`. Sorted by path.
 */
export async function pluginsInFolder(folder: string, tier: "user" | "project"): Promise<Found> {
  const names = (await diskFiles.list(folder)) ?? [];
  const found: (PluginSource | PluginFailure)[] = [];
  for (const name of names) {
    if (name.startsWith(".") || name === "node_modules/") continue;
    const path = join(folder, name);
    if (!name.endsWith("/")) {
      if (/(?<!\.d)\.(ts|js|mjs)$/.test(name)) found.push({ label: path, file: path, tier });
    } else if (name.startsWith("@")) {
      for (const inner of (await diskFiles.list(path)) ?? []) {
        if (inner.endsWith("/")) found.push(...(await pluginsOfPackage(join(path, inner), tier)));
      }
    } else {
      found.push(...(await pluginsOfPackage(path, tier)));
    }
  }
  return found.sort((a, b) => byCodePoint(a.file ?? a.label, b.file ?? b.label));
}

/** A folder without `quire.plugins` holds helpers of the files beside it. */
async function pluginsOfPackage(folder: string, tier: "user" | "project"): Promise<Found> {
  const manifest = await readManifest(folder);
  if (manifest === undefined || manifest.plugins.length === 0) return [];
  return pluginsAt(resolve(folder), { label: folder, tier: tier === "user" ? "installed" : tier });
}

/**
 * The plugins at a path that somebody named: a file, or a folder whose `package.json` names entries (`quire.plugins`,
 * then `main`), or that has an `index` file.
 */
export async function pluginsAt(path: string, asked: Omit<PluginSource, "file">): Promise<Found> {
  const found = await stat(path).catch(() => null);
  if (found === null) {
    return [{ ...asked, code: "plugin-missing", message: `There is no file or folder ${path}`, fix: "Check the path" }];
  }
  if (!found.isDirectory()) return [checkedFile(path, asked)];
  const manifest = await readManifest(path);
  const named = manifest === undefined ? [] : manifest.plugins.length > 0 ? manifest.plugins : [manifest.main ?? ""];
  const withName = manifest?.name === undefined ? asked : { ...asked, packageName: manifest.name };
  const files = named.filter((name) => name !== "").map((name) => resolve(path, name));
  if (files.length === 0) {
    const index = await firstFile(moduleExtensions.map((extension) => join(path, `index${extension}`)));
    if (index !== undefined) return [{ ...withName, file: index }];
    return [
      {
        ...withName,
        file: path,
        code: "plugin-missing",
        message: `The folder ${path} names no plugin`,
        fix: 'Add `"quire": { "plugins": ["./index.ts"] }` to its package.json, or an index.ts',
      },
    ];
  }
  return Promise.all(
    files.map(async (file) => {
      if ((await stat(file).catch(() => null))?.isFile() === true) return checkedFile(file, withName);
      const message = `${join(path, "package.json")} names ${file}, which does not exist`;
      return {
        ...withName,
        file,
        code: "plugin-missing",
        message,
        fix: "Build the package, or mend the path",
      } as const;
    }),
  );
}

/** Where a plugin of that name is installed: its folder in one of `folders`, or in their `node_modules`. */
export async function installedFolder(name: string, folders: readonly string[]): Promise<string | undefined> {
  if (!/^(@[\w.-]+\/)?[\w-][\w.-]*$/.test(name)) return undefined;
  for (const folder of folders.flatMap((each) => [join(each, name), join(each, "node_modules", name)])) {
    if ((await stat(folder).catch(() => null))?.isDirectory() === true) return folder;
  }
  return undefined;
}

function checkedFile(file: string, asked: Omit<PluginSource, "file">): PluginSource | PluginFailure {
  if (moduleExtensions.some((extension) => extension === extname(file))) return { ...asked, file };
  const message = `${file} is no module: its name ends in "${extname(file)}"`;
  return {
    ...asked,
    file,
    code: "plugin-missing",
    message,
    fix: `Name a file that ends in ${moduleExtensions.join(", ")}`,
  };
}

async function firstFile(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await stat(path).catch(() => null))?.isFile() === true) return path;
  return undefined;
}
