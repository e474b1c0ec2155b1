import { spawnSync } from "node:child_process";
import { startModelServer, type ModelServer, type Reply } from "@quire/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anthropicEnv, createMachine, openaiEnv, runAgent, type AgentRun, type Machine } from "../support/agent.js";
import { onTerminal } from "../support/terminal.js";

let machine: Machine;
let server: ModelServer;
beforeEach(() => {
  machine = createMachine({ "AGENTS.md": "Be kind.\n", "hello.txt": "Hello.\n" });
});
afterEach(async () => {
  await server.close();
  machine.remove();
});

const sonnet = ["--model", "anthropic/claude-sonnet-4-5"];
/** US dollars for a million tokens of that model. Source: the vendor's price list. */
const price = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 };

function dollars(usage: { input: number; cacheRead: number; cacheWrite: number; output: number }): number {
  const { input, cacheRead, cacheWrite, output } = usage;
  const sum = input * price.input + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite + output * price.output;
  return Math.round(sum) / 1e6;
}

const first = { input: 20, cacheRead: 0, cacheWrite: 5_000, output: 30 };
const second = { input: 10, cacheRead: 5_000, cacheWrite: 200, output: 40 };

function reply(usage: Reply["usage"], more: Partial<Reply> = {}): Reply {
  return { text: "Well.", ...(usage !== undefined && { usage }), ...more };
}

interface TurnOutput {
  readonly session: string;
  readonly usage: unknown;
  readonly cost: { readonly usd: number; readonly unpriced: readonly string[] } | null;
  readonly cache: { readonly expected: number; readonly read: number; readonly missed: readonly object[] } | null;
}

async function ask(args: readonly string[], env = anthropicEnv(server)): Promise<TurnOutput> {
  const run = await runAgent(machine, ["-p", "--output-format", "json", "--permission-mode", "full", ...args], { env });
  expect(run).toMatchObject({ code: 0 });
  return JSON.parse(run.stdout) as TurnOutput;
}

const lines = (run: AgentRun): readonly TurnOutput[] =>
  run.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as TurnOutput & { readonly type: string })
    .filter(({ type }) => type === "turn-end");

test("json output has tokens, price and cache of all requests of a turn", async () => {
  const call = { toolCalls: [{ name: "read", args: { path: "hello.txt" } }] };
  server = await startModelServer({ replies: [reply(first, call), reply(second)] });
  const turn = await ask([...sonnet, "go"]);
  const usage = { input: 30, cacheRead: 5_000, cacheWrite: 5_200, output: 70 };
  expect(turn.usage).toEqual(usage);
  expect(turn.cost).toEqual({ usd: dollars(usage), unpriced: [] });
  expect(turn.cache).toEqual({ expected: 5_000, read: 5_000, missed: [] });
});

test("stream-json tells the bill of each turn at its end", async () => {
  server = await startModelServer({ replies: [reply(first), reply(second)] });
  const words = ["one", "two"].map((text) => `${JSON.stringify({ type: "user", text })}\n`).join("");
  const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", ...sonnet];
  const [one, two] = lines(await runAgent(machine, args, { env: anthropicEnv(server), input: words }));
  expect(one).toMatchObject({ usage: first, cost: { usd: dollars(first) }, cache: { expected: 0 } });
  expect(two).toMatchObject({ usage: second, cost: { usd: dollars(second) }, cache: { expected: 5_000, read: 5_000 } });
});

