import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.remove());

const skill = (name: string, head = "", body = "Do it.") =>
  machine.write(
    `home/.quire/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: About ${name}.\n${head}---\n${body}\n`,
  );

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  const run = await runAgent(machine, [...args, "--json"]);
  expect(run.code).toBe(0);
  return JSON.parse(run.stdout) as Record<string, unknown>;
}

test("skills list says which are offered, which are not, and why", async () => {
  const file = skill("release");
  skill("secret", "disable-model-invocation: true\n");
  skill("idle");
  skill("long", `note: x\n`);
  machine.write("home/.quire/skills/long/SKILL.md", `---\nname: long\ndescription: ${"x".repeat(400)}\n---\nDo it.\n`);
  machine.write("home/.quire/config.yaml", "skills: { off: [idle], budget: 256 }\n");
  const run = await runAgent(machine, ["skills", "list"]);
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^release\s+user\s+offered\s+About release\.$/m);
  expect(run.stdout).toMatch(/^secret\s+user\s+only by \/skill:name/m);
  expect(run.stdout).toMatch(/^idle\s+user\s+off in config/m);
  expect(run.stdout).toMatch(/^long\s+user\s+cut: the catalog is full/m);
  const { skills, catalog } = await json("skills", "list");
  expect(catalog).toBe("shown");
  expect(skills).toContainEqual({
    name: "release",
    handle: "release",
    description: "About release.",
    scope: "user",
    file,
    state: "listed",
  });
});

test("skills list says when the model cannot reach any, and a broken one is told once", async () => {
  skill("release");
  machine.write("home/.quire/skills/broken/SKILL.md", "---\nname: broken\n");
  const run = await runAgent(machine, ["--tools", "read", "skills", "list"]);
  expect(run.stdout).toMatch(/^release\s+user\s+not offered: the catalog is not in the prompt/m);
  expect(run.stderr).toContain("[skills-unreachable]");
  expect(run.stderr.split("broken/SKILL.md is ").length).toBeLessThanOrEqual(2);
  const none = await runAgent(machine, ["--no-skills", "skills", "list"]);
  expect(none).toMatchObject({ code: 0, stdout: "" });
  expect(none.stderr).toContain("skills are off");
});

test("skills show prints what the model gets, and a file of the skill, but nothing outside it", async () => {
  skill("release", "", "Read steps.md first.");
  machine.write("home/.quire/skills/release/steps.md", "1. Test.\n");
  const shown = await runAgent(machine, ["skills", "show", "release"]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain("Read steps.md first.");
  expect(shown.stdout).toContain(join(machine.quireHome, "skills", "release"));
  expect(shown.stdout).not.toContain("description:");
  expect((await runAgent(machine, ["skills", "show", "release", "steps.md"])).stdout).toBe("1. Test.\n");
  expect(await json("skills", "show", "release", "steps.md")).toMatchObject({ name: "release", text: "1. Test.\n" });
  const outside = await runAgent(machine, ["skills", "show", "release", "../../config.yaml"]);
  expect(outside.code).toBe(1);
  expect(outside.stderr).toContain("[skill-file-outside]");
  const unknown = await runAgent(machine, ["skills", "show", "relaese"]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('Did you mean "release"?');
});

test("commands list and expand use the files of user, trusted project and command line", async () => {
  machine.write("home/.quire/commands/review.md", "---\nargument-hint: <file>\n---\nReview $1 for ${2:-bugs}.\n");
  machine.write("project/.quire/commands/ours.md", "Ours.\n");
  const given = machine.write("extra/given.md", "Given: $@.\n");
  const list = await runAgent(machine, ["commands", "list"]);
  expect(list.stdout).toMatch(/^\/review <file>\s+Review \$1 for \$\{2:-bugs\}\./m);
  expect(list.stdout).not.toContain("/ours");
  const { commands } = await json("commands", "list", "--trust", "--command", "../extra/given.md");
  expect(commands).toMatchObject([
    { name: "given", file: given },
    { name: "ours", file: join(machine.project, ".quire/commands/ours.md") },
    { name: "review", hint: "<file>" },
  ]);
  const expanded = await runAgent(machine, ["commands", "expand", '/review "a file.ts"']);
  expect(expanded).toMatchObject({ code: 0, stdout: "Review a file.ts for bugs.\n" });
  expect(await json("commands", "expand", "review x y")).toMatchObject({ text: "Review x for y." });
  const own = await runAgent(machine, ["--prompt-template", "../extra/given.md", "commands", "expand", "/given a b"]);
  expect(own.stdout).toBe("Given: a b.\n");
});

test("commands expand fails for what is no command file, and --no-commands turns all off", async () => {
  machine.write("home/.quire/commands/review.md", "Review.\n");
  const unknown = await runAgent(machine, ["commands", "expand", "/nothing"]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain("There are: /review");
  const off = await runAgent(machine, ["--no-prompt-templates", "commands", "list"]);
  expect(off).toMatchObject({ code: 0, stdout: "" });
  expect(off.stderr).toContain("command files are off");
});
