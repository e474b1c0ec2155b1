import { pathToFileURL } from "node:url";

/**
 * esbuild puts many files into one, whose `import.meta` is not theirs. These names stand in; each file that needs one
 * declares it at its top, and esbuild keeps the declarations of different files apart.
 */
export const metaDefines: Readonly<Record<string, string>> = {
  "import.meta": "__quire_meta",
  __filename: "__quire_meta.filename",
  __dirname: "__quire_meta.dirname",
  "require.resolve": "__quire_meta.require.resolve",
};

/** Adds to a file's first line what `metaDefines` refers to; line numbers stay. */
export function withFileMeta(source: string, file: string): string {
  if (!/\bimport\.meta\b|\b__filename\b|\b__dirname\b|\brequire\.resolve\b/.test(source)) return source;
  const url = JSON.stringify(pathToFileURL(file).href);
  const declaration = `const __quire_meta = globalThis[Symbol.for("quire.host")].meta(${url}); `;
  const start = source.startsWith("#!") ? source.indexOf("\n") + 1 : 0;
  return source.slice(0, start) + declaration + source.slice(start);
}
