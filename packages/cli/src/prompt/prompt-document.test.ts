import type { Piece, ResolvedSection } from "@quire/core";
import { sha256, type Prompt } from "@quire/core/host";
import { expect, test } from "vitest";
import { promptDocument } from "./prompt-document.js";
import { promptMap } from "./prompt-map.js";

const fromLayout = { kind: "layout" } as const;
const pieces: readonly Piece[] = [
  { text: "Wer fragt? Ä", from: { kind: "plugin", plugin: "base" }, section: "base/identity" },
  { text: "\n\n", from: fromLayout },
  { text: "<files>\n", from: fromLayout, section: "agents-md/files" },
  { text: "# Ünder", from: { kind: "file", file: "/repo/AGENTS.md" }, section: "agents-md/files" },
  {
    text: " [cut]",
    from: { kind: "file", file: "/repo/AGENTS.md" },
    section: "agents-md/files",
    truncated: true,
  },
  { text: "\n\n", from: fromLayout, section: "agents-md/files" },
  {
    text: "near",
    from: { kind: "file", file: "/repo/a/AGENTS.md", line: 1 },
    section: "agents-md/files",
  },
  { text: "\n</files>", from: fromLayout, section: "agents-md/files" },
];

const resolved = (part: Partial<ResolvedSection> & Pick<ResolvedSection, "name" | "owner">): ResolvedSection => ({
  slot: "rules",
  cache: "memoized",
  scope: "session",
  content: { kind: "text", text: "" },
  origin: { kind: "plugin", plugin: part.owner },
  state: "fresh",
  prepended: [],
  appended: [],
  ...part,
});

const text = pieces.map((piece) => piece.text).join("");
const total = Buffer.byteLength(text);
const prompt: Prompt = {
  text,
  layout: "quire",
  baseline: { id: "b1", cause: "start", isNew: true },
  pieces,
  regions: [
    { kind: "global", start: 0, end: 15, hash: "g" },
    { kind: "session", start: 15, end: total, hash: "s" },
  ],
  edits: [
    {
      section: "base/identity",
      op: "replace",
      layer: "plugin",
      by: { kind: "plugin", plugin: "@acme/focus" },
      won: false,
      why: "another replaces it later",
    },
    {
      section: "base/identity",
      op: "replace",
      layer: "user",
      by: { kind: "config", file: "/home/u/.quire/config.yaml", line: 12 },
      won: true,
    },
  ],
  sections: [
    resolved({ name: "base/identity", owner: "base", slot: "identity", scope: "global" }),
    resolved({ name: "agents-md/files", owner: "agents-md", slot: "project" }),
    resolved({
      name: "permissions/policy",
      owner: "permissions",
      cache: { volatile: "modes change while the work goes on" },
      content: {
        kind: "facts",
        facts: [
          ["mode", "ask"],
          ["asks before", "write"],
        ],
      },
    }),
    resolved({
      name: "acme/clock",
      owner: "acme",
      cache: { volatile: "the time of day passes", deliver: "tail" },
      content: { kind: "items", items: [{ id: "now", text: "noon" }, { id: "bare" }], intro: "Times" },
    }),
  ],
  context: [{ section: "permissions/policy", op: "add", cause: "start", content: null, hash: "h", text: "mode: ask" }],
  diagnostics: [{ code: "section-conflict", level: "warn", message: "two want it", cause: new Error("x") }],
  request: {
    model: { provider: "anthropic", id: "m" },
    system: { text, regions: [] },
    tools: [{ name: "read", description: "Reads.", input: { type: "object" } }],
    messages: [],
    tail: "It is noon.",
    cacheKey: "key",
    params: {},
  },
  tools: [
    {
      name: "read",
      fullName: "tools-files/read",
      plugin: "tools-files",
      spec: { name: "tools-files/read", description: "", input: {}, effect: "read", execute: () => "" },
    },
  ],
  leftOut: [{ section: "skills/catalog", why: "empty" }],
};
const about = {
  preset: "quire",
  plugins: [{ name: "base", version: "0.1.0", hash: "", tier: "builtin" as const }],
  diagnostics: [],
};

test("ranges of sections and of the layout add up to the text exactly, in bytes", () => {
  const document = promptDocument(prompt, about);
  const bytes = Buffer.from(document.text);
  const inText = document.sections.filter(({ start }) => start !== null);
  for (const { start, end, text, hash, bytes: count } of inText) {
    expect(bytes.subarray(start ?? 0, end ?? 0).toString()).toBe(text);
    expect(count).toBe((end ?? 0) - (start ?? 0));
    expect(hash).toBe(sha256(text));
  }
  expect(inText.map(({ start, end }) => [start, end])).toEqual([
    [0, 13],
    [15, total],
  ]);
  expect(document).toMatchObject({ bytes: total, boundary: 15 });
});

