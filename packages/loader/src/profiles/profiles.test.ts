import { chmod, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin, type Config } from "@quire/core";
import type { HostEdit } from "@quire/core/host";
import { expect, test } from "vitest";
import type { Builtin, Loaded } from "../contract.js";
import { builtin, tempHome } from "../testing/temp-home.js";

const reviewer = `---
name: Reviewer
description: Reads  changes
tools: read, grep
model: anthropic/small
color: red
---

Review what changed.

Be brief.
`;

function magi(profiles: Config): readonly Builtin[] {
  const definition = definePlugin({
    name: "preset-magi",
    apiVersion: 1,
    preset: { summary: "", layout: "quire", config: { profiles } },
    setup: () => {},
  });
  return [builtin("base"), { name: "preset-magi", configKeys: [], load: async () => definition }];
}

const ids = (loaded: Loaded): readonly string[] => loaded.profiles.map(({ id, kind }) => `${kind} ${id}`);

test("a profile is a Markdown file: front matter says who, the body says how", async () => {
  const place = await tempHome({ "home/.quire/agents/review.md": reviewer });
  const { profiles, diagnostics } = await place.load();
  expect(diagnostics).toEqual([]);
  expect(profiles).toEqual([
    {
      id: "review",
      name: "Reviewer",
      description: "Reads changes",
      tools: ["read", "grep"],
      model: "anthropic/small",
      instructions: "Review what changed.\n\nBe brief.",
      kind: "any",
      scope: "user",
      file: join(place.quireHome, "agents", "review.md"),
      line: 9,
    },
  ]);
});

test("MG-48 the file's stem selects a profile; without a name the stem is its name, too", async () => {
  const place = await tempHome({
    "home/.quire/agents/plain.md": "Just do it.\n",
    "home/.quire/agents/list.md": "---\ntools: [read]\nmodel: inherit\n---\nRead.\n",
    "home/.quire/agents/all.md": "---\ntools: '*'\n---\n",
  });
  const { profiles } = await place.load();
  expect(
    profiles.map(({ id, name, tools, model, instructions, line }) => [id, name, tools, model, instructions, line]),
  ).toEqual([
    ["all", "all", undefined, undefined, undefined, 4],
    ["list", "list", ["read"], undefined, "Read.", 5],
    ["plain", "plain", undefined, undefined, "Just do it.", 1],
  ]);
});

test("only the files directly in the folder count, and a broken one is told", async () => {
  const place = await tempHome({
    "home/.quire/agents/good.md": "Fine.",
    "home/.quire/agents/deep/inner.md": "Too deep.",
    "home/.quire/agents/notes.txt": "No profile.",
    "home/.quire/agents/bad.md": "---\nname: [\n---\n",
    "home/.quire/agents/latin.md": new Uint8Array([0xe4, 0xf6]),
    "home/.quire/agents/huge.md": "x".repeat(1_048_577),
    "home/.quire/agents/locked.md": "Secret.",
  });
  await chmod(join(place.quireHome, "agents/locked.md"), 0o000);
  await symlink("gone.md", join(place.quireHome, "agents/dangling.md"));
  const { profiles, diagnostics } = await place.load();
  expect(profiles.map(({ id }) => id)).toContain("good");
  expect(profiles.map(({ id }) => id)).not.toContain("inner");
  const told = diagnostics.filter(({ code }) => code === "profile-invalid");
  const files = told.map(({ at }) => at?.file?.slice(place.quireHome.length));
  for (const name of ["bad", "latin", "huge", "dangling"]) expect(files).toContain(`/agents/${name}.md`);
  expect(told.find(({ at }) => at?.file?.endsWith("bad.md"))?.at?.line).toBe(2);
});

test("a project's profiles need trust, and its own rank above the user's", async () => {
  const place = await tempHome({
    "home/.quire/agents/review.md": "Mine.",
    "project/.quire/agents/review.md": "The project's.",
    "project/.quire/agents/extra.md": "More.",
  });
  const untrusted = await place.load();
  expect(untrusted.profiles.map(({ id, instructions }) => [id, instructions])).toEqual([["review", "Mine."]]);
  expect(untrusted.untrusted).toEqual([".quire/agents holds profiles: extra, review"]);
  await expect(place.load({ profile: { name: "extra", audience: "main" } })).rejects.toMatchObject({
    diagnostic: { code: "profile-unknown", fix: expect.stringContaining("--trust") },
  });
  const trusted = await place.load({ trust: true });
  expect(trusted.profiles.map(({ id, instructions, scope }) => [id, instructions, scope])).toEqual([
    ["extra", "More.", "project"],
    ["review", "The project's.", "project"],
  ]);
  expect(trusted.diagnostics).toMatchObject([{ code: "profile-hidden", level: "info" }]);
});

