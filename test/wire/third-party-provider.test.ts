import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

/** The code that the documentation shows, as it stands there. */
function documentedProvider(): string {
  const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/providers.md"), "utf8");
  const code = /## Add a provider\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(page)?.[1];
  if (code === undefined) throw new Error("docs/providers.md shows no provider");
  return code;
}

type Script = (body: Record<string, unknown>, response: ServerResponse) => void;

let machine: Machine;
let close: (() => void) | undefined;

beforeEach(() => {
  machine = createMachine({ "notes.md": "The password is swordfish.\n" });
  machine.write("project/ollama.ts", documentedProvider());
});

afterEach(() => {
  close?.();
  close = undefined;
  machine.remove();
});

/** A server of the vendor's API: one script a request, in JSON lines. */
async function vendor(...scripts: readonly Script[]): Promise<{ url: string; bodies: Record<string, unknown>[] }> {
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void readJson(request).then((body) => {
      bodies.push(body);
      scripts[bodies.length - 1]?.(body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
}

function says(...lines: readonly object[]): Script {
  return (_body, response) => {
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const middle = bytes.length >> 1;
    response.write(bytes.subarray(0, middle));
    setImmediate(() => response.end(bytes.subarray(middle)));
  };
}

const end = { done: true, done_reason: "stop", prompt_eval_count: 7, eval_count: 3 };

function ask(url: string, ...args: readonly string[]) {
  const flags = ["--plugin", "./ollama.ts", "--model", "ollama/small", "--output-format", "json", ...args];
  return runAgent(machine, [...flags, "-p", "What is the password?"], { env: { OLLAMA_HOST: url } });
}

test("the provider of the documentation runs a turn with a tool of ours", async () => {
  const call = { function: { name: "read", arguments: { path: "notes.md" } } };
  const { url, bodies } = await vendor(
    says({ message: { content: "Let me look." } }, { message: { content: "", tool_calls: [call] } }, end),
    says({ message: { content: "It is sword" } }, { message: { content: "fish 🐟." } }, end),
  );
  const run = await ask(url);
  expect({ code: run.code, stderr: run.code === 0 ? "" : run.stderr }).toEqual({ code: 0, stderr: "" });
  expect(run.stdout).toContain("It is swordfish 🐟.");
  expect(bodies).toHaveLength(2);
  const [first = [], second = []] = bodies.map(({ messages }) => messages as object[]);
  expect(bodies[0]).toMatchObject({ model: "small" });
  expect(first[0]).toMatchObject({ role: "system", content: expect.stringContaining("read") });
  expect(first).toContainEqual({ role: "user", content: "What is the password?" });
  expect(second.slice(0, first.length)).toEqual(first);
  expect(second.slice(first.length)).toMatchObject([
    { role: "assistant", content: "Let me look.", tool_calls: [call] },
    { role: "tool", tool_name: "read", content: expect.stringContaining("swordfish") },
  ]);
  const tools = bodies[0]?.["tools"] as { function: { name: string } }[];
  expect(tools.map((tool) => tool.function.name)).toContain("read");
});

test("the provider of the documentation fails in words when its server refuses", async () => {
  const { url } = await vendor((_body, response) => {
    response.writeHead(404);
    response.end("model small not found");
  });
  const run = await ask(url);
  expect(run.code).toBe(1);
  expect(run.stdout + run.stderr).toContain("ollama answered 404: model small not found");
  expect(run.stdout + run.stderr).toContain("Check that the server knows the model");
});
