import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { collectEvents, providerRequest, toolResult, userMessage } from "@quire/testkit";
import type { StreamEvent } from "@quire/core";
import { answerLines, plainBase, standIn } from "./stand-in.fixture.js";
import type { Given, StandIn, Step } from "./stand-in.fixture.js";

const model = { provider: "claude-cli", id: "claude-sonnet-4-5" };
const tools = ["read", "ls"].map((name) => ({
  name,
  description: `Does ${name}.`,
  input: { type: "object", properties: { path: { type: "string" } } },
}));
const answer = answerLines([{ type: "text", text: "Hello world" }]);

async function ask(
  { provider }: StandIn,
  request: Parameters<typeof providerRequest>[0] = {},
  signal: AbortSignal = AbortSignal.timeout(20_000),
): Promise<StreamEvent[]> {
  return collectEvents(provider.stream(provider.project(providerRequest({ model, ...request })), signal));
}

async function asked(steps: readonly Step[], request: Parameters<typeof providerRequest>[0] = {}): Promise<Given> {
  const program = await standIn(steps);
  await ask(program, request);
  return program.given();
}

function extraBody({ env }: Given): Record<string, unknown> {
  return JSON.parse(env["CLAUDE_CODE_EXTRA_BODY"] ?? "null") as Record<string, unknown>;
}

test("MG-60 hands the system text over by a private file, which is gone when the answer is there", async () => {
  const text = "You are a test.\n\n  Exactly « this ».\n";
  const given = await asked(answer, { system: { text, regions: [] } });
  expect(given.prompt).toBe(text);
  expect(given.argv.slice(-2)).toEqual(["--system-prompt-file", given.promptFile]);
  expect(given.argv).not.toContain("--append-system-prompt");
  expect([given.folderMode, given.promptMode]).toEqual(["700", "600"]);
  expect(existsSync(given.folder)).toBe(false);
});

test("MG-60 hands over an Anthropic body: model, limit and the whole conversation in its own blocks", async () => {
  const call = { type: "tool-call", id: "c1", name: "read", args: { path: "a" } } as const;
  const given = await asked(answer, {
    tools,
    messages: [
      userMessage("Read a."),
      { id: "m2", role: "assistant", content: [{ type: "text", text: "Now." }, call] },
      { id: "m3", role: "tool", content: [toolResult("c1", "its text")] },
    ],
  });
  expect(extraBody(given)["messages"]).toEqual([
    { role: "user", content: [{ type: "text", text: "Read a." }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Now." },
        { type: "tool_use", id: "c1", name: "mcp__quire__read", input: { path: "a" } },
      ],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "its text" }] }],
    },
  ]);
  expect(given.argv.join(" ")).toContain("--model claude-sonnet-4-5 --max-turns 1");
  expect(given.env["CLAUDE_CODE_MAX_OUTPUT_TOKENS"]).toBe("64000");
  expect(given.env["MAX_THINKING_TOKENS"]).toBe("0");
  const lines = given.input.trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(["user"]);
});

test("MG-60 takes a body that no variable can hold, by a private settings file", async () => {
  const text = "long ".repeat(200_000);
  const given = await asked(answer, { messages: [userMessage(text)] });
  expect(given.env["CLAUDE_CODE_EXTRA_BODY"]).toBe(undefined);
  const { env } = JSON.parse(given.settings ?? "null") as { env: Record<string, string> };
  expect(JSON.parse(env["CLAUDE_CODE_EXTRA_BODY"] ?? "null")).toMatchObject({
    messages: [{ role: "user", content: [{ type: "text", text }] }],
  });
});

test("MG-61 gives tools the prefix, in the extra body and nowhere else, and takes it off their calls", async () => {
  const calls = [
    { type: "tool_use", id: "t1", name: "mcp__quire__read", input: { path: "a" } },
    { type: "tool_use", id: "t2", name: "mcp__quire__ls", input: {} },
  ];
  const program = await standIn(answerLines([{ type: "text", text: "Both." }, ...calls], "tool_use"));
  const events = await ask(program, { tools });
  const given = await program.given();
  expect(extraBody(given)["tools"]).toEqual(
    tools.map(({ name, description, input }) => ({
      name: `mcp__quire__${name}`,
      description,
      input_schema: input,
    })),
  );
  expect(given.argv.join(" ")).not.toContain("mcp__quire__");
  expect(events.flatMap((event) => (event.type === "block" ? [event.block] : []))).toEqual([
    { type: "text", text: "Both." },
    { type: "tool-call", id: "t1", name: "read", args: { path: "a" } },
    { type: "tool-call", id: "t2", name: "ls", args: {} },
  ]);
  expect(events.flatMap((event) => (event.type === "tool-args" ? [event.name] : []))).toEqual(["read", "read", "ls"]);
  expect(events.at(-1)).toEqual({ type: "end", stop: "tools" });
});

