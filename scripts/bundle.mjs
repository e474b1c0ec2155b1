/**
 * Builds the command into packages/cli/dist/bundle: a CommonJS entry and lazy CommonJS chunks, ready for the launcher
 * in packages/cli/bin/agent.cjs.
 *
 * Two passes of esbuild. The first bundles the sources as ES modules with code splitting: every `import()` becomes a
 * chunk, and what two chunks share gets a chunk of its own, so each module, and each class in it, exists once. The
 * second turns each chunk into CommonJS, where `import()` is a deferred `require`.
 *
 * What is written are scripts: a file is one function that the launcher calls with `require` and the like, and
 * `pack.cjs` is an object of such functions, by chunk: all that an ordinary start loads, read and compiled as one.
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
 * @param {{
 *   entry: string, outdir: string, version: string, external?: string[], apart?: string[],
 *   early?: (source: string) => boolean,
 * }} options Absolute paths. `external` packages are left to Node. A package in `apart` that is loaded late by
 *   `require()` or `import()` becomes a file of its own, whole, so that what is imported early keeps only what it uses.
 *   `early` tells which late imports an ordinary start needs, by the path of the imported file.
 * @returns {Promise<{ hash: string, files: { name: string, bytes: number }[] }>}
 */
export async function bundle({ entry, outdir, version, external = [], apart = [], early = () => false }) {
  const shared = { outdir, external };
  const results = await Promise.all([
    bundleModules({ ...shared, entryPoints: { main: entry }, plugins: [setApart(apart), jitlessZod()] }),
    // Whole packages, some of them CommonJS, whose names a module built from them would lose.
    ...apart.map((name) =>
      bundleModules({ ...shared, entryPoints: { [name]: name }, splitting: false, format: "cjs" }),
    ),
  ]);
  const chunks = await Promise.all(
    results.flatMap(({ outputFiles }) =>
      outputFiles.map(async ({ path, text }) => {
        const name = relative(outdir, path);
        return {
          path,
          name,
          text: `function(exports,require,module,__filename,__dirname){${await toCommonJs(text, name)}\n}`,
        };
      }),
    ),
  );
  const packed = reached(results[0].metafile.outputs, join(outdir, "main.cjs"), early);
  const pack = chunks
    .filter(({ path }) => packed.has(path))
    .map(({ name, text }) => `${JSON.stringify(`./${name}`)}:${text}`);
  const files = [
    ...chunks.filter(({ path }) => !packed.has(path)).map(({ name, text }) => ({ name, text: `(${text})` })),
    { name: "pack.cjs", text: `({${pack.join(",")}})` },
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const hash = createHash("sha256").update(version);
  for (const { name, text } of files) hash.update(`${name}\0${text}\0`);
  const stamp = { hash: hash.digest("hex"), version };
  await replaceFolder(outdir, [...files, { name: "build.json", text: `${JSON.stringify(stamp)}\n` }]);
  return {
    hash: stamp.hash,
    files: files.map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text) })),
  };
}

/** The chunks that a start from `main` loads: what is imported at once, and of the late imports the early ones. */
function reached(outputs, main, early) {
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const output = outputs[relative(root, path)];
    for (const { path: next, kind, external } of output.imports) {
      const file = join(root, next);
      const source = outputs[next]?.entryPoint;
      if (external || outputs[next] === undefined) continue;
      if (kind === "import-statement" || (source !== undefined && early(source))) visit(file);
    }
  };
  visit(main);
  return seen;
}

function bundleModules(options) {
  return build({
    absWorkingDir: root,
    write: false,
    metafile: true,
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

/** See `apart`. */
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
    early: (source) =>
      (/^plugins\/[^/]+\/index\.ts$/.test(source) && !source.startsWith("plugins/preset-")) ||
      // What every turn asks for, late or not.
      source === "packages/loader/src/models/read-models.ts",
  });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const took = Math.round(performance.now() - started);
  console.log(`bundle ${hash.slice(0, 12)}: ${files.length} files, ${Math.round(bytes / 1024)} KiB, ${took} ms`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
