import { expect, test } from "vitest";
import { bareFiles, fullFiles, usualFiles } from "./fixture.js";
import { openClaudeCode } from "./claude-code-host.js";

test("everything present", async () => {
  const host = await openClaudeCode({
    files: {
      ...fullFiles,
      "/repo/.git/HEAD": "ref: refs/heads/main\n",
      "/home/ada/.claude/projects/-repo/memory/MEMORY.md": "- The payment sandbox resets at night.\n",
      "/home/ada/.claude/output-styles/teacher.md":
        "---\nname: Teacher\nkeep-coding-instructions: true\n---\nExplain one idea behind each change in two sentences.\n",
    },
    config: { claude_code: { language: "French", output_style: "teacher", scratchpad: "/tmp/ada" } },
    instructions: "Prefer small steps.",
    append: "Mention the ticket number.",
    ask: () => Promise.resolve(null),
  });
  const prompt = await host.session.prompt();
  await expect(prompt.text).toMatchFileSnapshot("../golden/claude-code-full.md");
  expect([...prompt.diagnostics, ...host.diagnostics]).toEqual([]);
});

test("the usual", async () => {
  const host = await openClaudeCode({
    files: { ...usualFiles, "/repo/.git/HEAD": "ref: refs/heads/main\n", "/repo/CLAUDE.md": "@AGENTS.md\n" },
  });
  const prompt = await host.session.prompt();
  await expect(prompt.text).toMatchFileSnapshot("../golden/claude-code-usual.md");
  expect([...prompt.diagnostics, ...host.diagnostics]).toEqual([]);
});

test("nothing at all", async () => {
  const host = await openClaudeCode({ files: bareFiles, config: { tools: { only: [] } } });
  const prompt = await host.session.prompt();
  await expect(prompt.text).toMatchFileSnapshot("../golden/claude-code-bare.md");
  expect([...prompt.diagnostics, ...host.diagnostics]).toEqual([]);
});

test("a subagent with the default prompt", async () => {
  const host = await openClaudeCode({ files: { "/repo/CLAUDE.md": "Run `npm test`.\n" } });
  const prompt = await host.session.prompt({ audience: "subagent" });
  await expect(prompt.text).toMatchFileSnapshot("../golden/claude-code-subagent.md");
});

test("proactive mode", async () => {
  const host = await openClaudeCode({
    files: usualFiles,
    config: { claude_code: { proactive: true, language: "French", scratchpad: "/tmp/ada" } },
  });
  const prompt = await host.session.prompt();
  await expect(prompt.text).toMatchFileSnapshot("../golden/claude-code-proactive.md");
});
