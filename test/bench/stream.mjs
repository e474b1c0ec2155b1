import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startStreamServer } from "./stream-server.mjs";

const events = 20_000;
const eventBytes = 100;
/** What a stream may cost, in streams of the bare SDK. */
const mostTimes = 2;

const here = fileURLToPath(new URL(".", import.meta.url));
const agent = join(here, "../../packages/cli/bin/agent.cjs");

const apis = [
  { api: "anthropic-messages", model: "anthropic/m" },
  { api: "openai-chat", model: "openai-chat/m" },
  { api: "openai-responses", model: "openai/m" },
];

/**
 * CPU of a streamed answer of 2 MB in 20,000 events: of the command, and of the vendor's bare SDK that prints it. What a
 * start costs, measured by a short answer, is taken off. Runs are interleaved.
 * @param {number} runs
 */
export async function measureStream(runs) {
  const server = await startStreamServer({ events, eventBytes });
  const folder = await mkdtemp(join(tmpdir(), "bench-stream-"));
  const rows = apis.map((each) => ({ ...each, bare: [], agent: [], bareStart: [], agentStart: [] }));
  try {
    // The first runs fill caches.
    for (let run = -1; run < runs; run++) {
      for (const row of rows) {
        const found = {};
        for (const [name, isShort] of [
          ["bareStart", true],
          ["agentStart", true],
          ["bare", false],
          ["agent", false],
        ]) {
          const url = isShort ? `${server.url}/short` : server.url;
          found[name] = await cpuOf(name.startsWith("bare"), row, url, folder, isShort ? 1 : events);
        }
        if (run < 0) continue;
        for (const [name, ms] of Object.entries(found)) row[name].push(ms);
      }
    }
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  return rows.map(({ api, bare, agent: ours, bareStart, agentStart }) => {
    const [bareMs, agentMs] = [lower(bare) - lower(bareStart), lower(ours) - lower(agentStart)];
    const whole = { bareMs: lower(bare), agentMs: lower(ours), ratio: lower(ours) / lower(bare) };
    return { api, bareMs, agentMs, ratio: agentMs / bareMs, whole };
  });
}

/** Milliseconds of user and system time of one program to its end. */
async function cpuOf(isBare, { api, model }, url, folder, lines) {
  const file = join(folder, "cpu");
  const args = isBare ? [join(here, "bare-sdk.mjs"), api, url] : [agent, "-p", "--model", model, "hi"];
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    QUIRE_HOME: join(folder, ".quire"),
    ANTHROPIC_API_KEY: "k",
    OPENAI_API_KEY: "k",
    ANTHROPIC_BASE_URL: url,
    OPENAI_BASE_URL: `${url}/v1`,
    NODE_OPTIONS: `--require=${join(here, "cpu.cjs")}`,
    BENCH_CPU_FILE: file,
  };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let bytes = 0;
  let errors = "";
  child.stdout.on("data", (chunk) => (bytes += chunk.length));
  child.stderr.on("data", (chunk) => (errors += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0 || bytes < lines * eventBytes) throw new Error(`${args.join(" ")} printed ${bytes} bytes: ${errors}`);
  return Number(await readFile(file, "utf8")) / 1000;
}

/** The lower quartile: what a busy machine adds is no part of the cost. */
function lower(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 4)];
}

/** Prints the table; the exit code is 1 when a stream costs more than twice the bare SDK. */
export async function printStream(runs, isJson) {
  const rows = await measureStream(runs);
  if (isJson)
    console.log(JSON.stringify({ node: process.version, date: new Date().toISOString(), runs, rows }, null, 2));
  else {
    console.log(
      `CPU of a streamed answer, 2 MB in ${events} events, ms; ${runs} interleaved runs, node ${process.version}`,
    );
    console.log(`${"".padEnd(22)}bare SDK   agent   ratio    with their starts   ratio`);
    for (const { api, bareMs, agentMs, ratio, whole } of rows) {
      const own = `${fixed(bareMs, 8)}${fixed(agentMs, 8)}${fixed(ratio, 8, 2)}`;
      const all = `${fixed(whole.bareMs, 10)}${fixed(whole.agentMs, 10)}${fixed(whole.ratio, 9, 2)}`;
      console.log(`${api.padEnd(22)}${own}${all}`);
    }
  }
  return rows.every(({ ratio }) => ratio <= mostTimes) ? 0 : 1;
}

function fixed(number, width, digits = 0) {
  return number.toFixed(digits).padStart(width);
}
