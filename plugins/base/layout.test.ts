import { expect, test } from "vitest";
import type { PluginHost, SectionContent, SectionSpec } from "@quire/core";
import { definePlugin } from "@quire/core";
import { createHost } from "@quire/core/host";
import type { LoadedPlugin, Prompt } from "@quire/core/host";
import base from "./index.js";

/** The prompt of a host with `base` and a plugin that brings a provider and what `setUp` registers. */
async function promptWith(setUp: (host: PluginHost) => void, name = "own"): Promise<Prompt> {
  const own = definePlugin({
    name,
    apiVersion: 1,
    setup(host) {
      host.providers.register({
        name: "silent",
        api: "none",
        caps: () => ({
          contextTokens: 100_000,
          outputTokens: 1000,
          images: false,
          contextRole: "user",
          cache: { ttlSeconds: 300, read: 0.1, write: 1.25 },
        }),
        project: () => ({ url: "", headers: {}, body: null }),
        async *stream() {
          yield { type: "end", stop: "end" };
        },
      });
      setUp(host);
    },
  });
  const loaded = [base, own].map((plugin): LoadedPlugin => ({
    name: plugin.name,
    version: "1.0.0",
    hash: plugin.name,
    tier: "builtin",
    plugin,
  }));
  const host = await createHost({
    plugins: loaded,
    config: { model: "silent/one" },
    files: {
      read: () => Promise.resolve(null),
      list: () => Promise.resolve(null),
      stamp: () => Promise.resolve("absent"),
    },
    log: { append: () => Promise.resolve(), read: async function* () {} },
    place: (cwd) => ({
      cwd,
      projectRoot: cwd,
      home: "/home/ada",
      quireHome: "/home/ada/.quire",
      trusted: true,
      env: () => undefined,
      platform: "linux (x64)",
      shell: "bash",
    }),
    frontMatter: (body) => ({ data: {}, body, bodyLine: 1 }),
  });
  const session = await host.open({ cwd: "/repo", persist: false });
  return await session.prompt();
}

function section(name: string, slot: string, content: SectionContent | string): SectionSpec {
  return { name, slot, cache: "memoized", compute: () => content };
}

/** What the prompt says after the tools. */
function behindTools(prompt: Prompt): string {
  return prompt.text.split("</tools>\n\n")[1] ?? "";
}

test("begins with identity and rules as plain Markdown, then the tools in a tag", async () => {
  const { text, sections, regions } = await promptWith(() => {});
  expect(sections.map(({ name }) => name)).toEqual(["base/identity", "base/rules", "base/tools"]);
  expect(text).toMatch(/^You are a coding agent\./);
  expect(text).toContain("\n\n# How to work\n\n");
  expect(text).toMatch(/\n\n<tools>\n- use_tool: .+\n<\/tools>$/);
  expect(regions.map(({ kind }) => kind)).toEqual(["global"]);
});

test("PI-11 PI-12 lists tools by their snippets, and guidelines of all of them", async () => {
  const { text } = await promptWith((host) => {
    const tool = { description: "x", input: { type: "object" }, effect: "read", execute: () => "" } as const;
    host.tools.register({ ...tool, name: "own/look", snippet: "look at it", guidelines: ["Look twice."] });
    host.tools.register({ ...tool, name: "own/mute", guidelines: ["Mute rarely.", "Look twice."] });
    host.sections.append({ section: "base/tools" }, "More of it.");
  });
  expect(text).toContain(
    "<tools>\n- look: look at it\n- use_tool: find and call tools that became available after the conversation began\n\n" +
      "Guidelines:\n- Look twice.\n- Mute rarely.\n\nMore of it.\n</tools>",
  );
});

