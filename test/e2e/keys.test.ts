import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startModelServer } from "@quire/testkit";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

/** Every secret that a start may hold, each unlike the others from its first letters on. */
const keys = {
  ANTHROPIC_API_KEY: "sk-ant-Zq81mXw0rTb7cKe5",
  OPENAI_API_KEY: "sk-proj-Hn46vLd2yPs9aGu3",
  GATEWAY_KEY: "gw-Jf73xQo8iWm1tBz6secret",
  CLAUDE_CODE_OAUTH_TOKEN: "oat-Rk58eVc4uNj0hSy2",
};

let machine: Machine;
let server: Server;
let url: string;
beforeEach(async () => {
  machine = createMachine({ "AGENTS.md": "Be kind.\n" });
  server = createServer((request, response) => {
    request.resume().on("end", () => {
      const { status, type, body } = answerTo(request);
      response.writeHead(status, { "content-type": type, "retry-after": "0" }).end(body);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  machine.remove();
  server.closeAllConnections();
  server.close();
});

/** A server that says in every way what it was given. The first part of its path says which. */
function answerTo({ url: asked = "", headers }: IncomingMessage): { status: number; type: string; body: string } {
  const said = `You sent ${headers.authorization ?? ""} ${String(headers["x-api-key"] ?? "")} to ${asked}`;
  const error = { type: "error", error: { type: "authentication_error", message: said, code: "invalid_api_key" } };
  const json = JSON.stringify(error);
  switch (asked.split("/")[1]) {
    case "refused":
      return { status: 401, type: "application/json", body: json };
    case "failed":
      return { status: 500, type: "text/html", body: `<html><body>${said}</body></html>` };
    case "page":
      return { status: 200, type: "text/html", body: `<html>${said}</html>` };
    case "event":
      return { status: 200, type: "text/event-stream", body: `event: error\ndata: ${json}\n\n` };
    default:
      return { status: 200, type: "text/event-stream", body: `data: {"${said}\n\ndata: [DONE]\n\n` };
  }
}

const models = ["anthropic", "openai", "openai-chat", "openai-codex", "gateway/big", "messages/big"];

function environment(how: string): Record<string, string> {
  return { ...keys, ANTHROPIC_BASE_URL: `${url}/${how}`, OPENAI_BASE_URL: `${url}/${how}/v1` };
}

function configure(how: string): void {
  const entry = (api: string, base: string) =>
    `  ${api === "openai-chat" ? "gateway" : "messages"}: { api: ${api}, base_url: "${base}", api_key_env: GATEWAY_KEY, models: [big] }\n`;
  const chat = entry("openai-chat", `${url}/${how}/v1`);
  machine.write("home/.quire/config.yaml", `providers:\n${chat}${entry("anthropic-messages", `${url}/${how}`)}`);
}

/** Any stretch of a key that is long enough to be of use. */
const stretches = Object.values(keys).flatMap((key) =>
  Array.from({ length: key.length - 11 }, (_, start) => key.slice(start, start + 12)),
);

function leaksIn(what: string, text: string): readonly string[] {
  return stretches.some((stretch) => text.includes(stretch)) ? [what] : [];
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

function leakyFiles(): readonly string[] {
  return filesUnder(machine.root).flatMap((file) => leaksIn(file, readFileSync(file, "latin1")));
}

test.for(["refused", "failed", "page", "event", "garbage"])(
  "a session whose every request fails shows no key anywhere: %s",
  async (how) => {
    configure(how);
    const env = environment(how);
    const formats = ["text", "json", "stream-json"];
    const runs = await Promise.all(
      models.map(async (model, index) => {
        const format = formats[index % formats.length] ?? "text";
        const run = await runAgent(machine, ["-p", "--model", model, "--output-format", format, "hi"], { env });
        return { what: `${model} ${format}`, ...run };
      }),
    );
    expect(runs.map(({ what, code }) => [what, code])).toEqual(runs.map(({ what }) => [what, 1]));
    // The echo arrived, with the key taken out of it.
    if (how === "refused") for (const { stdout, stderr } of runs) expect(stdout + stderr).toContain("[key]");
    expect(runs.flatMap(({ what, stdout, stderr }) => leaksIn(what, stdout + stderr))).toEqual([]);
    expect(leakyFiles()).toEqual([]);
  },
);

test("connections that are refused show no key either, nor does what looks at the prompt and the setting", async () => {
  configure("refused");
  const nowhere = { ...keys, ANTHROPIC_BASE_URL: "http://127.0.0.1:4431", OPENAI_BASE_URL: "http://127.0.0.1:4431/v1" };
  const looks = [
    ["-p", "--model", "openai", "hi"],
    ...["anthropic-messages", "openai-chat", "openai-responses", "openai-codex", "claude-cli"].map((mode) => [
      "prompt",
      "--wire",
      mode,
      ...(mode === "claude-cli" ? ["--model", "claude-cli/sonnet"] : []),
    ]),
    ["doctor"],
    ["doctor", "--json"],
    ["list", "providers", "--json"],
    ["list", "models", "--json"],
    ["prompt", "--json"],
    ["config", "check"],
    ["config", "schema"],
    ["sections", "check"],
  ];
  const runs = await Promise.all(
    looks.map(async (args) => ({ what: args.join(" "), ...(await runAgent(machine, args, { env: nowhere })) })),
  );
  expect(runs.flatMap(({ what, code }) => (code === 2 || code === null ? [what] : []))).toEqual([]);
  expect(runs.flatMap(({ what, stdout, stderr }) => leaksIn(what, stdout + stderr))).toEqual([]);
  const list = await runAgent(machine, ["list", "models", "--json"], { env: environment("refused") });
  expect(list.stdout).toContain("[key]");
  expect(leaksIn("list models", list.stdout + list.stderr)).toEqual([]);
  expect(leakyFiles()).toEqual([]);
});

test("the process of a tool has no key in its environment, and what else is set is there", async () => {
  const script = [{ toolCalls: [{ name: "bash", args: { command: "env; cat /proc/self/environ || true" } }] }, "done"];
  const asked = await startModelServer({ replies: script });
  try {
    configure("refused");
    const env = { ...keys, ANTHROPIC_BASE_URL: asked.url, HARMLESS: "still-here" };
    const run = await runAgent(machine, ["-p", "--permission-mode", "full", "--model", "anthropic", "hi"], { env });
    expect(run).toMatchObject({ code: 0, stdout: "done\n" });
    const result = JSON.stringify(asked.requests[1]?.body);
    expect(result).toContain("still-here");
    expect(leaksIn("result", result)).toEqual([]);
    expect(leakyFiles()).toEqual([]);
  } finally {
    await asked.close();
  }
});
