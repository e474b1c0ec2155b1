/**
 * Tries plugins/provider-claude-cli with the real Claude CLI: `npm run test:claude`. The program is installed into a
 * temporary folder, in the last version that is plain JavaScript; it is no dependency. Its model is the scripted server
 * on loopback, its login is made up, and a proxy on loopback catches whatever it would send elsewhere.
 *
 *   QUIRE_CLAUDE=/path/to/claude npm run test:claude      tries that program instead
 *
 * Prints what was seen, as docs/claude-cli.md shows it, and exits with 1 when something is not as it should be.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startModelServer } from "@quire/testkit";

const pinned = "2.1.112";
const model = "claude-cli/claude-sonnet-4-5";
const login = "sk-ant-oat01-made-up";
const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

/** Hands the program's output on and keeps it. The program is no member of its group: so it may go on to its own end. */
const recorder = `
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
const [log, file, ...args] = process.argv.slice(2);
process.on("SIGTERM", () => undefined);
process.stdout.on("error", () => undefined);
const child = spawn(file, args, { stdio: ["inherit", "pipe", "inherit"], detached: true });
appendFileSync(log + ".pids", child.pid + "\\n");
child.stdout.on("data", (chunk) => {
  appendFileSync(log, chunk);
  process.stdout.write(chunk);
});
child.on("exit", (code) => process.exit(code ?? 1));
`;

