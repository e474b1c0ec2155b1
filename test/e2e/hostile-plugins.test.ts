import { existsSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "@quire/testkit";
import { anthropicEnv, createMachine, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
let server: ModelServer;
beforeEach(async () => {
  machine = createMachine({ "README.md": "# Demo\n" });
  server = await startModelServer({ replies: () => "All good." });
});
afterEach(async () => {
  await server.close();
  machine.remove();
});

function definition(setup: string): string {
  return `export default { name: "bad", apiVersion: 1, setup(host) { ${setup} } };\n`;
}

const section = (compute: string) =>
  definition(`host.sections.register({ name: "bad/part", slot: "session", cache: "memoized", compute: ${compute} });`);

const good = `export default { name: "good", apiVersion: 1, setup(host) {
  host.sections.register({ name: "good/part", slot: "session", cache: "memoized", compute: () => "GOOD IS HERE" });
} };\n`;

const failures = [
  { name: "throws in setup", text: definition(`throw new Error("boom");`), says: /bad.*boom/ },
  {
    name: "throws in a section",
    text: section(`() => { throw new Error("boom"); }`),
    says: /bad.*bad\/part.*boom|bad\/part.*boom/,
  },
  { name: "never settles in a section", text: section(`() => new Promise(() => {})`), says: /bad.*bad\/part.*2000 ms/ },
  {
    name: "never settles in a hook",
    text: definition(`host.hooks.beforeAgentStart.tap(() => new Promise(() => {}));`),
    says: /bad.*5000 ms.*beforeAgentStart/,
  },
  {
    name: "throws in a hook",
    text: definition(`host.hooks.beforeAgentStart.tap(() => { throw new Error("boom"); });`),
    says: /bad.*beforeAgentStart.*boom/,
  },
  { name: "exports the wrong thing", text: `export default 42;\n`, says: /bad\.mjs/ },
  { name: "has a syntax error", text: `export default {\n  name: "bad",,\n};\n`, says: /bad\.mjs:2/ },
  { name: "throws at import", text: `throw new Error("boom");\n`, says: /bad\.mjs.*boom/ },
];

test.for(failures)("a plugin that $name costs one diagnostic, and the turn goes on", async ({ text, says }) => {
  const bad = machine.write("elsewhere/bad.mjs", text);
  const fine = machine.write("elsewhere/good.mjs", good);
  const args = ["--plugin", bad, "--plugin", fine, "-p", "hello"];
  const run = await runAgent(machine, args, { env: anthropicEnv(server) });
  expect(run.stdout).toContain("All good.");
  expect(run.code).toBe(0);
  expect(JSON.stringify(server.requests[0]?.body)).toContain("GOOD IS HERE");
  const lines = run.stderr.split("\n").filter((line) => line.includes("bad"));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(says);

  const strict = await runAgent(machine, ["--strict", ...args], { env: anthropicEnv(server) });
  expect(strict.code).toBe(1);
  expect(strict.stdout).not.toContain("All good.");
});

test.for([
  { name: "throws", body: `() => { throw new Error("boom"); }` },
  { name: "never settles", body: `() => new Promise(() => {})` },
])("a tool gate that $name refuses the call, whatever the mode", async ({ body }) => {
  await server.close();
  const replies = [
    { toolCalls: [{ name: "write", args: { path: "made.txt", content: "x" } }] },
    { text: "I could not." },
  ];
  server = await startModelServer({ replies });
  const gate = machine.write("elsewhere/bad.mjs", definition(`host.hooks.beforeToolCall.tap(${body});`));
  const run = await runAgent(machine, ["--plugin", gate, "--permission-mode", "full", "-p", "write"], {
    env: anthropicEnv(server),
  });
  expect(run.code).toBe(0);
  expect(run.stdout).toContain("I could not.");
  expect(existsSync(path.join(machine.project, "made.txt"))).toBe(false);
  expect(JSON.stringify(server.requests[1]?.body)).toMatch(/Refused.*bad/);
});

test.for([
  { name: "is missing", text: undefined },
  { name: "fails in setup", text: definition(`throw new Error("boom");`) },
])("a required plugin that $name stops the turn", async ({ text }) => {
  if (text !== undefined) machine.write("home/.quire/guard.mjs", text);
  machine.write("home/.quire/config.yaml", `plugins:\n  ./guard.mjs: { required: true }\n`);
  const run = await runAgent(machine, ["-p", "hello"], { env: anthropicEnv(server) });
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(/required/);
  expect(server.requests).toHaveLength(0);
});