test("PI-49 says which files stand where, how many instruction files, skills and tools there are", () => {
  const document = promptDocument(prompt, about);
  const bytes = Buffer.from(document.text);
  const files = document.sections.find(({ name }) => name === "agents-md/files");
  expect(files?.sources.map(({ path, truncated }) => ({ path, truncated }))).toEqual([
    { path: "/repo/AGENTS.md", truncated: true },
    { path: "/repo/a/AGENTS.md", truncated: false },
  ]);
  expect(files?.sources.map(({ start, end }) => bytes.subarray(start, end).toString())).toEqual([
    "# Ünder [cut]",
    "near",
  ]);
  expect(document.counts).toEqual({ sections: 2, instruction_files: 2, skills: 0, tools: 1 });
});

test("places no section that is told late, and gives its content as text", () => {
  const [policy, clock] = promptDocument(prompt, about).sections.slice(2);
  expect(policy).toMatchObject({
    start: null,
    end: null,
    region: null,
    cache: "volatile",
    deliver: "delta",
    reason: "modes change while the work goes on",
    text: "mode: ask\nasks before: write",
  });
  expect(clock).toMatchObject({ start: null, deliver: "tail", text: "Times\nnow: noon\nbare" });
});

test("names the region, the owner's version and the author of each section", () => {
  const [identity, files] = promptDocument(prompt, about).sections;
  expect(identity).toMatchObject({ region: "global", plugin: "base", version: "0.1.0", origin: "base" });
  expect(files).toMatchObject({ region: "session", plugin: "agents-md", version: null });
});

test("shows losers beside winners, late messages, the tail, what was left out and the price of tools", () => {
  const document = promptDocument(prompt, about);
  expect(document.edits).toEqual([
    {
      section: "base/identity",
      op: "replace",
      by: "@acme/focus",
      layer: "plugin",
      won: false,
      why: "another replaces it later",
    },
    {
      section: "base/identity",
      op: "replace",
      by: "/home/u/.quire/config.yaml:12",
      layer: "user",
      won: true,
      why: null,
    },
  ]);
  expect(document.context).toEqual([{ section: "permissions/policy", op: "add", cause: "start", text: "mode: ask" }]);
  expect(document).toMatchObject({
    tail: "It is noon.",
    left_out: [{ name: "skills/catalog", why: "empty" }],
    tools: [{ name: "read", bytes: 64, plugin: "tools-files" }],
    cache_key: "key",
  });
});

test("keeps diagnostics free of what JSON cannot carry", () => {
  const document = promptDocument(prompt, {
    ...about,
    diagnostics: [{ code: "plugin-failed", level: "error", message: "broke" }],
  });
  expect(document.diagnostics.map(({ code }) => code)).toEqual(["plugin-failed", "section-conflict"]);
  expect(JSON.parse(JSON.stringify(document.diagnostics))).toEqual(document.diagnostics);
});

test("maps the prompt with boundary, totals and what stands outside", () => {
  expect(promptMap(promptDocument(prompt, about))).toBe(
    [
      "preset quire, layout quire",
      "",
      "section          bytes  tokens  tag               owner",
      "base/identity       13       4  memoized, global  base",
      "-- boundary --      15",
      "agents-md/files     37      16  memoized          agents-md",
      "(layout)             2                            quire",
      "total               52      22",
      "",
      "outside the prefix",
      "permissions/policy  28  8  volatile, delta: modes change while the work goes on  permissions",
      "acme/clock          20  7  volatile, tail: the time of day passes                acme",
      "",
      "2 sections, 2 instruction files, 0 skills, 1 tool (64 bytes)",
      "left out: skills/catalog (empty)",
      "",
    ].join("\n"),
  );
});

test("tells what was cut, what is left of it, and how many entries were left out", () => {
  const shortened: Prompt = {
    ...prompt,
    sections: [
      resolved({
        name: "agents-md/files",
        owner: "agents-md",
        content: {
          kind: "items",
          items: [
            { id: "/repo/AGENTS.md", text: "# Ünder", cut: "\n[cut]" },
            { id: "/repo/a/AGENTS.md", text: "near" },
          ],
        },
      }),
      resolved({
        name: "skills/catalog",
        owner: "skills",
        content: { kind: "items", items: [{ id: "one" }], omitted: 3 },
      }),
      resolved({
        name: "user/notes",
        owner: "user",
        cut: { marker: "…", at: "end" },
        content: { kind: "text", text: "ab" },
      }),
    ],
  };
  const document = promptDocument(shortened, about);
  expect(document.cuts).toEqual([
    { section: "agents-md/files", item: "/repo/AGENTS.md", kept_bytes: 8, marker: "\n[cut]", omitted: 0 },
    { section: "skills/catalog", item: null, kept_bytes: 0, marker: null, omitted: 3 },
    { section: "user/notes", item: null, kept_bytes: 2, marker: "…", omitted: 0 },
  ]);
  const lines = promptMap(document).split("\n");
  expect(lines).toContain('cut: agents-md/files /repo/AGENTS.md, 8 bytes kept, marked "[cut]"');
  expect(lines).toContain("cut: skills/catalog, 3 left out for their size");
  expect(lines).toContain('cut: user/notes, 2 bytes kept, marked "…"');
});
