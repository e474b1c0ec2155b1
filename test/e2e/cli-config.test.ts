import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
let file = "";
beforeEach(() => {
  machine = createMachine({ "README.md": "# A project\n" });
  file = join(machine.quireHome, "config.yaml");
});
afterEach(() => machine.remove());

test.for([
  { name: "a key that does not exist", yaml: "model: rehearsal\nmodle: x\n", line: 2, names: "`model`" },
  { name: "broken YAML", yaml: "model: rehearsal\nplugins: [\n", line: 2, names: "config.yaml" },
  { name: "a value of another kind", yaml: "model: rehearsal\n\ndisable: skills\n", line: 3, names: "disable" },
  { name: "a mode that does not exist", yaml: "permissions:\n  mode: alll\n", line: 2, names: "full" },
])("$name: file, line, what and how to mend it; exit code 2, no stack", async ({ yaml, line, names }) => {
  machine.write(file, yaml);
  for (const argv of [["-p", "hi"], ["config", "check"], ["prompt"]]) {
    const run = await runAgent(machine, argv);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(`${file}:${line}`);
    expect(run.stderr).toContain(names);
    expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
  }
});

test("init writes a file of comments, once, and check reads it", async () => {
  const first = await runAgent(machine, ["config", "init"]);
  expect(first).toMatchObject({ code: 0, stdout: `wrote ${file}\n` });
  const text = readFileSync(file, "utf8");
  expect(text).toContain("# model:");
  expect(await runAgent(machine, ["config", "check"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("config is good"),
  });
  machine.write(file, "model: rehearsal\n");
  const second = await runAgent(machine, ["config", "init"]);
  expect(second).toMatchObject({ code: 1, stdout: "" });
  expect(readFileSync(file, "utf8")).toBe("model: rehearsal\n");
});

test("the template that init writes is good config once its comments are taken away", async () => {
  await runAgent(machine, ["config", "init"]);
  const lines = readFileSync(file, "utf8").split("\n").slice(2);
  const active = lines.map((line) => line.replace(/^# ?/, "")).join("\n");
  machine.write(file, active.replace("plugins:\n", "plugins:\n").replace("./plugins/focus.ts", "focus"));
  const run = await runAgent(machine, ["config", "check"]);
  expect(run.stderr).not.toContain("config-");
});

test("CA-57 the folder of -C is the one a link leads to, and must be a folder", async () => {
  const link = join(machine.root, "link");
  symlinkSync(machine.project, link);
  const run = await runAgent(machine, ["config", "path", "--json", "-C", link], { cwd: machine.root });
  expect(run.code).toBe(0);
  expect(run.stdout).toContain(join(machine.project, ".quire/config.yaml"));
  expect(run.stdout).not.toContain(link);
  const file = await runAgent(machine, ["prompt", "-C", join(link, "README.md")], { cwd: machine.root });
  expect(file).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("[cwd-missing]") });
});

test("path lists every file that may count", async () => {
  machine.write(file, "model: rehearsal\n");
  const run = await runAgent(machine, ["config", "path", "--json"]);
  expect(JSON.parse(run.stdout)).toMatchObject({
    files: [
      { scope: "user", file, exists: true, used: true },
      { scope: "project", file: join(machine.project, ".quire/config.yaml"), exists: false, used: false },
    ],
  });
});

test("get says a value and where it comes from: file and line, a flag, the defaults", async () => {
  machine.write(file, "model: rehearsal\npermissions:\n  mode: plan\n");
  const fromFile = await runAgent(machine, ["config", "get", "permissions.mode"]);
  expect(fromFile).toMatchObject({ code: 0, stdout: "plan\n" });
  expect(fromFile.stderr).toContain(`${file}:3`);
  const fromFlag = await runAgent(machine, [
    "--permission-mode",
    "full",
    "config",
    "get",
    "permissions.mode",
    "--json",
  ]);
  expect(JSON.parse(fromFlag.stdout)).toMatchObject({ value: "full", from: expect.stringContaining("flag") });
  const whole = await runAgent(machine, ["config", "get", "permissions"]);
  expect(JSON.parse(whole.stdout)).toEqual({ mode: "plan" });
  const unset = await runAgent(machine, ["config", "get", "modle"]);
  expect(unset).toMatchObject({ code: 2, stdout: "" });
  expect(unset.stderr).toContain("model");
});

test("schema is a JSON Schema that knows the keys of host and plugins", async () => {
  const run = await runAgent(machine, ["config", "schema"]);
  const schema = JSON.parse(run.stdout) as { properties: Record<string, unknown>; additionalProperties: unknown };
  expect(schema.additionalProperties).toBe(false);
  for (const key of ["model", "layout", "plugins", "sections", "permissions", "providers", "instruction_files"])
    expect(Object.keys(schema.properties)).toContain(key);
});

test("-c is the only config of a start", async () => {
  machine.write(file, "modle: broken\n");
  machine.write("project/own.yaml", "sections:\n  base/identity: You are terse.\n");
  const run = await runAgent(machine, ["-c", "own.yaml", "prompt"]);
  expect(run.code).toBe(0);
  expect(run.stdout).toContain("You are terse.");
});

test("nothing is written by a command that only looks", async () => {
  for (const argv of [["prompt"], ["config", "path"], ["doctor"], ["session", "list"]]) await runAgent(machine, argv);
  expect(existsSync(file)).toBe(false);
  expect(existsSync(join(machine.quireHome, "sessions"))).toBe(false);
});

test.for([
  { text: "model: foo/bar\n", says: /model-unknown.*foo/ },
  { text: "layout: claude\n", says: /layout-unknown.*claude/ },
  { text: "sections: { base/identiti: x }\n", says: /section-dangling.*base\/identiti/ },
  { text: "tools: { only: [raed] }\n", says: /tool-unknown.*raed/ },
  { text: "permissions: { allow: ['bsh(npm *)'] }\n", says: /tool-unknown.*bsh/ },
])("config check does not call good what does nothing or fails: $text", async ({ text, says }) => {
  machine.write("home/.quire/config.yaml", text);
  const run = await runAgent(machine, ["config", "check"]);
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(says);
  expect(run.stdout).not.toContain("is good");
});

test("get tells a key that nothing sets from one that does not exist", async () => {
  const unset = await runAgent(machine, ["config", "get", "permissions.mode"]);
  expect(unset).toMatchObject({ code: 2, stdout: "" });
  expect(unset.stderr).toMatch(/config-unset.*its default holds/);
  expect((await runAgent(machine, ["config", "get", "modle"])).stderr).toMatch(/no key "modle".*"model"/);
});

test.for([
  { text: "\nmodel: foo/bar\n", says: /model-unknown.*foo.*config\.yaml:2/ },
  { text: "\nlayout: claude\n", says: /layout-unknown.*claude.*config\.yaml:2/ },
  { text: "\npreset: claude\n", says: /preset-unknown.*config\.yaml:2.*Did you mean claude-code/ },
])("a turn names the line of config that it cannot start with: $text", async ({ text, says }) => {
  machine.write("home/.quire/config.yaml", text);
  const run = await runAgent(machine, ["-p", "hi"]);
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(says);
});

test("names the key of a plugin that may be meant", async () => {
  machine.write("home/.quire/config.yaml", "permissions: { alow: [bash] }\n");
  const run = await runAgent(machine, ["config", "check"]);
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(/alow.*config\.yaml:1.*Did you mean `allow`/);
});

test("refuses a config file of a name that is not read", async () => {
  machine.write("home/.quire/config.yml", "model: rehearsal\n");
  const run = await runAgent(machine, ["-p", "hi"]);
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(/config-misnamed.*config\.yml.*Rename it to config\.yaml/);
});

test("check tells all faults of a file at once, and options that a plugin does not know", async () => {
  machine.write("home/.quire/config.yaml", "modle: x\npermisions: { mode: ask }\n");
  const many = await runAgent(machine, ["config", "check"]);
  expect(many.code).toBe(2);
  expect(many.stderr).toMatch(/`modle`.*also: `permisions` is no known key \(line 2\).*config\.yaml:1/);
  const plugin = machine.write(
    "focus.ts",
    `import * as z from "zod";
     export default { name: "focus", apiVersion: 1, options: z.object({ tone: z.string().optional() }), setup() {} };`,
  );
  machine.write("home/.quire/config.yaml", `plugins:\n  ${plugin}:\n    options: { tome: dry }\n`);
  const option = await runAgent(machine, ["config", "check"]);
  expect(option.code).toBe(1);
  expect(option.stderr).toMatch(/option-unknown.*tome.*Did you mean "tone"/);
  expect((await runAgent(machine, ["config", "schema"])).stdout).toContain('"tone"');
});
