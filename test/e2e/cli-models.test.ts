import { afterEach, beforeEach, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "@quire/testkit";
import { anthropicEnv, createMachine, openaiEnv, runAgent, type Machine } from "../support/agent.js";
import { onTerminal } from "../support/terminal.js";

let machine: Machine;
let server: ModelServer;
beforeEach(async () => {
  machine = createMachine();
  server = await startModelServer({
    replies: () => "an answer",
    models: ["claude-haiku-4-5-20251001", "brand-new"],
    owner: "vllm",
  });
});
afterEach(async () => {
  machine.remove();
  await server.close();
});

const portOf = ({ url }: ModelServer) => new URL(url).port;
const json = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const run = await runAgent(machine, args, { env });
  return { ...run, value: JSON.parse(run.stdout) as Readonly<Record<string, unknown>> };
};

test("list models joins what the endpoint lists with what is known of it", async () => {
  const { value } = await json(["list", "models", "--json"], anthropicEnv(server));
  expect(value["models"]).toMatchObject([
    { model: "anthropic/claude-sonnet-5-5", default: true, context_tokens: 1_000_000 },
    {
      model: "anthropic/claude-haiku-4-5-20251001",
      default: false,
      context_tokens: 200_000,
      output_tokens: 64_000,
      usd_per_million: { input: 1, output: 5 },
    },
    { model: "anthropic/brand-new", usd_per_million: null, output_tokens: 8192 },
    { model: "rehearsal/tour" },
  ]);
  const text = await runAgent(machine, ["list", "models"], { env: anthropicEnv(server) });
  expect(text.stdout).toMatch(/claude-sonnet-5-5 +default +1000000 .* sonnet/);
});

test("an endpoint that does not answer is told, and what is known of its provider is listed", async () => {
  await server.close();
  const { value } = await json(["list", "models", "--json"], anthropicEnv(server));
  expect(JSON.stringify(value["models"])).toContain("anthropic/claude-haiku-4-5");
  expect(value["diagnostics"]).toContainEqual(expect.objectContaining({ code: "models-unavailable" }));
  server = await startModelServer({ replies: [] });
});

test("a short name of models.yaml chooses a model, by flag and by config", async () => {
  machine.write("home/.quire/models.yaml", "aliases: { fast: openai-chat/quick-1 }\n");
  await runAgent(machine, ["--model", "fast", "-p", "hi"], { env: openaiEnv(server) });
  machine.write("home/.quire/config.yaml", "model: fast\n");
  await runAgent(machine, ["-p", "hi"], { env: openaiEnv(server) });
  expect(server.requests.map(({ path, body }) => [path, body["model"]])).toEqual([
    ["/v1/chat/completions", "quick-1"],
    ["/v1/chat/completions", "quick-1"],
  ]);
  const slip = await runAgent(machine, ["--model", "fsat", "-p", "hi"], { env: openaiEnv(server) });
  expect(slip).toMatchObject({ code: 2, stdout: "" });
  expect(slip.stderr).toContain('Did you mean "fast"');
});

test("an unknown model works, and says once what is assumed of it", async () => {
  const lines = [1, 2].map((turn) => `${JSON.stringify({ type: "user", text: `turn ${turn}` })}\n`);
  const args = [
    "--model",
    "openai-chat/nobody-knows",
    "-p",
    "--input-format",
    "stream-json",
    "--output-format",
    "json",
  ];
  const run = await runAgent(machine, args, { env: openaiEnv(server), input: lines.join("") });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  const turns = run.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(turns.map(({ text }) => text)).toEqual(["an answer", "an answer"]);
  const told = turns.flatMap(({ diagnostics }) => diagnostics as readonly { readonly code: string }[]);
  expect(told.filter(({ code }) => code === "model-facts-missing")).toMatchObject([
    { level: "info", message: expect.stringContaining("128000 tokens") },
  ]);
});

test("what models.yaml says of a model holds: limits, no tools, no images", async () => {
  machine.write(
    "home/.quire/models.yaml",
    "models:\n  anthropic/plain: { context_tokens: 9000, output_tokens: 1234, tools: false, images: false }\n",
  );
  const talk = [
    {
      role: "user",
      content: [
        { type: "image", mime: "image/png", base64: "aGk=" },
        { type: "text", text: "see" },
      ],
    },
    { role: "assistant", content: [{ type: "tool-call", id: "c1", name: "read", args: { path: "a" } }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          id: "c1",
          name: "read",
          content: [{ type: "image", mime: "image/png", base64: "aGk=" }],
        },
      ],
    },
  ];
  machine.write("project/talk.json", JSON.stringify(talk));
  const args = ["prompt", "--wire", "anthropic-messages", "--model", "anthropic/plain", "--conversation", "talk.json"];
  const { value, stdout } = await json(args, anthropicEnv(server));
  expect(value).toMatchObject({ model: "plain", max_tokens: 1234 });
  expect(value).not.toHaveProperty("tools");
  expect(stdout).not.toContain("aGk=");
  expect(stdout).toContain("an image (image/png) that the model cannot take");
});

test("doctor asks the named ports who is there, and a key is not needed", async () => {
  const { value } = await json(["doctor", "--json"], { QUIRE_LOCAL_PORTS: portOf(server) });
  expect(value["local_models"]).toEqual(["local/claude-haiku-4-5-20251001", "local/brand-new"]);
  const text = await runAgent(machine, ["doctor"], { env: { QUIRE_LOCAL_PORTS: portOf(server) } });
  expect(text.stdout).toContain(`vLLM answers at http://127.0.0.1:${portOf(server)}/v1`);
  expect((await json(["doctor", "--json"])).value["local_models"]).toEqual([]);
});

test("a start without a terminal looks for no server, and a named model of one is asked", async () => {
  const env = { QUIRE_LOCAL_PORTS: portOf(server) };
  const rehearsed = await runAgent(machine, ["-p", "hi"], { env });
  expect(rehearsed.stdout).not.toContain("an answer");
  const named = await runAgent(machine, ["-p", "--model", "local/brand-new", "hi"], { env });
  expect(named).toMatchObject({ code: 0, stdout: "an answer\n" });
});

test("on a terminal without a key a server on this machine is found, announced and asked", async () => {
  const env = { QUIRE_LOCAL_PORTS: portOf(server) };
  const screen = await onTerminal(machine, ["hi"], env, /an answer/);
  expect(screen).toContain("model local/claude-haiku-4-5-20251001, because its server runs on this machine");
  const keyed = await onTerminal(machine, ["hi"], { ...env, ...openaiEnv(server) }, /an answer/);
  expect(keyed).toContain("OPENAI_API_KEY is set");
});
