import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isRecord } from "../record.js";

export interface PackageManifest {
  readonly folder: string;
  readonly name?: string;
  readonly version?: string;
  readonly main?: string;
  /** `quire.plugins`: entry files relative to the folder. */
  readonly plugins: readonly string[];
}

/** The nearest file of that name, from `folder` upwards. */
export async function nearestFile(folder: string, name: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, name);
    if ((await stat(file).catch(() => null))?.isFile() === true) return file;
    if (dirname(at) === at) return undefined;
  }
}

/** The manifest of a package folder; undefined when there is none, or none that can be read. */
export async function readManifest(folder: string): Promise<PackageManifest | undefined> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
  if (!isRecord(data)) return undefined;
  const quire = isRecord(data["quire"]) ? data["quire"]["plugins"] : undefined;
  return {
    folder,
    ...textField(data, "name"),
    ...textField(data, "version"),
    ...textField(data, "main"),
    plugins: Array.isArray(quire) ? quire.filter((each) => typeof each === "string") : [],
  };
}

/** The version of the package that a file belongs to; `0.0.0` without one. */
export async function versionOf(file: string): Promise<string> {
  const manifest = await nearestFile(dirname(file), "package.json");
  if (manifest === undefined) return "0.0.0";
  return (await readManifest(dirname(manifest)))?.version ?? "0.0.0";
}

function textField<K extends string>(data: Readonly<Record<string, unknown>>, key: K): { [P in K]?: string } {
  const value = data[key];
  return (typeof value === "string" ? { [key]: value } : {}) as { [P in K]?: string };
}