const folder = await mkdtemp(join(tmpdir(), "quire-test-claude-"));
const started = [];
try {
  await tryProgram();
} finally {
  for (const pid of [...started, ...(await programPids())]) endGroup(pid);
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

async function tryProgram() {
  const program = await findProgram();
  const { stdout: version } = await run(program[0], [...program.slice(1), "--version"], { env: plainEnv() });
  const proxy = await startProxy();
  const at = await makePlace(program);
  const seen = [];
  try {
    for (const part of [aTurn, aLongRequest, aRefusal, aStop, aKill]) seen.push(...(await part(at, proxy)));
    assert.deepEqual(proxy.asked, []);
    seen.push("Nothing was sent anywhere but to the scripted server.");
  } finally {
    proxy.close();
  }
  const day = new Date().toISOString().slice(0, 10);
  console.log([`### ${version.trim()}, Node ${process.versions.node}, ${day}`, "", ...seen.map(item)].join("\n"));
}

/** A turn with two tool calls: two requests, the calls run by the host. */
async function aTurn(at, proxy) {
  const calls = ["a.txt", "b.txt"].map((path) => ({ name: "mcp__quire__read", args: { path } }));
  const server = await startModelServer({ replies: [{ text: "Both.", toolCalls: calls }, { text: "All read." }] });
  try {
    const env = envOf(at, server, proxy);
    const { text: prompt } = JSON.parse((await agent(["prompt", "--json", "--model", model], at, env)).stdout);
    const { stdout } = await agent(["-p", "Read both files.", "--model", model], at, env);
    assert.match(stdout, /All read\.\s*$/);
    const [first, second, ...more] = server.requests;
    assert.deepEqual([first?.fault, second?.fault, more.length], [undefined, undefined, 0]);
    assert.equal(first.headers["authorization"], `Bearer ${login}`);
    assert.equal(first.headers["x-api-key"], undefined);

    const [ours, ...others] = first.body.system.map(({ text }) => text).reverse();
    assert.equal(ours, prompt);
    assert.deepEqual(second.body.system.at(-1).text, prompt);
    const names = first.body.tools.map(({ name }) => name);
    assert.ok(names.length > 3 && names.every((name) => name.startsWith("mcp__quire__")), names.join());
    assert.ok(!JSON.stringify(first.body.messages).includes("system-reminder"));
    const results = second.body.messages.at(-1).content.filter(({ type }) => type === "tool_result");
    assert.equal(results.length, 2);
    assert.match(JSON.stringify(results[0]), /apple tree/);
    assert.match(JSON.stringify(results[1]), /bread oven/);

    const lines = (await readFile(at.log, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const init = lines.find(({ subtype }) => subtype === "init");
    assert.deepEqual(init.tools.toSorted(), names.toSorted());
    const own = lines.filter(({ type }) => type === "user").flatMap(({ message }) => message.content);
    assert.deepEqual(
      own.map(({ type, is_error }) => [type, is_error]),
      [
        ["tool_result", true],
        ["tool_result", true],
      ],
    );
    assert.ok(lines.some(({ subtype }) => subtype === "error_max_turns"));
    assert.deepEqual(await leftovers(at), []);
    return [
      `System text: our ${Buffer.byteLength(prompt)} bytes, exact, in one block. Before it the program puts: ` +
        others
          .toReversed()
          .map((text) => `“${text}”`)
          .join(", "),
      `Tools declared: ${names.length}, all ours, none of the program's; its own list names the same ones`,
      "Two calls in one answer: both run by the host, both results in the second request. Left to itself, the program " +
        `refuses them (“${own[0].content}”) and ends after its one turn`,
      "The conversation arrives block for block, without any text of the program",
      "The made-up login was used; the keys in the environment were not",
      "No file is left",
    ];
  } finally {
    await server.close();
  }
}

/** A body that no environment variable can hold. */
async function aLongRequest(at, proxy) {
  const server = await startModelServer({ replies: ["Long."] });
  try {
    const words = "word ".repeat(80_000);
    await agent(["-p", "Count the words.", "--model", model], at, envOf(at, server, proxy), words);
    const sent = JSON.stringify(server.requests[0]?.body.messages);
    assert.deepEqual([server.requests.length, server.requests[0]?.fault], [1, undefined]);
    assert.ok(sent.includes(words.trim()));
    assert.deepEqual(await leftovers(at), []);
    return [
      `A conversation of ${Math.round(sent.length / 1024)} KiB arrives whole, by the settings file; no file is left`,
    ];
  } finally {
    await server.close();
  }
}

/** A login that the vendor does not take: said once, with what to do. */
async function aRefusal(at, proxy) {
  const server = await startModelServer({ replies: () => ({ fault: { kind: "status", status: 401 } }) });
  try {
    const failed = await agent(["-p", "Hi.", "--model", model], at, envOf(at, server, proxy)).catch((error) => error);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /claude-cli-login/);
    assert.ok(!`${failed.stderr}${failed.stdout}`.includes(login));
    // Newer programs look for a fresher login and ask once more.
    assert.ok(server.requests.length <= 2);
    assert.deepEqual(await leftovers(at), []);
    const [message] = /\[claude-cli-login\].*?401/.exec(failed.stderr) ?? [];
    return [
      `A login that is refused: exit code 1 after ${server.requests.length} request(s), “${message} …” and the way to ` +
        "log in; the login is not shown, no file is left",
    ];
  } finally {
    await server.close();
  }
}

/** Ctrl-C while the answer comes. */
async function aStop(at, proxy) {
  const server = await startModelServer({
    replies: [{ text: "Long ago", chunk: 2, fault: { kind: "stall", afterEvents: 3 } }],
  });
  try {
    const child = startAgent(at, envOf(at, server, proxy));
    await until(() => server.requests.length > 0);
    child.kill("SIGINT");
    const code = await new Promise((resolve) => child.once("exit", resolve));
    assert.equal(code, 130);
    assert.deepEqual(await leftovers(at), []);
    return ["Ctrl-C in the middle: exit code 130, no file is left"];
  } finally {
    await server.close();
  }
}

/** kill -9 while the answer comes, then another start. */
async function aKill(at, proxy) {
  const server = await startModelServer({
    replies: [{ text: "Long ago", chunk: 2, fault: { kind: "stall", afterEvents: 3 } }],
  });
  const env = envOf(at, server, proxy);
  try {
    const child = startAgent(at, env);
    await until(() => server.requests.length > 0);
    const [left] = await leftovers(at);
    assert.ok(left !== undefined);
    const modes = await Promise.all(
      ["", "system.txt"].map(async (name) => (await stat(join(left, name))).mode & 0o777),
    );
    assert.deepEqual(modes, [0o700, 0o600]);
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    assert.deepEqual(await leftovers(at), [left]);
  } finally {
    await server.close();
  }
  const pids = await programPids();
  await until(() => pids.every((pid) => !isAlive(pid)));
  await agent(["-p", "hi", "--model", "rehearsal"], at, env);
  assert.deepEqual(await leftovers(at), []);
  return [
    "kill -9 in the middle: the file (0600, in a folder 0700) is left, and gone after the next start; the program ends " +
      "by itself when its answer does",
  ];
}

async function findProgram() {
  const given = process.env["QUIRE_CLAUDE"];
  if (given !== undefined && given !== "") return [given];
  const target = join(folder, "program");
  await mkdir(target);
  await writeFile(join(target, "package.json"), "{}");
  const flags = ["--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...flags, `@anthropic-ai/claude-code@${pinned}`], { cwd: target });
  return [process.execPath, join(target, "node_modules/@anthropic-ai/claude-code/cli.js")];
}

async function makePlace(program) {
  const at = Object.fromEntries(["home", "quire", "tmp", "project"].map((name) => [name, join(folder, name)]));
  for (const path of Object.values(at)) await mkdir(path);
  await mkdir(join(at.project, ".git"));
  await writeFile(join(at.project, "a.txt"), "an apple tree\n");
  await writeFile(join(at.project, "b.txt"), "a bread oven\n");
  await writeFile(join(folder, "recorder.mjs"), recorder);
  const log = join(folder, "program.jsonl");
  const config = { claude_cli: { command: process.execPath, args: [join(folder, "recorder.mjs"), log, ...program] } };
  await writeFile(join(at.quire, "config.yaml"), JSON.stringify(config));
  return { ...at, log };
}

function envOf(at, server, proxy) {
  return {
    ...plainEnv(),
    HOME: at.home,
    QUIRE_HOME: at.quire,
    TMPDIR: at.tmp,
    ANTHROPIC_BASE_URL: server.anthropicUrl,
    CLAUDE_CODE_OAUTH_TOKEN: login,
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
    NO_PROXY: "127.0.0.1",
    // Must not be used: with a key the program would bill the key.
    ANTHROPIC_API_KEY: "sk-ant-not-for-this",
    OPENAI_API_KEY: "sk-not-for-this",
  };
}

function plainEnv() {
  return { PATH: process.env["PATH"], HOME: folder, LANG: "C.UTF-8" };
}

function agent(args, at, env, piped = "") {
  const command = [join(root, "packages/cli/bin/agent.cjs"), ...args];
  const running = run(process.execPath, command, { cwd: at.project, env, timeout: 120_000 });
  running.child.stdin.end(piped);
  return running;
}

function startAgent(at, env) {
  const args = [join(root, "packages/cli/bin/agent.cjs"), "-p", "Tell a story.", "--model", model];
  const child = spawn(process.execPath, args, { cwd: at.project, env, stdio: "ignore", detached: true });
  started.push(child.pid);
  return child;
}

/** Every program that was started so far. */
async function programPids() {
  const text = await readFile(join(folder, "program.jsonl.pids"), "utf8").catch(() => "");
  return text.split("\n").filter(Boolean).map(Number);
}

async function leftovers(at) {
  const names = await readdir(at.tmp);
  return names.filter((name) => name.startsWith("quire-claude-cli-")).map((name) => join(at.tmp, name));
}

/** Refuses everything and remembers what it was asked for. */
async function startProxy() {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, asked, close: () => server.close() };
}

async function until(isTrue) {
  for (let tries = 0; tries < 300; tries += 1) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("what was waited for did not happen within 30 s");
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function endGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

function item(text) {
  return `- ${text}.`.replace(/\.\.$/, ".");
}