test("trust in profiles, commands and servers ends when one of them changes or comes along", async () => {
  const place = await tempHome({
    "project/.quire/agents/review.md": "One.",
    "project/.quire/commands/go.md": "Go.",
    "project/.mcp.json": "{}",
  });
  const accept = () => place.load({}, { confirmTrust: () => Promise.resolve(true) });
  const isTrusted = async () => (await place.load()).place.trusted;
  expect((await place.load()).untrusted).toEqual([
    ".quire/agents holds profiles: review",
    ".quire/commands holds commands",
    ".mcp.json names MCP servers",
  ]);
  await accept();
  expect(await isTrusted()).toBe(true);
  for (const change of [
    { "project/.quire/agents/review.md": "Two." },
    { "project/.quire/agents/other.md": "One." },
    { "project/.quire/commands/go.md": "Stop." },
    { "project/.mcp.json": '{"mcpServers":{}}' },
  ]) {
    await place.write(change);
    expect(await isTrusted()).toBe(false);
    await accept();
    expect(await isTrusted()).toBe(true);
  }
});

test("a server file alone makes a project ask for trust, even without a folder of its own", async () => {
  const place = await tempHome({ "project/.mcp.json": "{}" });
  const asked: (readonly string[])[] = [];
  const loaded = await place.load({}, { confirmTrust: (what) => Promise.resolve(asked.push(what) > 0) });
  expect(asked).toEqual([[".mcp.json names MCP servers"]]);
  expect(loaded.place.trusted).toBe(true);
});

test("a link out of the project is neither entered nor read: the link itself is what is trusted", async () => {
  const place = await tempHome({
    "outside/one.md": "One.",
    "elsewhere/one.md": "One.",
    "project/.quire/config.yaml": "sections: {}\n",
  });
  const link = join(place.project, ".quire/commands");
  await symlink(join(place.root, "outside"), link);
  expect((await place.load()).untrusted).toEqual([".quire/commands holds commands"]);
  await place.load({}, { confirmTrust: () => Promise.resolve(true) });
  await place.write({ "outside/one.md": "Changed by its owner." });
  expect((await place.load()).place.trusted).toBe(true);
  await rm(link);
  await symlink(join(place.root, "elsewhere"), link);
  expect((await place.load()).place.trusted).toBe(false);
});

test("what a preset names as covered needs trust, and a project cannot uncover it", async () => {
  const definition = definePlugin({
    name: "preset-magi",
    apiVersion: 1,
    preset: { summary: "", layout: "quire", config: { trust: { paths: [".pi/SYSTEM.md", ".pi/skills"] } } },
    setup: () => {},
  });
  const builtins: readonly Builtin[] = [{ name: "preset-magi", configKeys: [], load: async () => definition }];
  const place = await tempHome({
    "project/.quire/config.yaml": "trust: { paths: [] }\n",
    "project/.pi/SYSTEM.md": "Mine.",
    "project/.pi/skills/one/SKILL.md": "One.",
    "project/.pi/skills/two/SKILL.md": "Two.",
  });
  const flags = { config: { preset: "magi" } };
  const needs = (await place.load(flags, { builtins })).untrusted;
  expect(needs).toEqual([
    ".quire/config.yaml:1 sets `trust`",
    ".pi/SYSTEM.md is used with trust",
    ".pi/skills is used with trust",
  ]);
  await place.load(flags, { builtins, confirmTrust: () => Promise.resolve(true) });
  expect((await place.load(flags, { builtins })).place.trusted).toBe(true);
  await place.write({ "project/.pi/skills/two/SKILL.md": "Changed." });
  expect((await place.load(flags, { builtins })).place.trusted).toBe(false);
});

