import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
beforeEach(() => {
  machine = createMachine({
    "AGENTS.md": "Be kind.\n",
    ".quire/skills/release/SKILL.md": "---\nname: release\ndescription: Makes a release.\n---\nTest first.\n",
  });
});
afterEach(() => machine.remove());

const prompt = async (...args: readonly string[]) => (await runAgent(machine, [...args, "prompt"])).stdout;

test("sections eject writes a file that replaces the section and moves no byte", async () => {
  const before = await prompt();
  for (const name of ["base/identity", "base/tools", "skills/catalog", "environment/facts", "agents-md/files"]) {
    const run = await runAgent(machine, ["sections", "eject", name]);
    const file = join(machine.quireHome, "sections", `${name}.md`);
    expect(run).toMatchObject({ code: 0, stdout: `wrote ${file}\n`, stderr: "" });
    expect(readFileSync(file, "utf8")).toMatch(/^---\nbase: "[0-9a-f]{64}"\n---\n/);
    expect(await prompt()).toBe(before);
  }
  const why = await runAgent(machine, ["sections", "why", "base/tools"]);
  expect(why.stdout).toMatch(/won\s+replace\s+user/);
});

test("sections eject leaves an existing file as it is", async () => {
  const file = machine.write("home/.quire/sections/base/rules.md", "Mine.\n");
  const run = await runAgent(machine, ["sections", "eject", "base/rules"]);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain("[section-file-exists]");
  expect(readFileSync(file, "utf8")).toBe("Mine.\n");
});

test.for([
  { name: "memory/files", args: [], what: "says nothing now (empty)" },
  { name: "permissions/policy", args: [], what: "mode: append" },
  { name: "user/append", args: ["--append-system-prompt", "The end."], what: "your own text already" },
  { name: "base/rules", args: ["--section", "base/rules=Use {{x}}."], what: "{{" },
  { name: "base/ruels", args: [], what: 'Did you mean "base/rules"?' },
])("sections eject refuses $name and says why", async ({ name, args, what }) => {
  const run = await runAgent(machine, [...args, "sections", "eject", name]);
  expect(run.code).toBeGreaterThan(0);
  expect(run.stderr).toContain(what);
  expect(existsSync(join(machine.quireHome, "sections"))).toBe(false);
});

test("sections eject says when something above the file decides what stands there", async () => {
  const run = await runAgent(machine, ["--section", "base/rules=Terse.", "sections", "eject", "base/rules"]);
  expect(run.code).toBe(0);
  expect(run.stderr).toContain("it does not count as long as flag decides");
});

test("sections diff shows what an override changed, and that it is outdated when the text behind it has changed", async () => {
  await runAgent(machine, ["sections", "eject", "base/identity"]);
  const file = join(machine.quireHome, "sections", "base", "identity.md");
  const same = await runAgent(machine, ["sections", "diff", "base/identity"]);
  expect(same.stdout).toBe(`base/identity: replaced by ${file}:4 (user)\nboth say the same\n`);
  const [, , , ...text] = readFileSync(file, "utf8").split("\n");
  machine.write(
    "home/.quire/sections/base/identity.md",
    `---\nbase: "${"0".repeat(64)}"\n---\nHello.\n${text.join("\n")}`,
  );
  const changed = await runAgent(machine, ["sections", "diff", "base/identity"]);
  expect(changed.stdout).toContain("has changed since it was ejected");
  expect(changed.stdout).toMatch(/^\+ Hello\.$/m);
  expect(changed.stdout).not.toMatch(/^- /m);
  const found = JSON.parse((await runAgent(machine, ["sections", "diff", "base/identity", "--json"])).stdout) as {
    before: string;
    after: string;
  };
  expect(found).toMatchObject({ layer: "user", op: "replace", outdated: true });
  expect(found.after).toBe(`Hello.\n${found.before}`);
});

test.for([
  { name: "a flag over a file", args: ["--section", "base/identity=Terse."], by: "flag (flags)", below: "Dry." },
  { name: "a replaced group", args: ["--system-prompt", "All new."], by: "flag (flags)", below: "Dry." },
])("sections diff compares $name with the file's text", async ({ args, by, below }) => {
  machine.write("home/.quire/sections/base/identity.md", "Dry.\n");
  const run = await runAgent(machine, [...args, "sections", "diff", "base/identity"]);
  expect(run.stdout).toContain(`base/identity: replaced by ${by}`);
  expect(run.stdout).toContain(`- ${below}`);
});

test("sections diff compares a plugin's text with the section's own, and a removed section with nothing", async () => {
  const plugin = machine.write(
    "terse.ts",
    `export default { name: "terse", apiVersion: 1, setup(host) { host.sections.replace("base/identity", "Terse."); } };`,
  );
  const run = await runAgent(machine, ["--plugin", plugin, "sections", "diff", "base/identity"]);
  expect(run.stdout).toContain("replaced by terse");
  expect(run.stdout).toMatch(/^- You are /m);
  expect(run.stdout).toMatch(/^\+ Terse\.$/m);
  const removed = await runAgent(machine, ["--no-section", "base/identity", "sections", "diff", "base/identity"]);
  expect(removed.stdout).toContain("removed by flag");
  expect(removed.stdout).toMatch(/^- You are /m);
  const nobody = await runAgent(machine, ["sections", "diff", "base/identity"]);
  expect(nobody.stdout).toBe("nothing replaces base/identity\n");
});
