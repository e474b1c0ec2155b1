import { createRequire } from "node:module";
import { dirname, isAbsolute } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as core from "@quire/core";
import { sha256 } from "@quire/core/host";

/** Packages of which every plugin gets the host's own copy: core always, zod where the plugin has none. */
export type HostModule = "@quire/core" | "zod";

/** What a bundled file asks for in place of its own `import.meta`. */
interface FileMeta {
  readonly url: string;
  readonly filename: string;
  readonly dirname: string;
  readonly require: NodeJS.Require;
  resolve(specifier: string): string;
}

const key = Symbol.for("quire.host");
const modules = new Map<HostModule, object>([["@quire/core", core]]);

/** Puts the host where bundled plugins look for it. */
export function offerHostModules(): void {
  Object.defineProperty(globalThis, key, {
    value: Object.freeze({ module: (name: HostModule) => modules.get(name), meta: metaOf }),
    configurable: true,
  });
}

/** The module's exports; zod is loaded when the first plugin needs it. */
export async function hostModule(name: HostModule): Promise<object> {
  const loaded = modules.get(name) ?? (await import("zod"));
  modules.set(name, loaded);
  return loaded;
}

/** The source of a module that hands on the host's copy. Its export list is fixed here, hence part of every cache key. */
export async function hostModuleSource(name: HostModule): Promise<string> {
  const names = Object.keys(await hostModule(name));
  return [
    `const host = globalThis[Symbol.for("quire.host")].module(${JSON.stringify(name)});`,
    ...names.map((each, index) => `const e${index} = host[${JSON.stringify(each)}];`),
    `export { ${names.map((each, index) => `e${index} as ${JSON.stringify(each)}`).join(", ")} };`,
  ].join("\n");
}

/** Changes when a bundle made for another host would not fit this one. */
export function hostKey(version: string): string {
  return sha256(JSON.stringify([version, Object.keys(core).sort(), process.versions.node.split(".")[0]]));
}

function metaOf(url: string): FileMeta {
  const filename = fileURLToPath(url);
  const require = createRequire(url);
  return {
    url,
    filename,
    dirname: dirname(filename),
    require,
    resolve: (specifier) => {
      if (/^\.{0,2}\//.test(specifier)) return new URL(specifier, url).href;
      const path = require.resolve(specifier);
      return isAbsolute(path) ? pathToFileURL(path).href : path;
    },
  };
}
