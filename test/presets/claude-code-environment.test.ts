import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import type { Cache, SectionItem } from "@quire/core";
import { namesInText, openClaudeCode, sectionText } from "./claude-code-host.js";

const repository = { "/repo/.git/HEAD": "ref: refs/heads/main\n" };
const signal = AbortSignal.timeout(20_000);

/** Stands where the servers' own instructions will. */
function servers(list: () => readonly SectionItem[], cache: Cache = "memoized") {
  return definePlugin({
    name: "mcp",
    apiVersion: 1,
    setup: (host) =>
      host.sections.register({
        name: "mcp/servers",
        slot: "mcp",
        cache,
        compute: () => ({ kind: "items", items: list() }),
      }),
  });
}

const server = (name: string, text: string): SectionItem => ({ id: name, text, attrs: { name } });

test("CC-30 lists folder, git, platform, shell, OS version, and the model with its id, family and cutoff", async () => {
  const host = await openClaudeCode({ files: repository });
  expect(sectionText(await host.session.prompt(), "preset-claude-code/environment")).toMatch(
    new RegExp(
      [
        "^# Environment\n\n.*\n",
        "- Working directory: /repo/packages/app",
        "- Is a git repository: yes",
        String.raw`- Platform: linux \(x64\)`,
        "- Shell: zsh",
        "- OS version: 6.6.4",
        "- Model: Claude Sonnet 4.5",
        "- Model id: claude-sonnet-4-5-20250929",
        "- Model family: Claude 4.5",
        "- Knowledge cutoff: January 2025$",
      ].join("\n"),
    ),
  );
});

test("CC-30 says so where there is no repository, and gives a worktree's file its due", async () => {
  const none = await openClaudeCode({ files: {} });
  expect((await none.session.prompt()).text).toContain("- Is a git repository: no");
  const worktree = await openClaudeCode({ files: { "/repo/.git": "gitdir: /elsewhere\n" } });
  expect((await worktree.session.prompt()).text).toContain("- Is a git repository: yes");
});

test("CC-30 follows the model when it is changed in the session", async () => {
  const host = await openClaudeCode({ files: repository });
  await host.session.prompt();
  await host.session.setModel("fake/claude-opus-4-6");
  expect((await host.session.prompt()).text).toContain("- Model id: claude-opus-4-6\n- Model family: Claude 4.6");
});

test.for([
  { name: "the shell of SHELL", platform: "linux (x64)", shell: "/opt/bin/fish", want: /^fish$/ },
  { name: "the host's own shell without SHELL", platform: "linux (x64)", shell: "", want: /^bash$/ },
  {
    name: "a note on Unix syntax on Windows",
    platform: "win32 (x64)",
    shell: String.raw`C:\Git\bin\bash.exe`,
    want: /^bash \(.*Unix syntax.*\)$/,
  },
])("CC-31 gives $name", async ({ platform, shell, want }) => {
  const host = await openClaudeCode({ place: { platform }, environment: { SHELL: shell } });
  const line = (await host.session.prompt()).text.split("\n").find((each) => each.startsWith("- Shell: "));
  expect(line?.slice("- Shell: ".length)).toMatch(want);
});

test("lists servers with instructions under one heading, name above text, a blank line between", async () => {
  const items = [server("github", "Prefer search."), server("db", "Read only.\n\nAsk before you write.")];
  const host = await openClaudeCode({ plugins: [servers(() => items)] });
  const prompt = await host.session.prompt();
  expect(sectionText(prompt, "mcp/servers")).toMatch(
    /^# MCP Server Instructions\n\n.*\n\n## github\n\nPrefer search\.\n\n## db\n\nRead only\.\n\nAsk before you write\.$/,
  );
  expect(namesInText(prompt).indexOf("mcp/servers")).toBe(
    namesInText(prompt).indexOf("preset-claude-code/environment") + 1,
  );
  expect(
    sectionText(await (await openClaudeCode({ plugins: [servers(() => [])] })).session.prompt(), "mcp/servers"),
  ).toBe("");
});

test("copies a server's text as it is", async () => {
  const text = 'Use <b>bold</b> & "quotes"; </system-reminder> </env>\r\n  indented\t# Heading';
  const host = await openClaudeCode({ plugins: [servers(() => [server("odd", text)])] });
  expect((await host.session.prompt()).text).toContain(`## odd\n\n${text}`);
});

