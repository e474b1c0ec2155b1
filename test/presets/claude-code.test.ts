import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import type { Prompt } from "@quire/core/host";
import { fakeProvider } from "@quire/testkit";
import { namesInText, openClaudeCode, sectionText } from "./claude-code-host.js";

const own = (...names: readonly string[]) => names.map((name) => `preset-claude-code/${name}`);

const staticNames = own(
  "intro",
  "system",
  "doing-tasks",
  "actions",
  "using-tools",
  "tone-and-style",
  "output-efficiency",
);

const files = {
  "/repo/.git/HEAD": "ref: refs/heads/main\n",
  "/repo/CLAUDE.md": "Project rule.\n",
  "/home/ada/.claude/projects/-repo/memory/MEMORY.md": "A note.\n",
};

const reviewer = { name: "reviewer", instructions: "You review changes.\n" };

/** @throws When the global part does not end exactly where the seven static sections do. */
function assertBoundary(prompt: Prompt): void {
  const [first, second] = prompt.regions;
  const head = Buffer.from(prompt.text).subarray(0, first?.end).toString();
  const end = prompt.text.indexOf(sectionText(prompt, "preset-claude-code/guidance"));
  expect([first?.kind, second?.kind]).toEqual(["global", "session"]);
  expect(head).toBe(prompt.text.slice(0, end));
  for (const name of staticNames) expect(head).toContain(sectionText(prompt, name));
}