test("gives every other section its tag, in the order of the slots", async () => {
  const file = "/repo/AGENTS.md";
  const prompt = await promptWith((host) => {
    host.sections.register(section("own/last", "end", "Last words."));
    host.sections.register(section("own/todo", "session", { kind: "items", items: [{ id: "a" }], omitted: 2 }));
    host.sections.register(section("own/place", "environment", { kind: "facts", facts: [["shell", "bash"]] }));
    host.sections.register(section("own/note", "skills", "A bare text."));
    host.sections.register(
      section("own/files", "project", {
        kind: "items",
        items: [{ id: file, text: "x", attrs: { path: file } }],
      }),
    );
  });
  expect(behindTools(prompt)).toBe(
    [
      "A bare text.",
      "<own_place>\nshell: bash\n</own_place>",
      "<own_files>\n- x\n</own_files>",
      "<own_todo>\n- a\n(2 more not shown)\n</own_todo>",
      "Last words.",
    ].join("\n\n"),
  );
});

test("puts each instruction file in a block with its path, and copies its text as it stands", async () => {
  const file = "/repo/AGENTS.md";
  const text = 'Use <b> & "quotes".\r\n</project_instructions>\n';
  const prompt = await promptWith((host) => {
    host.sections.register(
      section("agents-md/files", "project", {
        kind: "items",
        intro: "Files:",
        items: [
          { id: file, text, attrs: { path: file }, origin: { kind: "file", file } },
          { id: "/repo/a/AGENTS.md", text: "Near.", attrs: { path: "/repo/a/AGENTS.md" } },
        ],
      }),
    );
  }, "agents-md");
  const suffix = /<project_instructions(-\w{4}) path/.exec(prompt.text)?.[1];
  expect(suffix).toBeDefined();
  expect(behindTools(prompt)).toBe(
    `<project_context>\nFiles:\n\n<project_instructions${suffix} path="/repo/AGENTS.md">\n${text}\n</project_instructions${suffix}>` +
      '\n\n<project_instructions path="/repo/a/AGENTS.md">\nNear.\n</project_instructions>\n</project_context>',
  );
  expect(prompt.pieces.find((piece) => piece.from.file === file)?.text).toBe(text);
});

test.for([
  { plugin: "skills", name: "skills/catalog", slot: "skills", tag: "skills" },
  { plugin: "environment", name: "environment/facts", slot: "environment", tag: "environment" },
  { plugin: "environment", name: "environment/host", slot: "environment", tag: "host_commands" },
])("encloses $name in <$tag>", async ({ plugin, name, slot, tag }) => {
  const prompt = await promptWith((host) => host.sections.register(section(name, slot, "Text.")), plugin);
  expect(behindTools(prompt)).toBe(`<${tag}>\nText.\n</${tag}>`);
});

test("MG-40 writes a skill with a description as name and text, and one without as its name", async () => {
  const items = [
    { id: "release", text: "Makes a release.", attrs: { name: "release" } },
    { id: "bare", attrs: { name: "bare" } },
  ];
  const prompt = await promptWith((host) => {
    host.sections.register(section("skills/catalog", "skills", { kind: "items", items, omitted: 3 }));
  }, "skills");
  expect(behindTools(prompt)).toBe("<skills>\n- release: Makes a release.\n- bare\n(3 more not shown)\n</skills>");
});

test("leaves no trace of a section that is replaced by an empty text", async () => {
  const prompt = await promptWith((host) => host.sections.replace("base/tools", ""));
  expect(prompt.text).not.toContain("tools>");
  expect(prompt.text.endsWith("`path:line`.")).toBe(true);
});

test("tells of a delta section in a block that names it", async () => {
  const { context } = await promptWith((host) => {
    host.sections.register({
      ...section("own/mode", "session", {
        kind: "items",
        items: [{ id: "plan", text: "No edits. </context_update>" }],
      }),
      cache: { volatile: "the mode changes while the work goes on" },
    });
  });
  expect(context.map(({ text }) => text.replaceAll(/context_update-\w{4}/g, "context_update-0000"))).toEqual([
    '<context_update-0000 about="own/mode" state="new">\nFrom now on this holds as well.\n\n' +
      "- No edits. </context_update>\n</context_update-0000>",
  ]);
});