test("MG-51 a preset has folders of its own, and those of main agents are no subagents", async () => {
  const builtins = magi({
    paths: [["$MC_HOME/subagents", "~/.magi-code/subagents"]],
    primary_paths: [["$MC_HOME/agents", "~/.magi-code/agents"]],
  });
  const place = await tempHome({
    "home/.magi-code/subagents/review.md": "As a child.",
    "home/.magi-code/agents/review.md": "As the main agent.",
    "home/.magi-code/agents/boss.md": "Lead.",
    "mc/agents/other.md": "Elsewhere.",
  });
  const config = { preset: "magi" };
  expect(ids(await place.load({ config }, { builtins }))).toEqual(["primary boss", "any review", "primary review"]);
  const asMain = await place.load({ config, profile: { name: "review", audience: "main" } }, { builtins });
  expect(asMain.profile?.instructions).toBe("As the main agent.");
  const asChild = await place.load({ config, profile: { name: "review", audience: "subagent" } }, { builtins });
  expect(asChild.profile?.instructions).toBe("As a child.");
  await expect(
    place.load({ config, profile: { name: "boss", audience: "subagent" } }, { builtins }),
  ).rejects.toMatchObject({ diagnostic: { code: "profile-unknown" } });
  const elsewhere = await place.load({ config }, { builtins, environment: { MC_HOME: join(place.root, "mc") } });
  expect(ids(elsewhere)).toEqual(["primary other"]);
});

test("a preset's folder inside the project needs trust", async () => {
  const builtins = magi({ paths: [".claude/agents"] });
  const place = await tempHome({ "project/.claude/agents/scout.md": "Look." });
  const config = { preset: "magi" };
  const untrusted = await place.load({ config }, { builtins });
  expect(untrusted.profiles).toEqual([]);
  expect(untrusted.untrusted).toEqual([".claude/agents holds profiles: scout"]);
  expect(ids(await place.load({ config, trust: true }, { builtins }))).toEqual(["any scout"]);
});

test("the chosen profile is a section of its own, with its file and line", async () => {
  const place = await tempHome({ "home/.quire/agents/review.md": reviewer });
  const loaded = await place.load({ profile: { name: "Reviewer", audience: "main" } });
  const [edit] = loaded.host.edits as readonly [HostEdit];
  expect(edit).toMatchObject({
    layer: "flags",
    op: "add",
    section: "user/profile",
    slot: "instructions",
    by: { kind: "file", file: join(place.quireHome, "agents", "review.md"), line: 9 },
    content: { cache: "memoized", audience: ["main"] },
  });
  const child = await place.load({ profile: { name: "review", audience: "subagent" } });
  expect(child.host.edits).toMatchObject([{ content: { audience: ["subagent"] } }]);
});

test("a layout that shows the profile itself gets no section", async () => {
  const place = await tempHome({ "home/.quire/agents/review.md": reviewer });
  const builtins = magi({ inject: false });
  const flags = { config: { preset: "magi" }, profile: { name: "review", audience: "main" } } as const;
  const loaded = await place.load(flags, { builtins });
  expect(loaded.host.edits).toEqual([]);
  expect(loaded.profile?.id).toBe("review");
});

test("a profile names its model and narrows the tools; flags have the last word", async () => {
  const place = await tempHome({
    "home/.quire/agents/review.md": reviewer,
    "home/.quire/config.yaml": "model: openai/big\ntools: { only: [read, bash] }\n",
  });
  const profile = { name: "review", audience: "main" } as const;
  const loaded = await place.load({ profile });
  expect(loaded.config.merged).toMatchObject({ model: "anthropic/small", tools: { only: ["read"] } });
  const file = join(place.quireHome, "agents", "review.md");
  expect(loaded.config.origin("model")).toEqual({ kind: "config", file, line: 1 });
  const flagged = await place.load({ profile, config: { model: "a/b", tools: { only: ["bash"] } } });
  expect(flagged.config.merged).toMatchObject({ model: "a/b", tools: { only: ["bash"] } });
});

test.for([
  { name: "the nearest name", wanted: "reviw", fix: 'Did you mean "review"?' },
  { name: "all of them", wanted: "completely-else", fix: "There are: review, scout" },
])("an unknown profile is told with $name", async ({ wanted, fix }) => {
  const place = await tempHome({ "home/.quire/agents/review.md": "x", "home/.quire/agents/scout.md": "y" });
  await expect(place.load({ profile: { name: wanted, audience: "main" } })).rejects.toMatchObject({
    diagnostic: { code: "profile-unknown", at: { kind: "flag" }, fix },
  });
});