test("CC-02 the first source that is there wins: agent, then custom text, then the default", async () => {
  const host = await openClaudeCode({ files, systemPrompt: "Custom base." });
  const custom = await host.session.prompt();
  expect(namesInText(custom)).toEqual([...own("intro"), "agents-md/files", ...own("date")]);
  expect(custom.text).toMatch(/^Custom base\.\n\n# Instructions/);
  const agent = await host.session.prompt({ profile: reviewer });
  expect(namesInText(agent)).toEqual([...own("agent"), "agents-md/files", ...own("date")]);
  expect(agent.text).toMatch(/^You review changes\.\n\n# Instructions/);
  const neither = await openClaudeCode({ files });
  expect(namesInText(await neither.session.prompt()).slice(0, 7)).toEqual(staticNames);
});

test("CC-02 a profile without a text is no source", async () => {
  const host = await openClaudeCode({ files });
  const prompt = await host.session.prompt({ profile: { name: "empty", instructions: "  " } });
  expect(namesInText(prompt)[0]).toBe("preset-claude-code/intro");
});

test("CC-03 in proactive mode the agent's text is appended under its heading, and the default stays", async () => {
  const host = await openClaudeCode({ files, config: { claude_code: { proactive: true } }, append: "Last words." });
  const { text } = await host.session.prompt({ profile: reviewer });
  expect(text).toMatch(/^You are an autonomous agent/);
  expect(text).toMatch(/\n\n# Custom Agent Instructions\n\nYou review changes\.\n\nLast words\.$/);
});

test.for([
  { name: "the default prompt", options: {} },
  { name: "a custom one", options: { systemPrompt: "Custom base." } },
  { name: "simple mode", options: { environment: { CLAUDE_CODE_SIMPLE: "1" } } },
])("CC-04 append text comes last, behind $name", async ({ options }) => {
  const host = await openClaudeCode({ files, ...options, append: "Last words.", instructions: "Mine." });
  expect((await host.session.prompt()).text).toMatch(/Mine\.[^]*\n\nLast words\.$/);
});

test("CC-05 skills, output style and environment are gathered side by side", async () => {
  const waiting = new Set<string>();
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow = definePlugin({
    name: "slow",
    apiVersion: 1,
    setup(host) {
      for (const section of ["skills/catalog", "preset-claude-code/output-style", "preset-claude-code/environment"]) {
        host.sections.wrap(section, async (previous) => {
          waiting.add(section);
          if (waiting.size === 3) open();
          await gate;
          return previous;
        });
      }
    },
  });
  const host = await openClaudeCode({
    plugins: [slow],
    files: {
      "/repo/.claude/skills/review/SKILL.md": "---\nname: review\ndescription: Reviews.\n---\nReview.\n",
      "/home/ada/.claude/output-styles/brief.md": "Be brief.\n",
    },
    config: { claude_code: { output_style: "brief" } },
  });
  const prompt = await host.session.prompt();
  expect(waiting.size).toBe(3);
  expect([...prompt.diagnostics, ...host.diagnostics]).toEqual([]);
});

test("CC-06 the result is the ordered list without what is empty", async () => {
  const host = await openClaudeCode({ files: {} });
  const prompt = await host.session.prompt();
  const empty = prompt.leftOut.filter(({ why }) => why === "empty").map(({ section }) => section);
  expect(empty).toEqual(expect.arrayContaining(["memory/files", "agents-md/files", "skills/catalog"]));
  expect(prompt.text).not.toMatch(/# Memory|# Instructions|# Skills|\n\n\n/);
  expect(namesInText(prompt)).toEqual([...staticNames, ...own("guidance", "environment", "date")]);
});

test("CC-07 the static sections stand in their order, and the intro knows of an output style", async () => {
  const plain = await (await openClaudeCode()).session.prompt();
  expect(namesInText(plain).slice(0, 7)).toEqual(staticNames);
  expect(sectionText(plain, "preset-claude-code/intro")).not.toContain("Output style");
  const files = { "/home/ada/.claude/output-styles/teacher.md": "Explain everything.\n" };
  const styled = await (
    await openClaudeCode({ files, config: { claude_code: { output_style: "teacher" } } })
  ).session.prompt();
  expect(sectionText(styled, "preset-claude-code/intro")).toContain('"Output style"');
  expect(styled.text).toContain("# Output style: teacher\n\nExplain everything.");
  expect(styled.leftOut).toContainEqual({ section: "preset-claude-code/doing-tasks", why: "empty" });
});

test("CC-08 the boundary is a place and its marker is never sent", async () => {
  const prompt = await (await openClaudeCode({ files })).session.prompt();
  expect(prompt.text).not.toContain("BOUNDARY");
  assertBoundary(prompt);
});

test("CC-09 before the boundary all is global, behind it nothing is", async () => {
  const prompt = await (await openClaudeCode({ files })).session.prompt();
  const scopes = namesInText(prompt).map((name) => prompt.sections.find((section) => section.name === name)?.scope);
  expect(scopes.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => "global"));
  expect(new Set(scopes.slice(7))).toEqual(new Set(["session"]));
});

test("CC-09 the global part is the same for another user, project, date and model", async () => {
  const here = await (await openClaudeCode({ files })).session.prompt();
  const there = await (
    await openClaudeCode({
      files: { "/srv/CLAUDE.md": "Other." },
      place: {
        cwd: "/srv",
        projectRoot: "/srv",
        home: "/home/bob",
        quireHome: "/home/bob/.quire",
        platform: "darwin (arm64)",
      },
      environment: { SHELL: "/bin/fish" },
      now: () => new Date(2030, 5, 1),
      config: { model: "fake/claude-opus-4-6" },
      ask: () => Promise.resolve(null),
    })
  ).session.prompt();
  expect(there.regions[0]).toEqual(here.regions[0]);
  expect(there.text).not.toBe(here.text);
});

test.for([
  {
    name: "a section of the session moved before it",
    patch: { slot: "identity" },
    section: "preset-claude-code/guidance",
  },
  {
    name: "a static section moved behind it",
    patch: { slot: "session" },
    section: "preset-claude-code/tone-and-style",
  },
])("CC-10 the test of the boundary fails with $name", async ({ patch, section }) => {
  const mover = definePlugin({ name: "mover", apiVersion: 1, setup: (host) => host.sections.patch(section, patch) });
  const prompt = await (await openClaudeCode({ files, plugins: [mover] })).session.prompt();
  expect(() => assertBoundary(prompt)).toThrow();
});

test("CC-10 the test of the boundary fails when a static section stops being global", async () => {
  const breaker = definePlugin({
    name: "breaker",
    apiVersion: 1,
    setup: (host) =>
      host.sections.replace("preset-claude-code/system", { cache: "memoized", compute: ({ cwd }) => `In ${cwd}.` }),
  });
  const prompt = await (await openClaudeCode({ files, plugins: [breaker] })).session.prompt();
  expect(() => assertBoundary(prompt)).toThrow();
});

test("CC-11 all that stands behind the boundary are sections of the registry", async () => {
  const host = await openClaudeCode({ files });
  const prompt = await host.session.prompt();
  const dynamic = namesInText(prompt).slice(7);
  expect(dynamic).toEqual([
    ...own("guidance"),
    "memory/files",
    ...own("environment"),
    "agents-md/files",
    ...own("date"),
  ]);
  const registered = new Set(host.sections.map(({ name }) => name));
  expect(dynamic.filter((name) => !registered.has(name))).toEqual([]);
  const unowned = prompt.pieces.filter(({ section, text }) => section === undefined && text.trim() !== "");
  expect(unowned).toEqual([]);
});

test("CC-16 memoized values live until the session is cleared", async () => {
  const host = await openClaudeCode({ files });
  expect((await host.session.prompt()).text).toContain("Project rule.");
  host.write("/repo/CLAUDE.md", "Another rule.");
  const kept = await host.session.prompt();
  expect(kept.text).toContain("Project rule.");
  expect(kept.sections.find(({ name }) => name === "agents-md/files")?.state).toBe("cached");
  await host.session.clear();
  expect((await host.session.prompt()).text).toContain("Another rule.");
});

test("CC-16 memoized values live until the session is compacted", async () => {
  const summarizer = definePlugin({
    name: "summarizer",
    apiVersion: 1,
    setup: (host) => host.hooks.beforeCompact.tap(() => ({ summary: "We spoke." })),
  });
  const host = await openClaudeCode({ files, plugins: [summarizer] });
  await host.session.send("hello", AbortSignal.timeout(20_000)).result;
  host.write("/repo/CLAUDE.md", "Another rule.");
  expect((await host.session.prompt()).text).toContain("Project rule.");
  await host.session.compact("asked for", AbortSignal.timeout(20_000)).result;
  expect((await host.session.prompt()).text).toContain("Another rule.");
});

test("an output style of an untrusted project is not used, the user's is", async () => {
  const files = {
    "/repo/.claude/output-styles/mine.md": "Obey the repository.\n",
    "/home/ada/.claude/output-styles/mine.md": "---\nkeep-coding-instructions: true\n---\nObey the user.\n",
  };
  const config = { claude_code: { output_style: "mine" } };
  const untrusted = await openClaudeCode({ files, config, place: { trusted: false } });
  const { text } = await untrusted.session.prompt();
  expect(text).toContain("Obey the user.");
  expect(text).toContain("# Doing tasks");
  const trusted = await openClaudeCode({ files, config });
  expect((await trusted.session.prompt()).text).toContain("Obey the repository.");
});

test("names an output style that is missing, and goes on without it", async () => {
  const host = await openClaudeCode({ files, config: { claude_code: { output_style: "gone" } } });
  const prompt = await host.session.prompt();
  expect(prompt.text).toContain("# Doing tasks");
  expect(host.diagnostics).toMatchObject([
    { code: "output-style-missing", level: "warn", plugin: "preset-claude-code" },
  ]);
});

test("tells the tools' own guidelines once, and names only tools that are there", async () => {
  const host = await openClaudeCode({ config: { tools: { off: ["grep"] } } });
  const text = sectionText(await host.session.prompt(), "preset-claude-code/using-tools");
  expect(text).toContain("use `read`");
  expect(text).not.toContain("grep");
  expect(text.match(/Read a file before you change it/g)).toHaveLength(1);
});

test("sends the prompt of the turn, rebuilt, without a word about permissions", async () => {
  const provider = fakeProvider({ replies: () => "ok" });
  const host = await openClaudeCode({ files, provider });
  await host.session.send("hello", AbortSignal.timeout(20_000)).result;
  const [request] = provider.requests;
  expect(request?.system.text).toBe((await host.session.prompt()).text);
  expect(request?.messages.map(({ role }) => role)).toEqual(["user"]);
});

test.for([
  { name: "the user's", file: "/home/ada/.claude/commands/ship.md" },
  { name: "a trusted project's", file: "/repo/.claude/commands/ship.md" },
])("finds $name command files", async ({ file }) => {
  const provider = fakeProvider({ replies: () => "ok" });
  const host = await openClaudeCode({ files: { [file]: "Ship $ARGUMENTS.\n" }, provider });
  await host.session.send("/ship it", AbortSignal.timeout(20_000)).result;
  expect(JSON.stringify(provider.requests[0]?.messages)).toContain("Ship it.");
});

test("is data, one layout and sections: it taps no hook and brings no tool, command or provider", async () => {
  const folder = path.resolve(import.meta.dirname, "../../plugins/preset-claude-code");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const sources = await Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
  expect(sources.length).toBeGreaterThan(10);
  const used = sources.flatMap((source) => [...source.matchAll(/host\.(\w+)\b/g)].map(([, room]) => room));
  expect(new Set(used)).toEqual(new Set(["options", "report", "frontMatter", "sections", "layouts"]));
});
