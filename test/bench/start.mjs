import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "./loopback-server.mjs";

const agent = fileURLToPath(new URL("../../packages/cli/bin/agent.cjs", import.meta.url));
const poster = fileURLToPath(new URL("poster.cjs", import.meta.url));

/**
 * @param {number} runs
 * @returns Rows of milliseconds; ratios are to the bare poster of the same run.
 */
export async function measureStart(runs) {
  const folder = await mkdtemp(join(tmpdir(), "quire-bench-"));
  const server = await startServer();
  const keys = {
    ANTHROPIC_API_KEY: "bench",
    ANTHROPIC_BASE_URL: server.url,
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${server.url}/v1`,
  };
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    QUIRE_HOME: join(folder, "quire"),
    // Node 20 parses that file at every start, which would measure the file.
    NODE_EXTRA_CA_CERTS: "",
  };
  const ask = (model) => [agent, "-p", "--model", model, "hi"];
  const subjects = [
    { name: "bare poster (CommonJS, node:http)", args: [poster, server.url], env, wire: true },
    { name: "agent -p, anthropic", args: ask("anthropic"), env: { ...env, ...keys }, wire: true },
    { name: "agent -p, openai-chat", args: ask("openai-chat"), env: { ...env, ...keys }, wire: true },
    { name: "agent -p, rehearsal (to its text)", args: ask("rehearsal"), env, wire: false },
  ].map((subject) => ({ ...subject, times: [] }));
  try {
    // The first start of each fills the code cache.
    for (const subject of subjects) await startOnce(subject, folder, server);
    for (let run = 0; run < runs; run++) {
      for (const subject of subjects) subject.times.push(await startOnce(subject, folder, server));
    }
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  const [bare] = subjects;
  return subjects.map((subject) => ({
    name: subject.name,
    min: Math.min(...subject.times),
    median: median(subject.times),
    ratioMin: subject === bare ? null : Math.min(...subject.times) / Math.min(...bare.times),
    ratioMedian: subject === bare ? null : median(subject.times) / median(bare.times),
  }));
}

/** Milliseconds from spawn to the whole request (`wire`), or to the first byte on standard output. */
async function startOnce({ name, args, env, wire }, cwd, server) {
  const arrival = wire ? server.nextRequest() : undefined;
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  let firstByte;
  child.stdout.on("data", () => (firstByte ??= performance.now()));
  child.stderr.on("data", (chunk) => (errors += chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${errors}`);
  const at = wire ? await arrival : firstByte;
  if (at === undefined) throw new Error(`${name} printed nothing`);
  return at - started;
}

function median(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
