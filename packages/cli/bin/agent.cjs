#!/usr/bin/env node
"use strict";
// Starts the bundled command with V8's code cache: what was compiled in an earlier run is not compiled again.
// Syntax stays old here, so that an old Node reads far enough to say what is wrong.
const fs = require("fs");
const path = require("path");

const wanted = [20, 19];
const found = process.versions.node.split(".").map(Number);
const folder = path.join(__dirname, "..", "dist", "bundle");

/** Modules of Node that cost at every start and that few starts use. */
const late = new Set(["child_process", "readline", "worker_threads"].flatMap((name) => [name, "node:" + name]));

if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  fail("needs Node " + wanted.join(".") + " or newer and this is " + process.version + ". Install a newer Node");
} else if (process.argv.length === 3 && process.argv[2] === "--version") {
  console.log(require("../package.json").version);
} else {
  start();
}

function start() {
  let build;
  try {
    build = JSON.parse(fs.readFileSync(path.join(folder, "build.json"), "utf8"));
  } catch (error) {
    return fail("is not built: " + folder + " is missing. Run `npm run build` in the project's folder");
  }
  // V8 checks little more of a cached script than its length, so the key holds what the code was made from.
  const key = build.hash.slice(0, 16) + "-" + process.version + "-" + process.arch;
  const cache = path.join(quireHome(), "cache", "code");
  const load = loader(path.join(cache, key), (scripts, kind) => {
    store(cache, key, scripts, kind);
  });
  load.require("./main.cjs").run({
    version: build.version,
    build: build.hash,
    // `import()` inside a cached script fails on Node 20 once the cache is warm; this file is not cached.
    importModule: (url) => import(url),
    /** Names what this run does, so that runs of another kind do not shape its cache. */
    kind: (name) => (load.state.kind = name),
  });
}

/** Loads chunks of the bundle, each with its cache, and everything else as Node does. */
function loader(cache, atExit) {
  const vm = require("vm");
  const outside = require("module").createRequire(path.join(folder, "pack.cjs"));
  const modules = new Map();
  const state = { kind: "other", scripts: [] };

  function load(name) {
    if (late.has(name)) return later(() => outside(name));
    if (!name.startsWith("./")) return outside(name);
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const run = pack[name] || compile(name.slice(2));
    const module = { exports: {} };
    modules.set(name, module);
    run(module.exports, load, module, path.join(folder, name), folder);
    return module.exports;
  }

  /** The value of a script of the bundle. */
  function compile(name) {
    const filename = path.join(folder, name);
    const cached = readCache(name);
    // The bundler writes ASCII only.
    const script = new vm.Script(fs.readFileSync(filename, "latin1"), { filename, cachedData: cached.data });
    state.scripts.push({ name, script, from: script.cachedDataRejected ? "" : cached.from });
    return script.runInThisContext();
  }

  // The cache of a whole turn serves every run; one of a lesser run is taken until there is one of a turn.
  function readCache(name) {
    for (const kind of ["turn", "other"]) {
      try {
        return { data: fs.readFileSync(path.join(cache, name + "." + kind)), from: kind };
      } catch (error) {
        // None yet.
      }
    }
    return { data: undefined, from: "" };
  }

  process.once("exit", () => {
    const missing = state.scripts.filter(({ from }) => from === "" || (state.kind === "turn" && from !== "turn"));
    if (missing.length > 0) atExit(missing, state.kind);
  });
  const pack = compile("pack.cjs");
  return { require: load, state };
}

/** A module that is loaded when something of it is used. */
function later(load) {
  const own = (key) => Object.assign({}, Object.getOwnPropertyDescriptor(load(), key), { configurable: true });
  return new Proxy(
    {},
    {
      get: (_, key) => load()[key],
      has: (_, key) => key in load(),
      ownKeys: () => Reflect.ownKeys(load()),
      getOwnPropertyDescriptor: (_, key) => (key in load() ? own(key) : undefined),
    },
  );
}

/** Keeps the compiled code for the next run, and drops that of other builds. Every error is ignored. */
function store(cache, key, scripts, kind) {
  try {
    fs.mkdirSync(path.join(cache, key), { recursive: true });
    for (const { name, script } of scripts) {
      const file = path.join(cache, key, name + "." + kind);
      const fresh = file + "." + process.pid;
      fs.writeFileSync(fresh, script.createCachedData());
      fs.renameSync(fresh, file);
    }
    dropOld(cache, key);
  } catch (error) {
    // The next run compiles again.
  }
}

/** Code that was compiled more than a month ago, for another build or another Node. */
function dropOld(cache, key) {
  const monthMs = 30 * 24 * 3600 * 1000;
  for (const name of fs.readdirSync(cache)) {
    const folder = path.join(cache, name);
    if (name !== key && Date.now() - fs.statSync(folder).mtimeMs > monthMs) {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
}

function quireHome() {
  if (process.env.QUIRE_HOME) return path.resolve(process.env.QUIRE_HOME);
  return path.join(process.env.HOME || require("os").homedir(), ".quire");
}

function fail(why) {
  process.stderr.write("agent " + why + ".\n");
  process.exitCode = 1;
}
