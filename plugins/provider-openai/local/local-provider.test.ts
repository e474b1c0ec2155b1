import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { collectEvents, createTestHost, providerRequest, startModelServer, type ModelServer } from "@quire/testkit";
import plugin from "../index.js";
import { findServers, portsOf } from "./find-servers.js";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const signal = new AbortController().signal;

/** A server that answers GET by path with JSON or text, and all else with 404. */
async function serve(answers: Readonly<Record<string, unknown>>): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const answer = answers[request.url ?? ""];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => void (server.closeAllConnections(), server.close()) });
  return { port: (server.address() as AddressInfo).port, asked };
}

const list = (...models: readonly object[]) => ({ object: "list", data: models });

test.for([
  {
    kind: "Ollama",
    answers: {
      "/v1/models": list({ id: "qwen3:8b", owned_by: "library" }, { id: "nomic-embed-text", owned_by: "library" }),
      "/api/version": { version: "0.13.0" },
    },
    models: [{ id: "qwen3:8b" }],
  },
  {
    kind: "LM Studio",
    answers: {
      "/v1/models": list({ id: "gemma-3", owned_by: "organization_owner" }),
      "/api/v0/models": list({ id: "gemma-3", type: "llm", state: "loaded" }),
    },
    models: [{ id: "gemma-3" }],
  },
  {
    kind: "llama.cpp",
    answers: { "/v1/models": list({ id: "model.gguf", owned_by: "llamacpp", meta: { n_ctx_train: 32768 } }) },
    models: [{ id: "model.gguf", contextTokens: 32768 }],
  },
  {
    kind: "vLLM",
    answers: { "/v1/models": list({ id: "org/model", owned_by: "vllm", max_model_len: 16384 }) },
    models: [{ id: "org/model", contextTokens: 16384 }],
  },
  { kind: undefined, answers: { "/v1/models": list({ id: "m" }) }, models: [{ id: "m" }] },
])("asks a server who it is: $kind", async ({ kind, answers, models }) => {
  const { port, asked } = await serve(answers);
  expect(await findServers([port], signal)).toEqual([{ baseUrl: `http://127.0.0.1:${port}/v1`, kind, models }]);
  expect(asked.every((line) => line.startsWith("GET "))).toBe(true);
});

test.for([
  { name: "a page", answers: { "/v1/models": "<html>" } },
  { name: "nothing there", answers: {} },
  { name: "another API", answers: { "/v1/models": { models: [] } } },
])("takes no other service for a model server: $name", async ({ answers }) => {
  const { port, asked } = await serve(answers);
  expect(await findServers([port], signal)).toEqual([]);
  expect(asked).toEqual(["GET /v1/models"]);
});

test("does not wait for a port that is open and silent", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => void (silent.closeAllConnections(), silent.close()) });
  const begun = performance.now();
  expect(await findServers([(silent.address() as AddressInfo).port], signal)).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(3_000);
});

test("reads a list of ports and passes over what is none", () => {
  expect([undefined, "", "1234, 8080", "x,0,70000,9"].map(portsOf)).toEqual([undefined, [], [1234, 8080], [9]]);
});

function portOf(server: ModelServer): number {
  return Number(new URL(server.url).port);
}

async function hostWith(ports: readonly number[], model?: string) {
  const config = { model, plugins: { "provider-openai": { options: { local_ports: ports } } } };
  const host = await createTestHost({
    plugins: [plugin],
    config: model === undefined ? { ...config, model: "fake" } : config,
  });
  const local = host.providers.find(({ name }) => name === "local");
  if (local === undefined) throw new Error("no local provider");
  return { host, local };
}

test("a turn at a local server: nothing is asked before, then its own list and the turn", async () => {
  const server = await startModelServer({ replies: ["from this machine"], models: ["small"] });
  open.push(server);
  const { host, local } = await hostWith([portOf(server)], "local/small");
  expect(host.diagnostics).toEqual([]);
  expect(local.available?.({ env: () => "x" })).toBe(false);
  expect(await host.session.send("hi", AbortSignal.timeout(9000)).result).toMatchObject({ text: "from this machine" });
  expect(host.diagnostics).toMatchObject([{ code: "local-server", level: "info", plugin: "provider-openai" }]);
  expect(server.requests[0]?.body).toMatchObject({ model: "small" });
});

test("of two servers the first port's serves, and a new server is found at the next look", async () => {
  const one = await startModelServer({ replies: ["one"], models: ["both"], owner: "vllm" });
  const two = await startModelServer({ replies: [], models: ["both", "other"], owner: "llamacpp" });
  const silent = await startModelServer({ replies: [], models: ["unlisted"] });
  open.push(one, two, silent);
  const { local } = await hostWith([portOf(one), portOf(two), portOf(silent)]);
  expect(await local.models?.(signal)).toEqual([{ id: "both" }, { id: "other" }]);
  const request = providerRequest({ model: { provider: "local", id: "both" } });
  await collectEvents(local.stream(local.project(request), AbortSignal.timeout(9000)));
  expect([one.requests.length, two.requests.length]).toEqual([1, 0]);
});

test("a model that no server has is named, with those that are there", async () => {
  const server = await startModelServer({ replies: [], models: ["small"] });
  open.push(server);
  const request = providerRequest({ model: { provider: "local", id: "big" } });
  for (const { ports, fix } of [
    { ports: [portOf(server)], fix: "There are: small" },
    { ports: [], fix: "Start Ollama" },
  ]) {
    const { local } = await hostWith(ports);
    await expect(collectEvents(local.stream(local.project(request), AbortSignal.timeout(9000)))).rejects.toMatchObject({
      diagnostic: { code: "local-server-missing", fix: expect.stringContaining(fix) },
      failure: { status: 404 },
    });
  }
});

test("a context that the server states is the model's, else a careful one is assumed", async () => {
  const { port } = await serve({ "/v1/models": list({ id: "a", owned_by: "vllm", max_model_len: 4096 }, { id: "b" }) });
  const { local } = await hostWith([port]);
  await local.models?.(signal);
  expect(["a", "b"].map((id) => local.caps(id).contextTokens)).toEqual([4096, 32_768]);
});
