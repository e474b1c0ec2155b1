import { existsSync, readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

let machine: Machine;
beforeEach(() => {
  machine = createMachine({
    "AGENTS.md": "Be kind.\n",
    "NOTES.md": "A note.\n",
    ".agents/skills/release/SKILL.md": "---\nname: release\ndescription: Makes a release.\n---\nTest first.\n",
  });
  machine.write("home/.quire/AGENTS.md", "Answer in verse.\n");
});
afterEach(() => machine.remove());

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly plugin?: string;
  readonly section?: string;
}

interface Report {
  readonly sections: readonly {
    readonly name: string;
    readonly verdict: string;
    readonly findings: readonly Finding[];
  }[];
  readonly circumstances: readonly string[];
}

/** A plugin of one section, `odd/part`, written as the body of its registration. */
function writePlugin(body: string): string {
  const section = `{ name: "odd/part", slot: "session", cache: "memoized", ${body} }`;
  const text = `export default { name: "odd", apiVersion: 1, setup: (host) => host.sections.register(${section}) };\n`;
  return machine.write("project/odd.mjs", text);
}

async function check(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const run = await runAgent(machine, ["sections", "check", "--json", ...args], { env });
  return { ...run, report: JSON.parse(run.stdout) as Report };
}

test.for(["quire", "magi-code", "iota", "pi", "claude-code", "coding-agent"])(
  "every section of the system %s keeps its cache tag",
  async (system) => {
    const env = { LANG: "en_US.UTF-8", USER: "ada-of-this-machine" };
    const { code, report } = await check(system === "quire" ? [] : ["--preset", system], env);
    expect(report.sections.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    expect(report.circumstances).toEqual(["again", "clock", "locale", "environment order", "model", "tools", "place"]);
    expect(code).toBe(0);
  },
);

test.for([
  { name: "the context's date", body: `compute: (context) => context.today`, words: "at another time" },
  {
    name: "the process's clock",
    body: `compute: () => new Date().toISOString().slice(0, 10)`,
    words: "at another time",
  },
  { name: "Date.now", body: `compute: () => String(Math.floor(Date.now() / 3.6e9))`, words: "at another time" },
  { name: "chance", body: `compute: () => String(Math.random())`, words: "a second time" },
  { name: "the locale of numbers", body: `compute: () => (1234.5).toLocaleString()`, words: "in another locale" },
  {
    name: "the locale of dates",
    body: `compute: () => new Intl.DateTimeFormat(undefined, { month: "long" }).format(new Date(0))`,
    words: "in another locale",
  },
  { name: "LANG of the process", body: `compute: () => process.env.LANG ?? "none"`, words: "in another locale" },
  {
    name: "the order of the environment",
    body: `compute: () => Object.keys(process.env).filter((name) => /^(HOME|PATH)$/.test(name)).join()`,
    words: "with the environment in another order",
  },
  { name: "the model", body: `compute: (context) => context.model.id`, words: "for another model" },
  {
    name: "the tools",
    body: `compute: (context) => context.tools.map(({ name }) => name).join()`,
    words: "with other tools",
  },
])("key-incomplete: a memoized section that depends on $name", async ({ body, words }) => {
  const { code, report } = await check(["--plugin", writePlugin(body), "odd/part"]);
  expect(code).toBe(1);
  const [section] = report.sections;
  expect(section).toMatchObject({ name: "odd/part", plugin: "odd", verdict: "key-incomplete" });
  expect(section?.findings).toHaveLength(1);
  expect(section?.findings[0]).toMatchObject({ code: "key-incomplete", plugin: "odd", section: "odd/part" });
  expect(section?.findings[0]?.message).toContain('"odd/part" of "odd"');
  expect(section?.findings[0]?.message).toContain(words);
});

test.for([
  {
    name: "says all it depends on in its key",
    body: `key: (context) => context.today + context.model.id, compute: (context) => context.today + context.model.id`,
  },
  { name: "asks the environment through its context", body: `compute: (context) => context.env("LANG") ?? "none"` },
  { name: "reads a file of the project", body: `compute: (context) => context.read(context.cwd + "/NOTES.md")` },
  { name: "shows the folder of its session", body: `compute: (context) => context.cwd` },
  { name: "speaks of a root", body: `scope: "global", compute: () => "The root of the project, and /rooted paths."` },
])("a section that $name passes", async ({ body }) => {
  const { code, report } = await check(["--plugin", writePlugin(body), "odd/part"]);
  expect(report.sections).toMatchObject([{ name: "odd/part", verdict: "ok" }]);
  expect(code).toBe(0);
});

test.for([
  {
    name: "its folder",
    body: `key: (context) => context.cwd, compute: (context) => context.cwd`,
    says: "holds a path",
  },
  { name: "the process's folder", body: `compute: () => "in " + process.cwd()`, says: "holds a path" },
  { name: "the home folder", body: `key: (c) => c.home, compute: (c) => c.home + "/.config"`, says: "holds a path" },
  { name: "the day", body: `key: (c) => c.today, compute: (c) => "Today is " + c.today`, says: "holds a date" },
  {
    name: "the user's name",
    body: `compute: (c) => "You serve " + c.env("USER")`,
    says: "for another user in another folder",
  },
  {
    name: "a file of the user",
    body: `compute: (c) => c.read(c.quireHome + "/AGENTS.md")`,
    says: "for another user in another folder",
  },
])("global-leak: a global section that holds $name", async ({ body, says }) => {
  const plugin = writePlugin(`scope: "global", ${body}`);
  const { code, report } = await check(["--plugin", plugin, "odd/part"], { USER: "ada-of-this-machine" });
  expect(code).toBe(1);
  const found = report.sections[0]?.findings.find((finding) => finding.code === "global-leak");
  expect(found).toMatchObject({ plugin: "odd", section: "odd/part" });
  expect(found?.message).toContain(says);
});

test("cache-inversion: the cache-breaking section is named, with the bytes that stand behind it", async () => {
  const plugin = machine.write(
    "project/early.mjs",
    `export default { name: "early", apiVersion: 1, setup: (host) => host.sections.register({
      name: "early/mood", slot: "identity",
      cache: { volatile: "moods change every turn", deliver: "prefix" }, compute: () => "calm" }) };\n`,
  );
  const run = await runAgent(machine, ["sections", "check", "--plugin", plugin]);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/early\/mood +volatile +early +cache-inversion/);
  expect(run.stdout).toMatch(/\[cache-inversion\] Section "early\/mood" of "early": \d+ bytes/);
  expect(run.stdout).toContain("1 fault\n");
});

