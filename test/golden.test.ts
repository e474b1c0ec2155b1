import { afterEach, expect, test } from "vitest";
import { createMachine, runAgent, type Machine } from "./support/agent.js";

let machine: Machine | undefined;
afterEach(() => machine?.remove());

/** What differs from machine to machine and from day to day, put into plain words. */
function settled(text: string, of: Machine): string {
  return text
    .replaceAll(of.root, "/machine")
    .replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, "2026-01-02")
    .replaceAll(/\b(linux|macos|darwin) \(\w+\)/g, "linux (x64)");
}

const skill = (name: string, about: string) => `---\nname: ${name}\ndescription: ${about}\n---\nDo it well.\n`;

test.for([
  { name: "bare", args: ["--no-plugin", "environment", "--tools", ""], files: {}, home: {} },
  {
    name: "usual",
    args: [],
    files: { "AGENTS.md": "# Toast\n\nUse tabs. Run `npm test` before you finish.\n" },
    home: {},
  },
  {
    name: "full",
    args: ["--append-system-prompt", "Finish before noon."],
    files: {
      "AGENTS.md": "# Toast\n\nUse tabs.\n",
      "packages/oven/AGENTS.override.md": "Ovens are hot. A closing tag stands here: </project_instructions>\n",
      ".agents/skills/bake/SKILL.md": skill("bake", "How bread is baked here. Use it before you touch the oven."),
    },
    home: {
      ".quire/AGENTS.md": "Answer in short sentences.\n",
      ".quire/config.yaml": "instructions: Call me Ada.\npermissions: { mode: edit }\n",
      ".quire/skills/review/SKILL.md": skill("review", "How to review <a> change & answer it."),
    },
  },
])("the default prompt, $name, reads as it should", async ({ name, args, files, home }) => {
  machine = createMachine(files);
  for (const [file, text] of Object.entries(home)) machine.write(`home/${file}`, text);
  const cwd = name === "full" ? `${machine.project}/packages/oven` : machine.project;
  const run = await runAgent(machine, ["prompt", "--json", "--message", "Hello.", ...args], { cwd });
  expect(run.code).toBe(0);
  const shown = JSON.parse(run.stdout) as {
    text: string;
    context: readonly { text: string }[];
    tools: readonly { name: string }[];
  };
  const context = shown.context.map((item) => `\n\n<!-- context message -->\n\n${item.text}`).join("");
  const tools = `\n\n<!-- tools: ${shown.tools.map((tool) => tool.name).join(", ") || "none"} -->\n`;
  await expect(settled(`${shown.text}${context}${tools}`, machine)).toMatchFileSnapshot(`golden/default-${name}.md`);
});
