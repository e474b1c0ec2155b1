import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ "AGENTS.md": "Be kind.\n" });
});
afterEach(() => machine.remove());

async function prompt(preset: string, ...args: readonly string[]): Promise<string> {
  const run = await runAgent(machine, ["--preset", preset, ...args, "prompt"]);
  expect(run.code).toBe(0);
  return run.stdout;
}

test("IO-29 the user's text is `system` of iota's own file, without it the file that `system_file` names", async () => {
  machine.write("home/.iota.yaml", "system: Answer in French.\nsystem_file: long.md\n");
  machine.write("home/long.md", "Answer at length.\n");
  expect(await prompt("iota")).toBe("Answer in French.\n");
  machine.write("home/.iota.yaml", "system_file: long.md\n");
  expect(await prompt("iota")).toBe("Answer at length.\n");
  expect(await prompt("iota", "-s", "Answer now.")).toBe("Answer now.\n");
  expect(await prompt("iota", "-s", "")).toBe("\n");
});

test("IO-22 IO-23 with -c the environment tells of one config file, absolute, and no other counts", async () => {
  machine.write("home/.iota.yaml", "system: Answer in French.\n");
  machine.write("project/only.yaml", "iota: { tools: { shell: true } }\n");
  const text = await prompt("iota", "-c", "only.yaml");
  expect(text).toContain(`config: ${join(machine.project, "only.yaml")} (given with -c; the only scope)`);
  expect(text).not.toContain("French");
});

test("PI-28 PI-31 a project's SYSTEM.md is used only with trust, which -a gives for one start", async () => {
  machine.write("project/.pi/SYSTEM.md", "The project speaks.\n");
  machine.write("home/.pi/agent/SYSTEM.md", "The user speaks.\n");
  expect(await prompt("pi")).toContain("The user speaks.");
  const trusted = await prompt("pi", "-a");
  expect(trusted).toContain("The project speaks.");
  expect(trusted).not.toContain("The user speaks.");
});

test("PI-29 trust covers settings, SYSTEM.md, skills and templates of the project, and says so", async () => {
  machine.write("project/.pi/SYSTEM.md", "The project speaks.\n");
  machine.write("project/.pi/settings.json", '{ "prompts": ["./more"] }\n');
  machine.write("project/.pi/prompts/go.md", "Go.\n");
  const run = await runAgent(machine, ["--preset", "pi", "commands", "list"]);
  expect(run.stdout).toBe("");
  for (const what of [".pi/settings.json:1 sets `commands`", ".pi/SYSTEM.md", ".pi/prompts"]) {
    expect(run.stderr).toContain(what);
  }
  const trusted = await runAgent(machine, ["--preset", "pi", "-a", "commands", "list"]);
  expect(trusted.stdout).toMatch(/^\/go\s/m);
});

test("MG-47 MG-50 a primary profile is wrapped at the end of the main prompt, and no child has it", async () => {
  machine.write("home/.magi-code/agents/boss.md", "---\nname: Boss\n---\n\nLead them.\n");
  machine.write("home/.magi-code/subagents/kid.md", "---\nname: Kid\n---\n\nFollow.\n");
  const main = await prompt("magi-code", "--agent", "boss");
  expect(main.trimEnd().endsWith("<Your-Role Persona=Boss>\nLead them.\n</Your-Role>")).toBe(true);
  expect(main.split("Lead them.")).toHaveLength(2);
  const child = await runAgent(machine, ["--preset", "magi-code", "prompt", "--child", "kid"]);
  expect(child.stdout).toContain("Follow.");
  expect(child.stdout).not.toContain("Lead them.");
  const refused = await runAgent(machine, ["--preset", "magi-code", "prompt", "--child", "boss"]);
  expect(refused.code).toBe(2);
});

test("CA-55 the value of --system-prompt is literal under coding-agent and a file's name elsewhere", async () => {
  machine.write("project/base.md", "From the file.\n");
  expect(await prompt("coding-agent", "--system-prompt", "base.md")).toMatch(/^base\.md$/m);
  expect(await prompt("quire", "--system-prompt", "base.md")).toContain("From the file.");
});
