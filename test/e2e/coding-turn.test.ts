import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startModelServer, type ModelServer, type RecordedRequest, type Reply } from "@quire/testkit";
import { anthropicEnv, createMachine, openaiEnv, runAgent, type Machine } from "../support/agent.js";

const vendors = [
  { name: "anthropic", args: [], env: anthropicEnv },
  { name: "openai-chat", args: ["--model", "openai-chat/gpt-5"], env: openaiEnv },
] as const;

/** Reads, mends, tests, answers: what a model does with a small bug. */
const script: readonly Reply[] = [
  { text: "I look at the code first.", toolCalls: [{ name: "read", args: { path: "sum.js" } }] },
  { toolCalls: [{ name: "edit", args: { path: "sum.js", old_string: "a - b", new_string: "a + b" } }] },
  { toolCalls: [{ name: "bash", args: { command: "node sum.test.js" } }] },
  { text: "Fixed: sum.js adds now, and its test passes." },
];

let machine: Machine;
let server: ModelServer | undefined;

beforeEach(() => {
  machine = createMachine({
    "sum.js": "module.exports = (a, b) => a - b;\n",
    "sum.test.js": 'const sum = require("./sum");\nif (sum(2, 3) !== 5) process.exit(1);\nconsole.log("sum ok");\n',
  });
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  machine.remove();
});

function bodies(): string[] {
  return (server?.requests ?? []).map((request: RecordedRequest) => JSON.stringify(request.body));
}

describe.for(vendors)("through $name", ({ args, env }) => {
  test("a turn reads a file, edits it, runs its test and answers; the next continues the history", async () => {
    server = await startModelServer({ replies: [...script, "You asked me to mend sum.js."] });
    const run = await runAgent(machine, [...args, "-p", "--permission-mode", "full", "mend sum.js"], {
      env: env(server),
    });
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toContain("Fixed: sum.js adds now");
    expect(readFileSync(path.join(machine.project, "sum.js"), "utf8")).toBe("module.exports = (a, b) => a + b;\n");
    expect(bodies()[3]).toContain("sum ok");

    const next = await runAgent(machine, [...args, "--continue", "-p", "what did I ask?"], { env: env(server) });
    expect(next.code).toBe(0);
    expect(next.stdout).toContain("You asked me to mend sum.js.");
    const sent = bodies()[4] ?? "";
    for (const earlier of ["mend sum.js", "I look at the code first.", "sum ok", "what did I ask?"])
      expect(sent).toContain(earlier);
  });

  test("without permission the edit is refused, the model is told why, and the turn ends well", async () => {
    server = await startModelServer({ replies: [...script.slice(0, 2), "I could not edit sum.js."] });
    const run = await runAgent(machine, [...args, "-p", "mend sum.js"], { env: env(server) });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("I could not edit sum.js.");
    expect(readFileSync(path.join(machine.project, "sum.js"), "utf8")).toContain("a - b");
    expect(bodies()[2]).toMatch(/Refused.*--permission-mode/);
  });

  test("429, 529 and a connection reset in mid-stream are survived, and no half call enters the history", async () => {
    const replies: Reply[] = [
      { fault: { kind: "status", status: 429, retryAfter: 0 } },
      { fault: { kind: "status", status: 529, retryAfter: 0 } },
      {
        text: "partly shown text",
        toolCalls: [{ name: "read", args: { path: "sum.js" } }],
        fault: { kind: "reset", afterEvents: 4 },
      },
      { text: "Here at last." },
    ];
    server = await startModelServer({ replies });
    const run = await runAgent(machine, [...args, "-p", "hello"], { env: env(server) });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("Here at last.");
    expect(server.requests).toHaveLength(4);
    expect(run.stderr).toMatch(/provider-retry/);
    const again = await runAgent(machine, [...args, "--continue", "-p", "and?"], { env: env(server) });
    expect(again.code).toBe(1);
    expect(bodies()[4]).not.toContain("tool_use");
    expect(bodies()[4]).not.toContain("tool_calls");
  });

  test("agent prompt --json shows what the wire carried", async () => {
    machine.write("project/AGENTS.md", "Use tabs. Ünïcode counts in bytes: 日本.\n");
    server = await startModelServer({ replies: ["hi"] });
    const run = await runAgent(machine, [...args, "-p", "hello there"], { env: env(server) });
    expect(run.code).toBe(0);
    const shown = await runAgent(machine, [...args, "prompt", "--json", "--message", "hello there"], {
      env: env(server),
    });
    expect(shown.code).toBe(0);
    const document = JSON.parse(shown.stdout) as PromptDocument;
    expect(document.text).toBe(systemText(server.requests[0]?.body));
    for (const item of document.context) expect(bodies()[0]).toContain(JSON.stringify(item.text).slice(1, -1));
    expectAccount(document);
  });
});

interface PromptDocument {
  readonly text: string;
  readonly bytes: number;
  readonly boundary: number;
  readonly sections: readonly {
    readonly name: string;
    readonly start: number | null;
    readonly end: number | null;
    readonly text: string;
    readonly sources: readonly { path: string; start: number; end: number }[];
  }[];
  readonly context: readonly { readonly text: string }[];
}

/** The system text of a body in either wire format; several blocks concatenate. */
function systemText(body: unknown): string {
  const { system, messages } = body as {
    system?: string | readonly { text: string }[];
    messages: readonly { role: string; content: string }[];
  };
  if (typeof system === "string") return system;
  if (system !== undefined) return system.map((block) => block.text).join("");
  return messages[0]?.role === "system" ? messages[0].content : "";
}

/** Ranges lie in order, do not overlap, and slice to their own text. */
function expectAccount(document: PromptDocument): void {
  const bytes = Buffer.from(document.text, "utf8");
  expect(document.bytes).toBe(bytes.length);
  let last = 0;
  for (const section of document.sections) {
    if (section.start === null || section.end === null) continue;
    expect(section.start).toBeGreaterThanOrEqual(last);
    expect(bytes.subarray(section.start, section.end).toString("utf8")).toBe(section.text);
    last = section.end;
  }
  expect(last).toBeLessThanOrEqual(bytes.length);
  const files = document.sections.find((section) => section.name === "agents-md/files");
  const source = files?.sources[0];
  expect(bytes.subarray(source?.start, source?.end).toString("utf8")).toContain("日本.");
}
