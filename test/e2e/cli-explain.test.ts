import { join } from "node:path";
import type { PromptDocument } from "@quire/cli";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

interface Explanation {
  readonly where: string;
  readonly found: number;
  readonly parts: readonly {
    readonly start: number | null;
    readonly end: number | null;
    readonly text: string;
    readonly section: string | null;
    readonly plugin: string | null;
    readonly version: string | null;
    readonly by: string;
    readonly file: string | null;
    readonly line: number | null;
  }[];
  readonly edits: readonly { readonly by: string; readonly won: boolean }[];
}

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ "AGENTS.md": "# Rules\n\nBe kind to the Ünïcode.\nAnd brief.\n" });
});
afterEach(() => machine.remove());

async function explain(...args: readonly string[]): Promise<Explanation> {
  const run = await runAgent(machine, ["prompt", "--json", ...args]);
  expect(run.code).toBe(0);
  return JSON.parse(run.stdout) as Explanation;
}

test("--explain names section, plugin, file and line of a text", async () => {
  const file = join(machine.project, "AGENTS.md");
  const { where, found, parts } = await explain("--explain", "And brief");
  expect({ where, found }).toEqual({ where: "prefix", found: 1 });
  expect(parts).toMatchObject([{ section: "agents-md/files", plugin: "agents-md", file, line: 4, text: "And brief" }]);
  expect(parts[0]?.version).toMatch(/^\d/);
  const run = await runAgent(machine, ["prompt", "--explain", "And brief"]);
  expect(run.stdout).toContain(`${file}:4`);
  expect(run.stdout).toContain("nobody else wants that place");
});

test("--at names the author of every byte, a place inside a character included", async () => {
  const document = JSON.parse((await runAgent(machine, ["prompt", "--json"])).stdout) as PromptDocument;
  const bytes = Buffer.from(document.text);
  const inside = bytes.indexOf(Buffer.from("Ü")) + 1;
  const { parts } = await explain("--at", String(inside));
  expect(parts).toMatchObject([{ text: "Ü", section: "agents-md/files", line: 3, start: inside - 1, end: inside + 1 }]);
  for (const section of document.sections) {
    if (section.start === null) continue;
    const found = await explain("--at", String(section.start));
    expect(found.parts[0]).toMatchObject({ section: section.name });
  }
  const beyond = await runAgent(machine, ["prompt", "--at", String(bytes.length)]);
  expect(beyond.code).toBe(2);
  expect(beyond.stderr).toContain(`has ${bytes.length} bytes`);
});

test("says who else wanted the place, and whose file won", async () => {
  const file = machine.write("home/.quire/sections/base/identity.md", "---\nmode: replace\n---\nYou are dry.\n");
  const { parts, edits } = await explain("--section", "base/identity=You are terse.", "--explain", "You are terse.");
  expect(parts).toMatchObject([{ section: "base/identity", by: "flag" }]);
  expect(edits).toMatchObject([
    { by: `${file}:4`, won: false },
    { by: "flag", won: true },
  ]);
  const own = await explain("--explain", "You are dry.");
  expect(own.parts).toMatchObject([{ section: "base/identity", plugin: "base", file, line: 4 }]);
});

test("a text of several authors is told part by part, markup of the layout included", async () => {
  const { parts } = await explain("--explain", '">\n# Rules');
  expect(parts.map(({ text, by }) => [text, by])).toEqual([
    ['">\n', "layout of base"],
    ["# Rules", join(machine.project, "AGENTS.md:1")],
  ]);
});

test("text of config, of a flag's file and of a skill leads to its line", async () => {
  const config = machine.write(
    "home/.quire/config.yaml",
    "model: rehearsal\ninstructions: |\n  First.\n  Answer in French.\n",
  );
  expect((await explain("--explain", "Answer in French.")).parts).toMatchObject([{ file: config, line: 4 }]);
  const file = machine.write("project/end.md", "One.\nTwo.\nThree.\n");
  const found = await explain("--append-system-prompt", "end.md", "--explain", "Three.");
  expect(found.parts).toMatchObject([{ section: "user/append", file, line: 3 }]);
});

test("finds what is told late and what a tool says of itself", async () => {
  const late = await explain("--explain", "nobody is here to be asked");
  expect(late).toMatchObject({ where: "context", parts: [{ section: "permissions/policy", plugin: "permissions" }] });
  const tools = JSON.parse((await runAgent(machine, ["list", "tools", "--json"])).stdout) as {
    tools: readonly { name: string; description: string }[];
  };
  const read = tools.tools.find(({ name }) => name === "read");
  const tool = await explain("--explain", read?.description ?? "");
  expect(tool).toMatchObject({ where: "tool", parts: [{ plugin: "tools-files", start: null }] });
});

test("a text that stands nowhere is a failure that says where to look", async () => {
  const run = await runAgent(machine, ["prompt", "--explain", "no such words"]);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain("[text-not-found]");
  expect(run.stderr).toContain("agent sections list");
});

test("the near file is whole and the far one cut on a character: marker, diagnostic and a line of the map", async () => {
  machine.write("project/AGENTS.md", `${"ÄÖÜ äöü\n".repeat(2857)}ab`);
  machine.write("project/deep/AGENTS.override.md", "near and dear\n".repeat(143));
  const cwd = join(machine.project, "deep");
  const run = await runAgent(machine, ["prompt", "--json"], { cwd });
  const document = JSON.parse(run.stdout) as PromptDocument;
  expect(document.text).toContain("near and dear\n".repeat(143).trimEnd());
  expect(document.text).not.toContain("\uFFFD");
  const root = join(machine.project, "AGENTS.md");
  const sources = document.sections.find(({ name }) => name === "agents-md/files")?.sources ?? [];
  expect(sources.map(({ path, truncated }) => [path, truncated])).toEqual([
    [root, true],
    [join(cwd, "AGENTS.override.md"), false],
  ]);
  expect(document.cuts).toMatchObject([{ section: "agents-md/files", item: root }]);
  const [cut] = document.cuts;
  expect(document.text).toContain(cut?.marker);
  expect(document.diagnostics.some(({ section }) => section === "agents-md/files")).toBe(true);
  const map = await runAgent(machine, ["prompt", "--map"], { cwd });
  expect(map.stdout).toMatch(new RegExp(`^cut: agents-md/files ${root}, ${cut?.kept_bytes} bytes kept, marked "`, "m"));
});
