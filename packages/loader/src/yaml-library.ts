import { createRequire } from "node:module";

type Yaml = typeof import("yaml");
let library: Yaml | undefined;

/**
 * The YAML library, loaded at the first document that needs it. Loading is synchronous because front matter is parsed
 * synchronously. A bundler to CommonJS sees the plain `require` and keeps the library in the bundle, still lazy; as an
 * ES module there is no `require`, so one is made.
 */
export function yamlLibrary(): Yaml {
  library ??= (typeof require === "function" ? require("yaml") : createRequire(import.meta.url)("yaml")) as Yaml;
  return library;
}
