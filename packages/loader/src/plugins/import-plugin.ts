import { readFile, realpath } from "node:fs/promises";
import { SourceMap, type SourceMapPayload } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { PluginDefinition } from "@quire/core";
import { isRecord } from "../record.js";
import { cachedBundle, type Bundle } from "./bundle-cache.js";
import { BundlerUnavailable, isBuildFailure } from "./bundle.js";
import { hostKey, hostModule, offerHostModules } from "./host-modules.js";
import { importWithJiti } from "./jiti-import.js";
import { isFailure, type PluginFailure, type PluginSource } from "./plugin-source.js";

export interface ImportSettings {
  readonly cacheFolder: string;
  /** Version of the host. */
  readonly version: string;
  readonly bundler?: "esbuild" | "jiti";
  importModule(specifier: string): Promise<unknown>;
}

/** A plugin's code, bundled and not yet run; null where esbuild cannot run. */
export type Prepared = Bundle | null | PluginFailure;

export interface ImportedPlugin {
  readonly source: PluginSource;
  readonly plugin: PluginDefinition;
  readonly hash: string;
}

/** Bundles a plugin without running any of it. */
export async function preparePlugin(source: PluginSource, settings: ImportSettings): Promise<Prepared> {
  if (settings.bundler === "jiti") return null;
  try {
    return await cachedBundle({
      // As in Node, a file behind a link is the file itself: one bundle, one hash.
      entry: await realpath(source.file),
      cacheFolder: settings.cacheFolder,
      key: hostKey(settings.version),
      inlinePackages: source.tier === "project",
      importModule: (specifier) => settings.importModule(specifier),
    });
  } catch (error) {
    if (error instanceof BundlerUnavailable && settings.bundler === undefined) return null;
    return bundleFailure(source, error);
  }
}

/** Runs a prepared plugin's file and takes what it exports by default. */
export async function importPlugin(
  source: PluginSource,
  prepared: Prepared,
  settings: ImportSettings,
): Promise<ImportedPlugin | PluginFailure> {
  if (prepared !== null && isFailure(prepared)) return prepared;
  offerHostModules();
  let module: unknown;
  let hash: string;
  try {
    if (prepared === null) {
      ({ module, hash } = await importWithJiti({
        entry: source.file,
        cacheFolder: settings.cacheFolder,
        importModule: (specifier) => settings.importModule(specifier),
      }));
    } else {
      await Promise.all(prepared.hostModules.map(hostModule));
      module = await settings.importModule(pathToFileURL(prepared.file).href);
      hash = prepared.hash;
    }
  } catch (error) {
    return importFailure(source, prepared, error);
  }
  const plugin = defaultExport(module);
  return isDefinition(plugin) ? { source, plugin, hash } : invalidExport(source, module);
}

/** CommonJS wraps a default export once more. */
function defaultExport(module: unknown): unknown {
  const first = isRecord(module) ? module["default"] : undefined;
  return isRecord(first) && !("setup" in first) && isRecord(first["default"]) ? first["default"] : first;
}

/** Enough to handle it as a plugin; the host checks the rest and names what is wrong. */
function isDefinition(value: unknown): value is PluginDefinition {
  return isRecord(value) && typeof value["name"] === "string" && typeof value["setup"] === "function";
}

function bundleFailure(source: PluginSource, error: unknown): PluginFailure {
  const first = isBuildFailure(error) ? error.errors[0] : undefined;
  const file = first?.location ? resolve(dirname(source.file), first.location.file) : source.file;
  const line = first?.location?.line;
  return {
    label: source.label,
    file: source.file,
    at: { kind: "plugin", file, ...(line === undefined ? {} : { line }) },
    code: "plugin-syntax",
    message: `Plugin ${source.label} cannot be compiled: ${first?.text ?? messageOf(error)}`,
    fix: `Mend ${file}${line === undefined ? "" : `, line ${line}`}`,
    cause: error,
  };
}

async function importFailure(source: PluginSource, prepared: Bundle | null, error: unknown): Promise<PluginFailure> {
  const place = prepared === null ? undefined : await sourcePlace(prepared, error);
  return {
    label: source.label,
    file: source.file,
    at: { kind: "plugin", file: place?.file ?? source.file, ...(place === undefined ? {} : { line: place.line }) },
    code: "plugin-import",
    message: `Plugin ${source.label} fails while it is imported: ${messageOf(error)}`,
    fix: `Mend what its file does at the top level, or leave it out with --no-plugin`,
    cause: error,
  };
}

/** Where in the plugin's own files an error was made, by the bundle's source map. */
async function sourcePlace(bundle: Bundle, error: unknown): Promise<{ file: string; line: number } | undefined> {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const frame = new RegExp(`${bundle.hash}\\.mjs:(\\d+):(\\d+)`).exec(stack);
  if (frame === null) return undefined;
  try {
    const payload = JSON.parse(await readFile(`${bundle.file}.map`, "utf8")) as SourceMapPayload;
    const entry = new SourceMap(payload).findEntry(Number(frame[1]) - 1, Number(frame[2]) - 1);
    if (!("originalSource" in entry)) return undefined;
    const url = new URL(entry.originalSource, payload.sourceRoot);
    return { file: fileURLToPath(url), line: entry.originalLine + 1 };
  } catch {
    return undefined;
  }
}

function invalidExport(source: PluginSource, module: unknown): PluginFailure {
  const names = isRecord(module) ? Object.keys(module) : [];
  const seen = names.length === 0 ? "it exports nothing" : `it exports ${names.slice(0, 6).join(", ")}`;
  return {
    label: source.label,
    file: source.file,
    at: { kind: "plugin", file: source.file },
    code: "plugin-invalid",
    message: `Plugin ${source.label} has no plugin as its default export: ${seen}`,
    fix: "Let its file end in: export default definePlugin({ name, apiVersion: 1, setup })",
  };
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n")[0] ?? "";
}