test("what was not read is explained by the event behind it, over several processes", async () => {
  const cold = { input: 10, cacheRead: 0, cacheWrite: 6_000, output: 5 };
  server = await startModelServer({ replies: [reply(first), reply(cold), reply(cold)] });
  const { session } = await ask([...sonnet, "one"]);
  await runAgent(machine, ["prompt", "rebase", "--continue"], { env: anthropicEnv(server) });
  machine.write("project/AGENTS.md", "Be brief.\n");
  const anew = await ask(["--continue", "two"]);
  expect(anew.cache?.missed).toMatchObject([
    { turn: 2, event: "rebase", tokens: 5_000, usd: (5_000 * (price.cacheWrite - price.cacheRead)) / 1e6 },
  ]);
  const meddler = machine.write(
    "project/meddler.mjs",
    `export default { name: "meddler", apiVersion: 1, setup: (host) => host.hooks.beforeProviderRequest.tap((request) =>
      ({ ...request, tools: request.tools.slice(1) })) };\n`,
  );
  const busted = await ask(["--continue", "--plugin", meddler, "three"]);
  expect(busted.cache?.missed).toMatchObject([{ turn: 3, event: "tools", tokens: 6_000 }]);

  const show = await runAgent(machine, ["session", "show", session, "--json"]);
  const { bill } = JSON.parse(show.stdout) as {
    readonly bill: { readonly turns: readonly object[]; readonly total: object };
  };
  expect(bill.turns).toMatchObject([
    { number: 1, requests: 1, usage: first },
    { number: 2, cache: { missed: [{ event: "rebase" }] } },
    { number: 3, cache: { missed: [{ tokens: 6_000 }] } },
  ]);
  expect(bill.total).toMatchObject({ usage: { cacheWrite: 17_000, output: 40 }, cache: { expected: 11_000, read: 0 } });
  const text = (await runAgent(machine, ["session", "show", session])).stdout;
  expect(text).toMatch(/\n-- turn 1: 0 read, 5,000 written, 20 uncached, 30 out; \$0\.0193\n/);
  expect(text).toMatch(/\n-- turn 2: .*; 5,000 not read from the cache, \$0\.0173: a new prefix was asked for\n/);
  expect(text).toMatch(/\n-- in all: 0 read, 17,000 written, 40 uncached, 40 out; \$\d+\.\d{4}\n$/);
});

test("a tap that changes requests in one process is named by what it broke", async () => {
  server = await startModelServer({ replies: [reply(first), reply({ ...second, cacheRead: 0, cacheWrite: 5_200 })] });
  const meddler = machine.write(
    "project/meddler.mjs",
    `let count = 0;
    export default { name: "meddler", apiVersion: 1, setup: (host) => host.hooks.beforeProviderRequest.tap((request) =>
      count++ === 0 ? undefined : { ...request, tools: request.tools.slice(1) }) };\n`,
  );
  const words = ["one", "two"].map((text) => `${JSON.stringify({ type: "user", text })}\n`).join("");
  const args = [
    "-p",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--plugin",
    meddler,
    ...sonnet,
  ];
  const [, two] = lines(await runAgent(machine, args, { env: anthropicEnv(server), input: words }));
  expect(two?.cache?.missed).toMatchObject([{ event: "cache-bust", plugin: "meddler", tokens: 5_000 }]);
});

test("a model without a known price has no cost, until models.yaml gives it one", async () => {
  server = await startModelServer({ replies: () => reply({ input: 1_000, cacheRead: 0, output: 100 }) });
  const args = ["--model", "openai-chat/gpt-of-ours", "hi"];
  expect((await ask(args, openaiEnv(server))).cost).toBeNull();
  machine.write(
    "home/.quire/models.yaml",
    "models:\n  openai-chat/gpt-of-ours: { usd_per_million: { input: 2, output: 10 } }\n",
  );
  expect((await ask(args, openaiEnv(server))).cost).toEqual({ usd: 0.003, unpriced: [] });
  machine.write("home/.quire/models.yaml", "models: 3\n");
  const run = await runAgent(machine, ["-p", "--output-format", "json", ...args], { env: openaiEnv(server) });
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/\[models-invalid\].*models\.yaml:1/);
});

test("a turn that is not stored has its price all the same, and no account of the cache", async () => {
  server = await startModelServer({ replies: [reply(first)] });
  const turn = await ask([...sonnet, "--no-session", "go"]);
  expect(turn).toMatchObject({ cost: { usd: dollars(first) }, cache: null });
});

test("a command of the host costs nothing", async () => {
  server = await startModelServer({ replies: [] });
  expect(await ask([...sonnet, "/plugins"])).toMatchObject({ cost: null, cache: null });
});

const hasScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;

test.skipIf(!hasScript)("a terminal shows one line after a turn, and text output shows none", async () => {
  server = await startModelServer({ replies: [reply(first), reply(first)] });
  const plain = await runAgent(machine, ["-p", ...sonnet, "go"], { env: anthropicEnv(server) });
  expect(plain).toMatchObject({ stdout: "Well.\n", stderr: "" });

  const screen = await onTerminal(machine, [...sonnet, "go"], anthropicEnv(server), /out; \$/);
  expect(screen).toMatch(/Well\.\s+0 read, 5,000 written, 20 uncached, 30 out; \$0\.0193\s/);
});