test("MG-62 offers a server `quire` that lists the same tools and runs none", async () => {
  const program = await standIn(answer, { callTools: true });
  await ask(program, { tools });
  const { argv, answers, mcp } = await program.given();
  expect(argv).toContain("--strict-mcp-config");
  expect(Object.keys((JSON.parse(mcp ?? "null") as { mcpServers: object }).mcpServers)).toEqual(["quire"]);
  expect(answers?.started).toMatchObject({
    result: { protocolVersion: "2025-06-18", serverInfo: { name: "quire" }, capabilities: { tools: {} } },
  });
  expect(answers?.listed).toMatchObject({
    result: { tools: tools.map(({ name, description, input }) => ({ name, description, inputSchema: input })) },
  });
  expect(answers?.called).toEqual({
    jsonrpc: "2.0",
    id: 3,
    error: { code: -32601, message: "This server only lists tools; the host runs them" },
  });
});

test("MG-62 starts no server when there are no tools", async () => {
  const given = await asked(answer);
  expect(given.argv).not.toContain("--mcp-config");
  expect(given.argv).toContain("--strict-mcp-config");
  expect(extraBody(given)["tools"]).toEqual([]);
});

test("MG-63 turns the program's own tools off, and all settings that could run something", async () => {
  const { argv, cwd } = await asked(answer, { tools });
  expect(argv[argv.indexOf("--tools") + 1]).toBe("");
  expect(argv[argv.indexOf("--setting-sources") + 1]).toBe("");
  expect(argv).not.toContain("--dangerously-skip-permissions");
  expect(argv).not.toContain("--allowedTools");
  expect(cwd).toBe(homedir());
});

test("MG-64 shows thinking and does not send it back", async () => {
  const thinking = { type: "thinking", thinking: "Let me think.", signature: "sig" };
  const program = await standIn(answerLines([thinking, { type: "text", text: "Done." }]));
  const events = await ask(program);
  const blocks = events.flatMap((event) => (event.type === "block" ? [event.block] : []));
  expect(blocks[0]).toEqual({ type: "thinking", text: "Let me think.", signature: "sig", provider: "claude-cli" });
  const next = await asked(answer, {
    messages: [userMessage("hi"), { id: "a", role: "assistant", content: blocks }, userMessage("go on", "u2")],
  });
  expect(extraBody(next)["messages"]).toEqual([
    { role: "user", content: [{ type: "text", text: "hi" }] },
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
    { role: "user", content: [{ type: "text", text: "go on" }] },
  ]);
});

test("gives the program what it needs and no other provider's keys", async () => {
  const environment = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    LC_ALL: "C.UTF-8",
    HTTPS_PROXY: "http://127.0.0.1:9",
    CLAUDE_CODE_OAUTH_TOKEN: "login-token",
    ANTHROPIC_API_KEY: "sk-anthropic",
    OPENAI_API_KEY: "sk-openai",
    GATEWAY_TOKEN: "gateway",
    AWS_REGION: "eu-west-1",
    NODE_OPTIONS: "--no-warnings",
    CLAUDE_CODE_EXTRA_BODY: "not ours",
  };
  const program = await standIn(answer, { environment, passEnv: ["AWS_REGION"] });
  await ask(program);
  const { env } = await program.given();
  expect(env).toMatchObject({
    LC_ALL: "C.UTF-8",
    HTTPS_PROXY: "http://127.0.0.1:9",
    CLAUDE_CODE_OAUTH_TOKEN: "login-token",
    AWS_REGION: "eu-west-1",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
  });
  const values = Object.values(env).join("\n");
  for (const hidden of ["sk-anthropic", "sk-openai", "gateway", "--no-warnings", "not ours"]) {
    expect(values).not.toContain(hidden);
  }
});

test("holds back from tools the login and those passed variables that look like secrets", async () => {
  const { provider } = await standIn(answer, { passEnv: ["ANTHROPIC_API_KEY", "AWS_REGION"] });
  expect(provider.secrets).toEqual(["CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_API_KEY"]);
});

test("asks for the thinking and the effort that the body asks for", async () => {
  const wanted = async (more: object): Promise<Given> => {
    const base = {
      ...plainBase,
      project: (request: Parameters<typeof plainBase.project>[0]) => {
        const wire = plainBase.project(request);
        return { ...wire, body: { ...(wire.body as object), ...more } };
      },
    };
    const program = await standIn(answer, { base });
    await ask(program);
    return program.given();
  };
  const budget = await wanted({ thinking: { type: "enabled", budget_tokens: 4000 } });
  expect(budget.env["MAX_THINKING_TOKENS"]).toBe("4000");
  const adaptive = await wanted({ thinking: { type: "adaptive" }, output_config: { effort: "low" } });
  expect(adaptive.env["MAX_THINKING_TOKENS"]).toBe(undefined);
  expect(adaptive.argv.join(" ")).toContain("--effort low");
  expect(extraBody(await wanted({ stop_sequences: ["END"] }))["stop_sequences"]).toEqual(["END"]);
});

test("names models by the program's own words, with its own limit, unless config lists some", async () => {
  const { provider } = await standIn(answer);
  expect(provider.caps("sonnet").outputTokens).toBe(32_000);
  expect(provider.caps("claude-sonnet-4-5").outputTokens).toBe(64_000);
  const wire = provider.project(providerRequest({ model: { provider: "claude-cli", id: "sonnet" } }));
  expect(wire.body).toMatchObject({ model: "sonnet", max_tokens: 32_000 });
});