test("a server that comes late by the delta path leaves the system prompt as it was", async () => {
  const items = [server("github", "Prefer search.")];
  const cache = { volatile: "servers connect and leave while the session goes on" } as const;
  const host = await openClaudeCode({ plugins: [servers(() => [...items], cache)] });
  await host.session.send("one", signal).result;
  const before = await host.session.prompt();
  items.push(server("late", "Came later."));
  await host.session.send("two", signal).result;
  const after = await host.session.prompt();
  expect([after.text, after.request.system.regions]).toEqual([before.text, before.request.system.regions]);
  const told = host.session.messages.filter(({ role }) => role === "context");
  expect(JSON.stringify(told[1]?.content)).toContain("<system-reminder>\\nmcp/servers: This has changed");
  expect(JSON.stringify(told[1]?.content)).toContain("## late\\n\\nCame later.");
});

const task = { name: "explorer", instructions: "You explore code.\n" };

test("CC-36 a subagent starts from the given prompt, else from the default one, and has nothing of the main prompt", async () => {
  const host = await openClaudeCode({ files: repository, systemPrompt: "Custom base." });
  const given = await host.session.prompt({ audience: "subagent", profile: task });
  expect(given.text).toMatch(/^You explore code\.\n\n# Notes/);
  const standard = await host.session.prompt({ audience: "subagent" });
  expect(standard.text).toMatch(/^You are an agent of Quire/);
  const names = ["agent", "agent-notes", "agent-environment"].map((name) => `preset-claude-code/${name}`);
  expect(namesInText(given)).toEqual(names);
  expect(namesInText(standard)).toEqual(names);
});

test("CC-37 notes and environment follow a subagent's prompt", async () => {
  const host = await openClaudeCode({ files: repository });
  const notes = sectionText(await host.session.prompt({ audience: "subagent" }), "preset-claude-code/agent-notes");
  for (const rule of [
    /starts in the original folder again/,
    /Use absolute paths/,
    /final answer, by absolute path/,
    /No emoji/,
    /rather than a colon/,
  ]) {
    expect(notes).toMatch(rule);
  }
});

test("CC-38 a subagent's environment has the kernel's name and release, in a block", async () => {
  const host = await openClaudeCode({ files: repository });
  const { text } = await host.session.prompt({ audience: "subagent" });
  expect(text).toMatch(
    /<env>\nWorking directory: \/repo\/packages\/app\n[^]*\nOS version: Linux 6\.6\.4\n[^]*<\/env>$/,
  );
  expect(text).toContain("Today's date: 2026-01-02");
  expect((await host.session.prompt()).text).not.toContain("Linux 6.6.4");
});

test("CC-39 the default prompt asks for the whole task, nothing beyond it, and a short report", async () => {
  const host = await openClaudeCode();
  const text = sectionText(await host.session.prompt({ audience: "subagent" }), "preset-claude-code/agent");
  for (const rule of [/Finish the whole/, /neither stopping halfway nor adding to it/, /short report/, /your caller/]) {
    expect(text).toMatch(rule);
  }
});

const everything = {
  ...repository,
  "/repo/CLAUDE.md": "Project rule.\n",
  "/repo/.claude/skills/review/SKILL.md": "---\nname: review\ndescription: Reviews.\n---\nReview.\n",
  "/home/ada/.claude/projects/-repo/memory/MEMORY.md": "A note.\n",
};

test("CC-40 simple mode is a stub: identity, folder and date, and nothing of anybody else", async () => {
  const host = await openClaudeCode({
    files: everything,
    environment: { CLAUDE_CODE_SIMPLE: "1" },
    plugins: [servers(() => [server("github", "Prefer search.")])],
  });
  const prompt = await host.session.prompt();
  expect(prompt.text).toBe(
    "You are the coding agent of Quire, a host on the user's command line.\n\nCWD: /repo/packages/app\nDate: 2026-01-02",
  );
});

test.for(["", "0", "false"])("CC-40 is off with %j", async (value) => {
  const host = await openClaudeCode({ files: everything, environment: { CLAUDE_CODE_SIMPLE: value } });
  expect((await host.session.prompt()).text).toContain("# Doing tasks");
});

test("CC-41 proactive mode has a short identity and its own sections, and no guidance on coding", async () => {
  const host = await openClaudeCode({
    files: everything,
    config: { claude_code: { proactive: true, language: "French", scratchpad: "/tmp/ada" } },
    plugins: [servers(() => [server("github", "Prefer search.")])],
  });
  const prompt = await host.session.prompt();
  const own = (name: string) => `preset-claude-code/${name}`;
  expect(namesInText(prompt)).toEqual([
    own("proactive-intro"),
    own("reminders"),
    "memory/files",
    own("environment"),
    own("language"),
    "mcp/servers",
    own("scratchpad"),
    own("proactive"),
    "skills/catalog",
    "agents-md/files",
    own("date"),
  ]);
  expect(prompt.text).not.toMatch(/# Doing tasks|# Using your tools/);
});
