import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { sha256 } from "@quire/core/host";
import type * as esbuild from "esbuild";
import { diskFiles } from "../disk-files.js";
import { hostModuleSource, type HostModule } from "./host-modules.js";
import { metaDefines, withFileMeta } from "./file-meta.js";

/** esbuild is not there or does not run; the code to bundle was not judged. */
export class BundlerUnavailable extends Error {}

export interface BundleOutput {
  readonly code: Uint8Array;
  /** Source map of `code`. */
  readonly map: Uint8Array;
  /** SHA-256 of every file that went in, by absolute path. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Files of packages that the code imports at run time, absolute. */
  readonly externals: readonly string[];
  readonly hostModules: readonly HostModule[];
}

export interface BundleRequest {
  /** Absolute. */
  readonly entry: string;
  /** Where the result will be written. */
  readonly folder: string;
  /** Takes packages in as well, so that the result's hash covers all code but Node's own. */
  readonly inlinePackages: boolean;
  importModule(specifier: string): Promise<unknown>;
}

/**
 * Makes one ES module of a plugin's own files. Packages stay outside, resolved from the file that imports them.
 * @throws {BundlerUnavailable} @throws esbuild's BuildFailure, with places.
 */
export async function bundle(request: BundleRequest): Promise<BundleOutput> {
  const { entry, folder } = request;
  const inputs = new Map<string, string>();
  const externals = new Set<string>();
  const hostModules = new Set<HostModule>();
  const library = await loadEsbuild(request);
  let result;
  try {
    result = await library.build({
      entryPoints: [entry],
      absWorkingDir: dirname(entry),
      outfile: join(folder, "plugin.mjs"),
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      target: "node20",
      charset: "utf8",
      legalComments: "none",
      sourcemap: "external",
      sourcesContent: false,
      sourceRoot: pathToFileURL(`${folder}/`).href,
      logLevel: "silent",
      conditions: [],
      define: metaDefines,
      banner: {
        js: `const require = globalThis[Symbol.for("quire.host")].meta(${JSON.stringify(pathToFileURL(entry).href)}).require;`,
      },
      plugins: [hostPlugin(hostModules), packagesPlugin(request, externals, hostModules), sourcesPlugin(inputs)],
    });
  } catch (error) {
    if (isBuildFailure(error)) throw error;
    throw new BundlerUnavailable("esbuild does not run", { cause: error });
  }
  for (const name of Object.keys(result.metafile.inputs)) {
    const file = resolve(dirname(entry), name);
    if (name.startsWith("quire-host:") || inputs.has(file)) continue;
    inputs.set(file, sha256(await readFile(file)));
  }
  const [map, code] = result.outputFiles.sort((a, b) => b.path.length - a.path.length);
  if (map === undefined || code === undefined) throw new BundlerUnavailable("esbuild gave no output");
  return {
    code: code.contents,
    map: map.contents,
    inputs: Object.fromEntries(inputs),
    externals: [...externals],
    hostModules: [...hostModules],
  };
}

async function loadEsbuild(request: BundleRequest): Promise<typeof esbuild> {
  try {
    const loaded = (await request.importModule("esbuild")) as typeof esbuild & { default?: typeof esbuild };
    return loaded.default ?? loaded;
  } catch (error) {
    throw new BundlerUnavailable("esbuild cannot be imported", { cause: error });
  }
}

/** True for faults of the code that was to be bundled. */
export function isBuildFailure(error: unknown): error is esbuild.BuildFailure {
  return error instanceof Error && Array.isArray((error as Partial<esbuild.BuildFailure>).errors);
}

/** `@quire/core` is always the host's own. */
function hostPlugin(hostModules: Set<HostModule>): esbuild.Plugin {
  return {
    name: "quire-host",
    setup(build) {
      build.onResolve({ filter: /^@quire\/core(\/|$)/ }, ({ path }) => {
        if (path !== "@quire/core") {
          return { errors: [{ text: `A plugin imports "@quire/core" and no path inside it, such as "${path}"` }] };
        }
        hostModules.add("@quire/core");
        return { path, namespace: "quire-host" };
      });
      build.onLoad({ filter: /.*/, namespace: "quire-host" }, async ({ path }) => ({
        contents: await hostModuleSource(path as HostModule),
        loader: "js",
      }));
    },
  };
}

/** Packages become absolute: URLs for `import`, paths for `require`, under the conditions of each. */
function packagesPlugin(request: BundleRequest, externals: Set<string>, hostModules: Set<HostModule>): esbuild.Plugin {
  const asked = Symbol("asked");
  return {
    name: "quire-packages",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, namespace, pluginData }) => {
        if (kind === "entry-point" || pluginData === asked || namespace !== "file") return undefined;
        if (isBuiltin(path)) return { path: path.startsWith("node:") ? path : `node:${path}`, external: true };
        const found = await build.resolve(path, { kind, importer, resolveDir, namespace, pluginData: asked });
        if (found.errors.length > 0) {
          if (path !== "zod") return undefined;
          hostModules.add("zod");
          return { path, namespace: "quire-host" };
        }
        if (found.external || found.namespace !== "file") return found;
        if (request.inlinePackages || !found.path.split(/[\\/]/).includes("node_modules")) return undefined;
        externals.add(found.path);
        const isRequired = kind === "require-call" || kind === "require-resolve";
        return { path: isRequired ? found.path : pathToFileURL(found.path).href, external: true };
      });
    },
  };
}

/** Reads the plugin's own files, so that the bytes that are hashed are the bytes that are bundled. */
function sourcesPlugin(inputs: Map<string, string>): esbuild.Plugin {
  return {
    name: "quire-sources",
    setup(build) {
      build.onLoad({ filter: /\.([cm]?[jt]sx?|json)$/, namespace: "file" }, async ({ path }) => {
        const bytes = await diskFiles.read(path);
        if (bytes === null) return { errors: [{ text: `There is no file ${path}` }] };
        inputs.set(path, sha256(bytes));
        const source = new TextDecoder().decode(bytes);
        const loader = extname(path).replace(/^\.[cm]?/, "") as esbuild.Loader;
        const contents = loader === "json" ? source : withFileMeta(source, path);
        return { contents, loader, resolveDir: dirname(path) };
      });
    },
  };
}
