import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, type SectionBody, type SectionContext } from "@quire/core";
import { expect, test } from "vitest";
import { tempHome } from "../testing/temp-home.js";

test("config edits sections in every form, each with its file and line", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": `sections:
  base/one: false
  base/two: Say less.
  base/three: { append: after, prepend: before }
  base/four:
    text: |
      A block.
      Two lines.
  base/five: { file: ./texts/five.md }
  base/six: { use: "@acme/focus" }
`,
    "home/.quire/texts/five.md": "\uFEFFFrom a file.\r\n",
  });
  const { host, diagnostics } = await place.load();
  const file = join(place.quireHome, "config.yaml");
  const at = (line: number) => ({ kind: "config", file, line });
  expect(diagnostics).toEqual([]);
  expect(host.edits).toEqual([
    { layer: "user", by: at(2), op: "remove", section: "base/one", why: "config removes it" },
    { layer: "user", by: at(3), op: "replace", section: "base/two", content: "Say less." },
    { layer: "user", by: at(4), op: "prepend", section: "base/three", content: "before" },
    { layer: "user", by: at(4), op: "append", section: "base/three", content: "after" },
    { layer: "user", by: at(6), op: "replace", section: "base/four", content: "A block.\nTwo lines." },
    {
      layer: "user",
      by: { kind: "file", file: join(place.quireHome, "texts/five.md"), line: 1 },
      op: "replace",
      section: "base/five",
      content: "From a file.",
    },
    { layer: "user", by: at(10), op: "pin", section: "base/six", plugin: "@acme/focus" },
  ]);
});

test("a file that config names and that does not exist is told with the line of config", async () => {
  const place = await tempHome({ "home/.quire/config.yaml": "sections:\n  base/one: { file: gone.md }\n" });
  const error: unknown = await place.load().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).diagnostic).toMatchObject({
    code: "config-file-invalid",
    at: { file: join(place.quireHome, "config.yaml"), line: 2 },
    message: expect.stringContaining(join(place.quireHome, "gone.md")) as string,
  });
});

test("Markdown files replace, append, prepend, add and remove", async () => {
  const place = await tempHome({
    "home/.quire/sections/base/one.md": "Replaced.\n",
    "home/.quire/sections/base/two.md": "---\nmode: append\n---\nAfter.\n\n",
    "home/.quire/sections/base/three.md": "---\nmode: prepend\nbase: 0123abc\n---\r\nBefore.\r\nCRLF stays.\r\n",
    "home/.quire/sections/base/four.md": "---\nmode: remove\n---\n",
    "home/.quire/sections/@acme/focus/branch.md": "---\nmode: replace\n---\nBranch.",
    "home/.quire/sections/@acme/focus/extra.md": "---\nmode: add\nslot: project\n---\nAdded.\n",
    "home/.quire/sections/user/own.md": "---\nmode: add\nslot: end\n---\nOwn.\n",
    "home/.quire/sections/base/empty.md": "",
    "home/.quire/sections/base/note.txt": "no Markdown",
  });
  const { host, diagnostics } = await place.load();
  const by = (path: string, line: number) => ({ kind: "file", file: join(place.quireHome, "sections", path), line });
  expect(diagnostics).toEqual([]);
  expect(host.edits).toEqual([
    {
      layer: "user",
      by: by("@acme/focus/branch.md", 4),
      op: "replace",
      section: "@acme/focus/branch",
      content: "Branch.",
    },
    {
      layer: "user",
      by: by("@acme/focus/extra.md", 5),
      op: "add",
      section: "user/acme-focus-extra",
      slot: "project",
      content: "Added.",
    },
    { layer: "user", by: by("base/empty.md", 1), op: "replace", section: "base/empty", content: "" },
    {
      layer: "user",
      by: by("base/four.md", 4),
      op: "remove",
      section: "base/four",
      why: "base/four.md removes it",
    },
    { layer: "user", by: by("base/one.md", 1), op: "replace", section: "base/one", content: "Replaced." },
    {
      layer: "user",
      by: by("base/three.md", 5),
      op: "prepend",
      section: "base/three",
      content: "Before.\r\nCRLF stays.",
    },
    { layer: "user", by: by("base/two.md", 4), op: "append", section: "base/two", content: "After.\n" },
    { layer: "user", by: by("user/own.md", 5), op: "add", section: "user/own", slot: "end", content: "Own." },
  ]);
});

test("a Markdown file with variables is computed from the place and the model", async () => {
  const place = await tempHome({
    "home/.quire/sections/base/identity.md": "In {{environment.cwd}} with {{model.id}}.\n",
  });
  const [edit] = (await place.load()).host.edits ?? [];
  const body = edit?.content as SectionBody;
  const context = { cwd: "/here", model: { provider: "acme", id: "big" } } as SectionContext;
  expect(await body.compute(context, new AbortController().signal)).toBe("In /here with big.");
});

test.for([
  {
    name: "an unknown variable",
    text: "---\nmode: append\n---\nOne\n{{environment.cwdd}}\n",
    line: 5,
    what: "{{environment.cwdd}}",
    fix: "{{environment.cwd}}?",
  },
  { name: "an unknown mode", text: "---\nmode: replce\n---\nx", line: 2, what: '"replce"', fix: "`replace`?" },
  { name: "an unknown key", text: "---\nmod: append\n---\nx", line: 2, what: "`mod`", fix: "`mode`?" },
  { name: "a value that is no word", text: "---\nmode: [append]\n---\nx", line: 2, what: "`mode`", fix: "word" },
  { name: "an added section without a slot", text: "---\nmode: add\n---\nx", line: 2, what: "slot", fix: "slot:" },
  { name: "broken front matter", text: "---\nmode: [\n---\nx", line: 2, what: "front matter", fix: "key: value" },
  { name: "bytes that are no text", text: new Uint8Array([0xff, 0xfe, 0x41]), line: 1, what: "UTF-8", fix: "UTF-8" },
  { name: "too much text", text: "x".repeat(1_048_577), line: 1, what: "larger than 1048576 bytes", fix: "Shorten" },
])("a Markdown file with $name does not count, and the next layer serves", async ({ text, line, what, fix }) => {
  const place = await tempHome({
    "home/.quire/sections/base/rules.md": "The user's.",
    "project/.quire/sections/base/rules.md": text,
  });
  const loaded = await place.load({ trust: true });
  expect(loaded.host.edits).toMatchObject([{ layer: "user", content: "The user's." }]);
  expect(loaded.diagnostics).toMatchObject([
    {
      code: "section-file-invalid",
      level: "error",
      at: { kind: "file", file: join(place.project, ".quire/sections/base/rules.md"), line },
    },
  ]);
  expect(loaded.diagnostics[0]?.message).toContain(what);
  expect(loaded.diagnostics[0]?.fix).toContain(fix);
});

test.for(["stray.md", "base/deep/er.md", "@acme/focus.md"])(
  "a Markdown file at %s belongs to no section",
  async (path) => {
    const place = await tempHome({ [`home/.quire/sections/${path}`]: "x" });
    const loaded = await place.load();
    expect(loaded.host.edits).toEqual([]);
    expect(loaded.diagnostics).toMatchObject([{ code: "section-file-invalid" }]);
  },
);

test("flags replace, remove and append, from texts and from files where the user types", async () => {
  const place = await tempHome({
    "work/rules.md": "From a file.\n",
    "work/system.md": "A whole prompt.\n",
    "work/more.md": "More.\n",
  });
  const { host } = await place.load(
    {
      sections: [
        { name: "base/one", value: "You are terse." },
        { name: "base/two", value: "@rules.md" },
        { name: "base/three", value: "" },
      ],
      noSections: ["memory/files"],
      systemPrompt: "system.md",
      appendSystemPrompts: ["more.md", "", "And this."],
    },
    { typedAt: join(place.root, "work") },
  );
  const file = (name: string) => ({ kind: "flag", file: join(place.root, "work", name), line: 1 });
  const flag = { kind: "flag" };
  expect(host.edits).toEqual([
    { layer: "flags", by: file("system.md"), op: "replace-group", section: "base", content: "A whole prompt." },
    { layer: "flags", by: flag, op: "replace", section: "base/one", content: "You are terse." },
    { layer: "flags", by: file("rules.md"), op: "replace", section: "base/two", content: "From a file." },
    { layer: "flags", by: flag, op: "replace", section: "base/three", content: "" },
    { layer: "flags", by: flag, op: "remove", section: "memory/files", why: "--no-section" },
    { layer: "flags", by: flag, op: "add", section: "user/append", slot: "end", content: "More.\n\nAnd this." },
  ]);
});

test.for([
  { name: "a text", value: "You are a pirate." },
  { name: "several lines", value: "One.\nTwo.\n" },
  { name: "nothing", value: "" },
  { name: "a folder's name", value: "." },
  { name: "a very long text", value: "x".repeat(10_000) },
])("--system-prompt takes $name as it is", async ({ value }) => {
  const place = await tempHome();
  expect((await place.load({ systemPrompt: value })).host.edits).toEqual([
    { layer: "flags", by: { kind: "flag" }, op: "replace-group", section: "base", content: value },
  ]);
});

test.for([
  { name: "is missing", value: "@gone.md", what: "There is no file" },
  { name: "is a folder", value: "@.", what: "no readable file" },
])("a file of --section that $name is an error", async ({ value, what }) => {
  const place = await tempHome();
  const error: unknown = await place.load({ sections: [{ name: "base/x", value }] }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain(what);
  expect(String(error)).toContain("--section base/x");
});

test.for([
  { name: "the user's config", flags: {}, want: { layer: "user", content: "User's." } },
  { name: "a trusted project", flags: { trust: true }, want: { layer: "project", content: "Project's." } },
  { name: "a flag", flags: { trust: true, instructions: "Flag's." }, want: { layer: "flags", content: "Flag's." } },
  { name: "a file in a flag", flags: { instructions: "own.md" }, want: { layer: "flags", content: "In a file." } },
  { name: "an empty flag: none", flags: { trust: true, instructions: "" }, want: undefined },
])("instructions come from $name", async ({ flags, want }) => {
  const place = await tempHome({
    "home/.quire/config.yaml": "instructions: |\n  User's.\n",
    "project/.quire/config.yaml": "instructions: Project's.\n",
    "project/own.md": "In a file.\n",
  });
  const { host } = await place.load(flags);
  expect(host.edits).toMatchObject(
    want === undefined ? [] : [{ ...want, op: "add", section: "user/instructions", slot: "instructions" }],
  );
  expect(host.edits).toHaveLength(want === undefined ? 0 : 1);
});

test("within a layer config comes after Markdown, and layers come in their order", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": "sections: { base/x: one }\n",
    "home/.quire/sections/base/x.md": "two",
    "project/.quire/config.yaml": "sections: { base/x: three }\n",
    "project/.quire/sections/base/x.md": "four",
  });
  const { host } = await place.load({ trust: true, sections: [{ name: "base/x", value: "five" }] });
  expect(host.edits?.map(({ layer, content }) => [layer, content])).toEqual([
    ["user", "two"],
    ["user", "one"],
    ["project", "four"],
    ["project", "three"],
    ["flags", "five"],
  ]);
});

test("a pipe, as the shell's <(command) gives one, is read like a file", async () => {
  const place = await tempHome();
  const pipe = join(place.project, "pipe");
  execFileSync("mkfifo", [pipe]);
  const [loaded] = await Promise.all([place.load({ systemPrompt: "pipe" }), writeFile(pipe, "From a pipe.\n")]);
  expect(loaded.host.edits).toMatchObject([{ content: "From a pipe." }]);
  const [configured] = await Promise.all([place.load({ configFile: "pipe" }), writeFile(pipe, "model: a/pipe\n")]);
  expect(configured.config.merged["model"]).toBe("a/pipe");
});

test("PI-27 a flag's value that is an existing path and cannot be read is used literally, with one warning", async () => {
  const place = await tempHome({ "project/latin.md": new Uint8Array([0xe4, 0xf6]) });
  for (const value of ["latin.md", "."]) {
    const { host, diagnostics } = await place.load({ systemPrompt: value });
    expect(host.edits).toEqual([
      { layer: "flags", by: { kind: "flag" }, op: "replace-group", section: "base", content: value },
    ]);
    expect(diagnostics).toMatchObject([{ code: "flag-file-unreadable", level: "warn", at: { kind: "flag" } }]);
  }
});

test("CA-55 with prompt.flag_files off a flag's value is literal, not a file name", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": "prompt: { flag_files: false }\n",
    "project/text.md": "From a file.",
  });
  const flags = { systemPrompt: "text.md", appendSystemPrompts: ["text.md"], instructions: "text.md" };
  const { host, diagnostics } = await place.load(flags);
  expect(host.edits?.map(({ section, content }) => [section, content])).toEqual([
    ["user/instructions", "text.md"],
    ["base", "text.md"],
    ["user/append", "text.md"],
  ]);
  expect(diagnostics).toEqual([]);
});

test("instructions may stand in a file beside the config; a project's is judged with it", async () => {
  const place = await tempHome({
    "home/.quire/config.yaml": "model: a/b\ninstructions:\n  file: ~/mine.md\n",
    "home/mine.md": "Mine.\n",
  });
  const by = { kind: "file", file: join(place.home, "mine.md"), line: 1 };
  expect((await place.load()).host.edits).toMatchObject([{ layer: "user", by, content: "Mine." }]);
  await place.write({
    "project/.quire/config.yaml": "instructions: { file: ./theirs.md }\n",
    "project/.quire/theirs.md": "Theirs.\n",
  });
  await place.load({}, { confirmTrust: () => Promise.resolve(true) });
  expect((await place.load()).host.edits).toMatchObject([{ layer: "project", content: "Theirs." }]);
  await place.write({ "project/.quire/theirs.md": "Changed.\n" });
  expect((await place.load()).host.edits).toMatchObject([{ layer: "user", content: "Mine." }]);
});

test("an override keeps the hash of what it replaced", async () => {
  const place = await tempHome({
    "home/.quire/sections/base/identity.md": "---\nbase: abc123\n---\nYou are terse.\n",
    "home/.quire/sections/base/rules.md": "---\nmode: append\nbase: abc123\n---\nMore.\n",
  });
  const edits = (await place.load()).host.edits ?? [];
  expect(edits).toMatchObject([{ op: "replace", base: "abc123" }, { op: "append" }]);
  expect(edits[1]).not.toHaveProperty("base");
});
