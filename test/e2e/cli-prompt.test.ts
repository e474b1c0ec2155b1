import { createHash } from "node:crypto";
import { join } from "node:path";
import { startModelServer, type ModelServer } from "@quire/testkit";
import type { PromptDocument } from "@quire/cli";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anthropicEnv, createMachine, openaiEnv, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
let server: ModelServer | undefined;
beforeEach(() => {
  machine = createMachine({ "AGENTS.md": "# Rules\n\nBe kind. Ünïcode läßt grüßen.\n" });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  machine.remove();
});

async function documentOf(args: readonly string[] = [], env: Record<string, string> = {}): Promise<PromptDocument> {
  const run = await runAgent(machine, [...args, "prompt", "--json"], { env });
  expect(run.code).toBe(0);
  return JSON.parse(run.stdout) as PromptDocument;
}

test("ranges of sections and of the layout add up to the text exactly, and every source is its file's text", async () => {
  const document = await documentOf(["--append-system-prompt", "The end."]);
  const bytes = Buffer.from(document.text);
  expect(document.bytes).toBe(bytes.length);
  const inText = document.sections.filter(({ start }) => start !== null);
  let at = 0;
  let between = 0;
  for (const { start, end, text, hash } of inText) {
    expect(start).toBeGreaterThanOrEqual(at);
    between += (start ?? 0) - at;
    at = end ?? 0;
    expect(bytes.subarray(start ?? 0, end ?? 0).toString()).toBe(text);
    expect(createHash("sha256").update(text).digest("hex")).toBe(hash);
  }
  const sections = inText.reduce((sum, section) => sum + section.bytes, 0);
  expect(sections + between + (bytes.length - at)).toBe(bytes.length);
  const files = document.sections.find(({ name }) => name === "agents-md/files");
  expect(files?.sources).toMatchObject([{ path: join(machine.project, "AGENTS.md"), truncated: false }]);
  const [source] = files?.sources ?? [];
  expect(bytes.subarray(source?.start, source?.end).toString()).toContain("Ünïcode läßt grüßen.");
  expect(document.counts).toMatchObject({ instruction_files: 1, skills: 0 });
  expect(document.boundary).toBeGreaterThan(0);
  expect(inText.find(({ name }) => name === "base/identity")?.region).toBe("global");
});

test.for([
  { name: "anthropic", args: ["--model", "anthropic"], env: anthropicEnv },
  { name: "openai-chat", args: ["--model", "openai-chat"], env: openaiEnv },
])("equals what the wire carries to $name for the same input", async ({ args, env }) => {
  server = await startModelServer({ replies: () => "ok" });
  const document = await documentOf(args, env(server));
  await runAgent(machine, [...args, "-p", "hello"], { env: env(server) });
  const body = server.requests[0]?.body ?? {};
  const system = body["system"] ?? (body["messages"] as readonly { role: string; content: unknown }[])[0]?.content;
  const blocks =
    typeof system === "string" ? [system] : (system as readonly { text: string }[]).map(({ text }) => text);
  expect(blocks.join("")).toBe(document.text);
  const wire = JSON.parse(
    (
      await runAgent(
        machine,
        [
          ...args,
          "prompt",
          "--wire",
          args[1] === "anthropic" ? "anthropic-messages" : "openai-chat",
          "--message",
          "hello",
        ],
        { env: env(server) },
      )
    ).stdout,
  ) as Record<string, unknown>;
  expect(wire["messages"]).toEqual(body["messages"]);
  expect(wire["tools"]).toEqual(body["tools"]);
});

test("shows the body for an API whose provider is not the chosen one, without any secret", async () => {
  const run = await runAgent(machine, ["prompt", "--wire", "openai-chat", "--message", "hi"], {
    env: { ANTHROPIC_API_KEY: "sk-ant-secret", OPENAI_API_KEY: "sk-secret" },
  });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({
    messages: expect.arrayContaining([expect.objectContaining({ role: "system" })]),
  });
  expect(run.stdout).not.toMatch(/sk-(ant-)?secret/);
});

test("prints the bare text, ending in one newline, and a map with the boundary and totals", async () => {
  const document = await documentOf();
  const text = await runAgent(machine, ["prompt"]);
  expect(text.stdout).toBe(document.text.endsWith("\n") ? document.text : `${document.text}\n`);
  const map = await runAgent(machine, ["prompt", "--map"]);
  expect(map.stdout).toMatch(new RegExp(`^total\\s+${document.bytes}\\s+${document.tokens}$`, "m"));
  expect(map.stdout).toMatch(new RegExp(`^-- boundary --\\s+${document.boundary}$`, "m"));
  for (const { name } of document.sections) expect(map.stdout).toContain(name);
});

test("sections list and why name owners, authors, winners and losers", async () => {
  machine.write("home/.quire/sections/base/identity.md", "You are dry.\n");
  const list = await runAgent(machine, ["sections", "list", "--json"]);
  const { sections } = JSON.parse(list.stdout) as {
    sections: readonly { name: string; origin: string; plugin: string }[];
  };
  expect(sections.find(({ name }) => name === "base/identity")).toMatchObject({
    plugin: "base",
    origin: expect.stringContaining("identity.md"),
  });
  const why = await runAgent(machine, [
    "--section",
    "base/identity=You are terse.",
    "sections",
    "why",
    "base/identity",
  ]);
  expect(why.stdout).toMatch(/^ {2}won\s+replace\s+flags/m);
  expect(why.stdout).toMatch(/^ {2}lost\s+replace\s+user\s+\S+identity\.md/m);
});
