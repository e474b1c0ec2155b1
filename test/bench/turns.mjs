import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = join(here, "../..");

/**
 * What the host adds to a request, against the vendor's SDK alone in the same process, sending the same body: CPU time of
 * the whole process, so that nothing hides in a worker or a later tick. Samples of both are interleaved.
 * @param {number} turns The long session's length.
 */
export async function measureTurns(turns) {
  const { Anthropic, OpenAI, openBench } = await hostModule();
  const server = await startServerProcess();
  const root = await mkdtemp(join(tmpdir(), "quire-bench-"));
  const keys = {
    ANTHROPIC_API_KEY: "bench",
    ANTHROPIC_BASE_URL: server.url,
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${server.url}/v1`,
  };
  // Providers read keys where they are, never from what they are handed.
  Object.assign(process.env, keys);
  const environment = { PATH: process.env.PATH, ...keys };
  const vendors = [
    {
      name: "anthropic",
      model: "anthropic/claude-sonnet-5-5",
      async bare(body) {
        const client = new Anthropic({ apiKey: "bench", baseURL: server.url, maxRetries: 0 });
        for await (const event of await client.messages.create(body)) void event;
      },
    },
    {
      name: "openai-chat",
      model: "openai-chat/gpt-5",
      async bare(body) {
        const client = new OpenAI({ apiKey: "bench", baseURL: `${server.url}/v1`, maxRetries: 0 });
        for await (const event of await client.chat.completions.create(body)) void event;
      },
    },
  ];
  try {
    await mkdir(join(root, "project/.git"), { recursive: true });
    await mkdir(join(root, "home"));
    await writeFile(join(root, "project/AGENTS.md"), "Mind the gap.\n".repeat(200));
    const rows = [];
    for (const vendor of vendors) rows.push(...(await measureVendor(vendor, { openBench, root, environment, turns })));
    return { rows, assembly: await measureAssembly({ openBench, root, environment }) };
  } finally {
    server.close();
    await rm(root, { recursive: true, force: true });
  }
}

async function measureVendor({ name, model, bare }, { openBench, root, environment, turns }) {
  // Both as warm as they get: short sessions, so that histories stay short.
  for (let session = 0; session < 10; session++) {
    const warm = await openBench({ root, environment, model });
    for (let turn = 1; turn <= 30; turn++) {
      await warm.turn(words(turn));
      await bare(await warm.wireBody(words(turn)));
    }
    await warm.host.dispose();
  }
  const bench = await openBench({ root, environment, model });
  const rows = [];
  let turn = 0;
  for (const at of [10, turns]) {
    // Around that turn.
    while (turn < at - samples / 2) await bench.turn(words(++turn));
    const [host, sdk, log] = [[], [], []];
    let bytes = 0;
    for (let sample = 0; sample < samples; sample++) {
      turn += 1;
      const body = await bench.wireBody(words(turn));
      bytes = Buffer.byteLength(JSON.stringify(body));
      const logBefore = await bench.logBytes();
      sdk.push(await cpuMs(() => bare(body)));
      host.push(await cpuMs(() => bench.turn(words(turn))));
      log.push((await bench.logBytes()) - logBefore);
    }
    const [hostMs, bareMs] = [quartile(host), quartile(sdk)];
    rows.push({
      vendor: name,
      turn: at,
      requestBytes: bytes,
      hostMs,
      bareMs,
      ratio: hostMs / bareMs,
      logBytes: median(log),
    });
  }
  await bench.host.dispose();
  return rows;
}

/**
 * A warm prompt from plan to request: 40 sections in all, with the built-in ones and their files on the disk, or without
 * any plugin but the layout's.
 */
async function measureAssembly({ openBench, root, environment }) {
  const rows = [];
  for (const { name, isBare, sections } of [
    { name: "texts alone", isBare: true, sections: 37 },
    { name: "with built-ins and files", isBare: false, sections: 34 },
  ]) {
    const bench = await openBench({ root, environment, model: "anthropic/claude-sonnet-5-5", sections, isBare });
    await bench.turn(words(1));
    let prompt;
    const [assemble, stringify] = [[], []];
    for (let round = 0; round < 600; round++) {
      const before = performance.now();
      prompt = await bench.session.prompt({ message: words(2) });
      const between = performance.now();
      JSON.stringify(prompt.request);
      assemble.push(between - before);
      stringify.push(performance.now() - between);
    }
    await bench.host.dispose();
    const [assembleMs, stringifyMs] = [quartile(assemble.slice(200)), quartile(stringify.slice(200))];
    const requestBytes = Buffer.byteLength(JSON.stringify(prompt.request));
    const ratio = assembleMs / stringifyMs;
    rows.push({ name, sections: prompt.sections.length, requestBytes, assembleMs, stringifyMs, ratio });
  }
  return rows;
}

const samples = 15;

function words(turn) {
  return `This is turn ${String(turn).padStart(5, "0")}. ${"Go on with what you were doing, and say what comes next. ".repeat(6)}`;
}

/** CPU time of this process, all its threads, while `run` runs. */
async function cpuMs(run) {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The lower quartile: what takes longer was held up by other programs. */
function quartile(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)];
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** The host's sources as one module; packages stay where they are. */
async function hostModule() {
  const outfile = join(repository, "node_modules/.cache/quire-bench/turns-host.mjs");
  await build({
    entryPoints: [join(here, "turns-host.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["quire-source"],
    external: ["@anthropic-ai/sdk", "openai", "esbuild", "jiti", "yaml", "zod", "tapable"],
    loader: { ".md": "text" },
    logLevel: "warning",
  });
  return await import(pathToFileURL(outfile).href);
}

async function startServerProcess() {
  const child = spawn(process.execPath, [join(here, "turns-server.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve) => lines.once("line", resolve));
  return { url, close: () => child.stdin.end() };
}
