/**
 * Builds the command into packages/cli/dist/bundle: a CommonJS entry and lazy CommonJS chunks, ready for the launcher
 * in packages/cli/bin/agent.cjs.
 *
 * Two passes of esbuild. The first bundles the sources as ES modules with code splitting: every `import()` becomes a
 * chunk, and what two chunks share gets a chunk of its own, so each module, and each class in it, exists once. The
 * second turns each file into CommonJS, where `import()` is a deferred `require`.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, transform } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Stands for `import.meta.url` where a module asks for it. */
const metaUrl = "__importMetaUrl";

/**
 * @param {{ entry: string, outdir: string, version: string, external?: string[], apart?: string[] }} options
 *   Absolute paths. `external` packages are left to Node. A package in `apart` that is loaded late by `require()` or
 *   `import()` becomes a file of its own, whole, so that what is imported early keeps only what it uses.
 * @returns {Promise<{ hash: string, files: { name: string, bytes: number }[] }>}
 */
export async function bundle({ entry, outdir, version, external = [], apart = [] }) {
  const shared = { outdir, external };
  const results = await Promise.all([
    bundleModules({ ...shared, entryPoints: { main: entry }, plugins: [setApart(apart), jitlessZod()] }),
    ...apart.map((name) => bundleModules({ ...shared, entryPoints: { [name]: name }, plugins: [] })),
  ]);
  const hash = createHash("sha256").update(version);
  const files = [];
  const outputs = results.flatMap(({ outputFiles }) => outputFiles);
  for (const output of outputs.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = relative(outdir, output.path);
    const text = await toCommonJs(output.text, name);
    hash.update(name).update("\0").update(text).update("\0");
    files.push({ name, text });
  }
  const stamp = { hash: hash.digest("hex"), version };
  await replaceFolder(outdir, [...files, { name: "build.json", text: `${JSON.stringify(stamp)}\n` }]);
  return {
    hash: stamp.hash,
    files: files.map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text) })),
  };
}

function bundleModules(options) {
  return build({
    absWorkingDir: root,
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["quire-source"],
    mainFields: ["module", "main"],
    outExtension: { ".js": ".cjs" },
    chunkNames: "[name]-[hash]",
    loader: { ".md": "text" },
    define: { "import.meta.url": metaUrl },
    treeShaking: true,
    logLevel: "warning",
    ...options,
  });
}

async function toCommonJs(code, name) {
  const { code: text } = await transform(code, {
    sourcefile: name,
    format: "cjs",
    platform: "node",
    target: "node20",
    supported: { "dynamic-import": false },
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    banner: code.includes(metaUrl) ? `const ${metaUrl} = require("node:url").pathToFileURL(__filename).href;` : "",
    logLevel: "warning",
  });
  return text;
}

function setApart(names) {
  return {
    name: "set-apart",
    setup(builder) {
      builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        const isLate = kind === "require-call" || kind === "dynamic-import";
        return isLate && names.includes(path) ? { path: `./${path}.cjs`, external: true } : undefined;
      });
    },
  };
}

/**
 * Zod compiles object parsers with `new Function` unless told otherwise, which costs more than it saves in a program
 * that parses a handful of objects. It must be told before the first schema is made, hence at the import itself.
 */
function jitlessZod() {
  return {
    name: "jitless-zod",
    setup(builder) {
      builder.onResolve({ filter: /^zod$/ }, async ({ pluginData, resolveDir, kind, importer }) => {
        if (pluginData === "real") return undefined;
        const real = await builder.resolve("zod", { resolveDir, kind, importer, pluginData: "real" });
        if (real.errors.length > 0) return real;
        return { path: real.path, namespace: "jitless-zod", sideEffects: true };
      });
      builder.onLoad({ filter: /.*/, namespace: "jitless-zod" }, ({ path }) => ({
        contents: [
          `import { config } from ${JSON.stringify(path)};`,
          "config({ jitless: true });",
          `export * from ${JSON.stringify(path)};`,
        ].join("\n"),
        resolveDir: root,
      }));
    },
  };
}

/** Writes beside the old folder and swaps, so that a running command never meets half a build. */
async function replaceFolder(folder, files) {
  const fresh = `${folder}.${process.pid}.new`;
  const old = `${folder}.${process.pid}.old`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  for (const { name, text } of files) await writeFile(join(fresh, name), text);
  await rename(folder, old).catch((error) => {
    if (error.code !== "ENOENT") throw error;
  });
  await rename(fresh, folder);
  await rm(old, { recursive: true, force: true });
}

async function main() {
  const cli = join(root, "packages/cli");
  const { version } = JSON.parse(await readFile(join(cli, "package.json"), "utf8"));
  const started = performance.now();
  const { files, hash } = await bundle({
    entry: join(cli, "src/main.ts"),
    outdir: join(cli, "dist/bundle"),
    version,
    external: ["esbuild", "jiti"],
    apart: ["yaml", "zod"],
  });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const took = Math.round(performance.now() - started);
  console.log(`bundle ${hash.slice(0, 12)}: ${files.length} files, ${Math.round(bytes / 1024)} KiB, ${took} ms`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
