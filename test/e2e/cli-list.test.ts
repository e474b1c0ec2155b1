import { startModelServer } from "@quire/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anthropicEnv, createMachine, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ "README.md": "# A project\n" });
});
afterEach(() => machine.remove());

async function listed(what: string, env: Record<string, string> = {}): Promise<readonly Record<string, unknown>[]> {
  const run = await runAgent(machine, ["list", what, "--json"], { env });
  expect(run.code).toBe(0);
  const found = JSON.parse(run.stdout) as Record<string, readonly Record<string, unknown>[]>;
  expect(found).toHaveProperty("diagnostics");
  return found[what] ?? [];
}

test("lists providers with their keys, tools with their effects, layouts, presets and profiles", async () => {
  expect(await listed("providers", { OPENAI_API_KEY: "x" })).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "anthropic", api: "anthropic-messages", ready: false }),
      expect.objectContaining({ name: "openai-chat", ready: true, keys: ["OPENAI_API_KEY"] }),
      expect.objectContaining({ name: "rehearsal", ready: true }),
    ]),
  );
  expect(await listed("tools")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "bash", plugin: "tools-shell", effect: "run", off: null }),
      expect.objectContaining({ name: "read", plugin: "tools-files", effect: "read" }),
    ]),
  );
  expect(await listed("layouts")).toMatchObject([{ name: "quire", chosen: true }]);
  expect((await listed("presets"))[0]).toEqual({ name: "quire", summary: "The defaults", chosen: true });
  expect(await listed("agents")).toEqual([]);
});

test("lists the models an endpoint has, and keeps the default of one that does not answer", async () => {
  const server = await startModelServer({ replies: [], models: ["big", "small"] });
  const found = await listed("models", anthropicEnv(server));
  await server.close();
  const names = found.map(({ model }) => model);
  expect(names).toEqual(expect.arrayContaining(["anthropic/big", "anthropic/small"]));
  const gone = await runAgent(machine, ["list", "models"], { env: anthropicEnv(server) });
  expect(gone.code).toBe(0);
  expect(gone.stdout).toMatch(/^anthropic\/\S+\s+default\s/m);
  expect(gone.stderr).toContain("models-unavailable");
});

test("doctor says what is loaded, what is off, which key is missing, and that the shell is not sandboxed", async () => {
  const run = await runAgent(machine, ["doctor", "--no-plugin", "skills"]);
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^ {2}base\s/m);
  expect(run.stdout).toMatch(/^ {2}skills\s+off$/m);
  expect(run.stdout).toContain("set ANTHROPIC_API_KEY");
  expect(run.stdout).toContain("not sandboxed");
  expect(run.stdout).toContain(process.version);
});

test("doctor fails when a plugin failed, and names plugin, file and cure", async () => {
  const plugin = machine.write(
    "home/.quire/plugins/broken.ts",
    "export default { name: 'broken', apiVersion: 1, setup() { throw new Error('no luck'); } };",
  );
  const run = await runAgent(machine, ["doctor", "--json"]);
  expect(run.code).toBe(1);
  const report = JSON.parse(run.stdout) as { failed: readonly object[] };
  expect(report.failed).toMatchObject([{ plugin: "broken", level: "error", at: { file: plugin } }]);
  expect(run.stderr).toMatch(/broken.*no luck/);
});

test("--no-skills and -nc switch the plugins off that would read them", async () => {
  machine.write("project/AGENTS.md", "Be kind.\n");
  machine.write("project/.agents/skills/dance/SKILL.md", "---\nname: dance\ndescription: How to dance.\n---\nStep.\n");
  const with_ = await runAgent(machine, ["prompt"]);
  expect(with_.stdout).toContain("Be kind.");
  expect(with_.stdout).toContain("How to dance.");
  const without = await runAgent(machine, ["prompt", "-nc", "--no-skills", "--no-commands"]);
  expect(without).toMatchObject({ code: 0, stderr: "" });
  expect(without.stdout).not.toContain("Be kind.");
  expect(without.stdout).not.toContain("How to dance.");
});

test("doctor tells what goes wrong while the prompt is made, and which plugins of yours are off", async () => {
  machine.write("home/.quire/skills/bad/SKILL.md", "---\nname: [\n---\nx\n");
  machine.write("home/.quire/plugins/other.mjs", "export default { name: 'other', apiVersion: 1, setup() {} };");
  const thrower = `export default { name: "guard", apiVersion: 1, setup(host) {
    host.sections.register({ name: "guard/bar", slot: "rules", cache: "memoized", compute: () => { throw new Error("bad"); } }); } };`;
  const plugin = machine.write("guard.mjs", thrower);
  const run = await runAgent(machine, ["doctor", "--plugin", plugin, "--no-plugin", "other"]);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/findings[^]*section-failed.*guard\/bar/);
  expect(run.stdout).toMatch(/findings[^]*skills\/bad/);
  expect(run.stdout).toMatch(/other(\.mjs)?\s+off$/m);
});

test("lists an endpoint that wants no key, and marks the model in force alone", async () => {
  machine.write(
    "home/.quire/config.yaml",
    "model: local/big\nproviders:\n  local: { api: openai-chat, base_url: http://127.0.0.1:1/v1, models: [big, small] }\n",
  );
  const run = await runAgent(machine, ["list", "models"]);
  expect(run.stdout).toMatch(/^local\/big\s+default\s+128000\nlocal\/small\s+128000$/m);
  expect(run.stdout.match(/default/g)).toHaveLength(1);
  expect((await runAgent(machine, ["list", "providers"])).stdout).toMatch(/^local\s+openai-chat\s+ready/m);
});
