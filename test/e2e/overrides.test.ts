import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMachine, runAgent, type Machine } from "../support/agent.js";

interface Document {
  readonly text: string;
  readonly sections: readonly { readonly name: string; readonly text: string; readonly plugin: string }[];
  readonly edits: readonly { readonly section: string; readonly by: string; readonly won: boolean }[];
  readonly diagnostics: readonly { readonly code: string; readonly message: string; readonly fix?: string }[];
}

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ "README.md": "# Demo\n", "AGENTS.md": "Be kind.\n" });
});
afterEach(() => machine.remove());

async function prompt(...args: readonly string[]): Promise<Document> {
  const run = await runAgent(machine, ["prompt", "--json", ...args]);
  expect(run.stderr.split("\n").filter((line) => line.includes("[error"))).toEqual([]);
  expect(run.code).toBe(0);
  return JSON.parse(run.stdout) as Document;
}

/** Every section but the named one has the same bytes in both prompts. */
function expectOnlyChanged(name: string, before: Document, after: Document): void {
  const texts = (document: Document) =>
    document.sections.filter((section) => section.name !== name).map((section) => [section.name, section.text]);
  expect(texts(after)).toEqual(texts(before));
  const rest = (document: Document) =>
    document.text.replace(document.sections.find((section) => section.name === name)?.text ?? "", "");
  expect(rest(after)).toBe(rest(before));
}

const terse = "You are terse.";

const sevenLines = `import { definePlugin } from "@quire/core";

export default definePlugin({
  name: "terse",
  apiVersion: 1,
  setup: (host) => host.sections.replace("base/identity", "You are terse."),
});
`;

test.for([
  { name: "a flag", args: ["--section", `base/identity=${terse}`], files: {} },
  {
    name: "a flag that names a file",
    args: ["--section", "base/identity=@terse.md"],
    files: { "project/terse.md": terse },
  },
  {
    name: "a Markdown file in the user's folder",
    args: [],
    files: { "home/.quire/sections/base/identity.md": `${terse}\n` },
  },
  { name: "config", args: [], files: { "home/.quire/config.yaml": `sections:\n  base/identity: "${terse}"\n` } },
  { name: "a plugin of seven lines", args: ["--plugin", "terse.ts"], files: { "project/terse.ts": sevenLines } },
])("$name replaces one section and nothing else moves", async ({ args, files }) => {
  const before = await prompt();
  for (const [file, text] of Object.entries(files)) machine.write(file, text);
  const after = await prompt(...args);
  expect(after.sections.find((section) => section.name === "base/identity")?.text).toBe(terse);
  expectOnlyChanged("base/identity", before, after);
  expect(after.edits.filter((edit) => edit.section === "base/identity" && edit.won)).toHaveLength(1);
});

function replacing(name: string, text: string): string {
  return `export default { name: "${name}", apiVersion: 1, setup: (host) => host.sections.replace("base/identity", "${text}") };\n`;
}

test("of two plugins that replace one section one wins, the conflict names both, and the pin line works", async () => {
  machine.write("home/.quire/plugins/alpha.mjs", replacing("alpha", "I am alpha."));
  machine.write("home/.quire/plugins/beta.mjs", replacing("beta", "I am beta."));
  const conflicting = await prompt();
  expect(conflicting.sections.find((section) => section.name === "base/identity")?.text).toBe("I am beta.");
  const conflicts = conflicting.diagnostics.filter((diagnostic) => diagnostic.code === "section-conflict");
  expect(conflicts).toHaveLength(1);
  expect(conflicts[0]?.message).toMatch(/"alpha".*"beta"/);
  const line = /\{ "base\/identity": \{ use: "\w+" \} \}/.exec(conflicts[0]?.fix ?? "")?.[0];
  expect(line).toBeDefined();

  machine.write("home/.quire/config.yaml", `sections: ${line?.replace("beta", "alpha")}\n`);
  const pinned = await prompt();
  expect(pinned.sections.find((section) => section.name === "base/identity")?.text).toBe("I am alpha.");
  expect(pinned.diagnostics.filter((diagnostic) => diagnostic.code === "section-conflict")).toEqual([]);
});

test("the base group, appended text and the user's own instructions", async () => {
  const replaced = await prompt(
    "--system-prompt",
    "Only this.",
    "--append-system-prompt",
    "One.",
    "--append-system-prompt",
    "Two.",
    "-s",
    "In French.",
  );
  const names = replaced.sections.map((section) => section.name);
  expect(names).toContain("base/identity");
  expect(names).not.toContain("base/rules");
  expect(replaced.text).toContain("Only this.");
  expect(replaced.sections.find((section) => section.name === "user/append")?.text).toContain("One.\n\nTwo.");
  expect(replaced.sections.find((section) => section.name === "user/instructions")?.text).toContain("In French.");
  const without = await prompt("--no-section", "agents-md/files");
  expect(without.text).not.toContain("Be kind.");
});

test("the README's plugin replaces one section, appends to another, and works from any folder", async () => {
  const plugin = machine.write(
    "elsewhere/my-plugin.ts",
    `import { definePlugin } from "@quire/core";

export default definePlugin({
  name: "my-plugin",
  apiVersion: 1,
  setup(host) {
    host.sections.replace("base/identity", "You are a pirate who writes code.");
    host.sections.append({ section: "base/rules" }, "Say arr now and then.");
  },
});
`,
  );
  const folder = path.dirname(plugin);
  const run = await runAgent(machine, ["--plugin", "./my-plugin.ts", "-p", "hi"], { cwd: folder });
  expect(run.code).toBe(0);
  const shown = await runAgent(machine, ["prompt", "--json", "--plugin", "../elsewhere/my-plugin.ts"]);
  const document = JSON.parse(shown.stdout) as Document;
  expect(document.text).toContain("You are a pirate who writes code.");
  expect(document.sections.find((section) => section.name === "base/rules")?.text).toMatch(
    /\n\nSay arr now and then\.$/,
  );
});