test("a section that fails in other circumstances is a fault, and the others are checked", async () => {
  const body = `compute: () => { if (/^de/.test(process.env.LANG)) throw new Error("no German"); return "fine"; }`;
  const { code, report } = await check(["--plugin", writePlugin(body)]);
  expect(code).toBe(1);
  expect(report.sections.find(({ name }) => name === "odd/part")).toMatchObject({ verdict: "section-failed" });
  expect(report.sections.find(({ name }) => name === "base/rules")).toMatchObject({ verdict: "ok" });
});

test("names what it does not know, and says when a section is not in the prompt", async () => {
  const wrong = await runAgent(machine, ["sections", "check", "base/rulse"]);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toContain('Did you mean "base/rules"?');
  const { code, report } = await check(["--no-section", "base/rules", "base/rules"]);
  expect(report.sections).toMatchObject([{ name: "base/rules", verdict: "absent" }]);
  expect(code).toBe(0);
});

test("leaves nothing behind: no session, no folder, and its own process as it was", async () => {
  const run = await runAgent(machine, ["sections", "check"], { env: { TMPDIR: machine.root } });
  expect(run.code).toBe(0);
  expect(run.stdout).toContain("no fault");
  expect(readdirSync(machine.root).filter((name) => name.startsWith("quire-check-"))).toEqual([]);
  expect(existsSync(`${machine.quireHome}/sessions`)).toBe(false);
});
