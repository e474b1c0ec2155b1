import { join } from "node:path";
import { definePlugin, type PresetData } from "@quire/core";
import { expect, test } from "vitest";
import type { Builtin } from "../contract.js";
import { builtin, tempHome } from "../testing/temp-home.js";

const plain: PresetData = { summary: "another system", layout: "quire", config: { permissions: { mode: "plan" } } };

function presetBuiltins(data: Partial<PresetData>): readonly Builtin[] {
  const definition = definePlugin({
    name: "preset-other",
    apiVersion: 1,
    preset: { ...plain, ...data },
    configKeys: ["other"],
    setup: () => {},
  });
  return [
    builtin("base"),
    builtin("permissions", ["permissions"]),
    { name: "preset-other", configKeys: ["other"], load: async () => definition },
  ];
}

const files: PresetData["files"] = [
  {
    scope: "user",
    paths: ["$OTHER_HOME/config.json", "~/.other.yaml", "~/.other.yml"],
    keys: { mode: "permissions.mode", "prompt.text": "instructions", "prompt.file": "instructions.file" },
  },
  { scope: "project", paths: [".other.yaml"], keys: { mode: "permissions.mode", intro: "sections.base/intro.append" } },
];
const other = { config: { preset: "other" } };

test("a system's own file stands between the preset and the user's config, its keys translated", async () => {
  const place = await tempHome({
    "home/.other.yaml": "# mine\nmode: edit\nprompt:\n  text: Answer in French.\n",
    "home/.other.yml": "mode: full\n",
  });
  const builtins = presetBuiltins({ files });
  const loaded = await place.load(other, { builtins });
  const file = join(place.home, ".other.yaml");
  expect(loaded.config.merged["permissions"]).toEqual({ mode: "edit" });
  expect(loaded.config.origin("permissions.mode")).toEqual({ kind: "config", file, line: 2 });
  expect(loaded.host.edits).toEqual([
    {
      layer: "preset",
      by: { kind: "config", file, line: 4 },
      op: "add",
      section: "user/instructions",
      slot: "instructions",
      content: "Answer in French.",
    },
  ]);
  expect(loaded.config.scopes.map(({ scope }) => scope)).toEqual(["defaults", "preset", "preset-files", "flags"]);
  expect(loaded.config.files).toContainEqual({ scope: "preset-files", file, exists: true, used: true });

  await place.write({ "home/.quire/config.yaml": "permissions: { mode: ask }\ninstructions: Answer in Latin.\n" });
  const own = await place.load(other, { builtins });
  expect(own.config.merged["permissions"]).toEqual({ mode: "ask" });
  expect(own.host.edits).toMatchObject([{ layer: "user", content: "Answer in Latin." }]);
});

test("of several paths the first that exists counts, and one below an unset variable is passed over", async () => {
  const place = await tempHome({
    "home/.other.yaml": "mode: edit\n",
    "elsewhere/config.json": '{\n\t"mode": "full"\n}\n',
  });
  const builtins = presetBuiltins({ files });
  const environment = { OTHER_HOME: join(place.root, "elsewhere") };
  const loaded = await place.load(other, { builtins, environment });
  expect(loaded.config.merged["permissions"]).toEqual({ mode: "full" });
  expect((await place.load(other, { builtins })).config.merged["permissions"]).toEqual({ mode: "edit" });
});

test("a text may come from a file that the system's config names, and a text beside it counts first", async () => {
  const place = await tempHome({
    "home/.other.yaml": "prompt: { file: ./mine.md }\n",
    "home/mine.md": "From my file.\n",
  });
  const builtins = presetBuiltins({ files });
  const loaded = await place.load(other, { builtins });
  const by = { kind: "file", file: join(place.home, "mine.md"), line: 1 };
  expect(loaded.host.edits).toMatchObject([{ section: "user/instructions", content: "From my file.", by }]);
  await place.write({ "home/.other.yaml": "prompt: { file: ./mine.md, text: Mine. }\n" });
  expect((await place.load(other, { builtins })).host.edits).toMatchObject([{ content: "Mine." }]);
  await place.write({ "home/.other.yaml": "prompt: { file: ./gone.md }\n" });
  await expect(place.load(other, { builtins })).rejects.toMatchObject({
    diagnostic: { code: "config-file-invalid", at: { file: join(place.home, ".other.yaml"), line: 1 } },
  });
});

test("a key without a translation is told once, with its line, and a known parent is looked into", async () => {
  const place = await tempHome({
    "home/.other.yaml": "$schema: x\nmode: edit\nprompt:\n  text: Hi.\n  tone: dry\ntheme: { color: red, font: big }\n",
  });
  const { diagnostics } = await place.load(other, { builtins: presetBuiltins({ files }) });
  const found = diagnostics.filter(({ code }) => code === "preset-key-ignored");
  expect(found.map(({ level, message, at }) => [level, message.split(" ")[0], at?.line])).toEqual([
    ["info", "`prompt.tone`", 5],
    ["info", "`theme`", 6],
  ]);
  expect(found.every(({ at }) => at?.file === join(place.home, ".other.yaml"))).toBe(true);
});

test("a project's file needs trust for all but added text", async () => {
  const place = await tempHome({ "project/.other.yaml": "mode: full\nintro: Mind the gap.\nunknown: 1\n" });
  const builtins = presetBuiltins({ files });
  const untrusted = await place.load(other, { builtins });
  expect(untrusted.config.merged["permissions"]).toEqual({ mode: "plan" });
  expect(untrusted.untrusted).toEqual([".other.yaml:1 sets `permissions`"]);
  expect(untrusted.diagnostics).toEqual([]);
  const by = { kind: "config", file: join(place.project, ".other.yaml"), line: 2 };
  const added = { layer: "preset", by, op: "append", section: "base/intro", content: "Mind the gap." };
  expect(untrusted.host.edits).toEqual([added]);
  const trusted = await place.load({ ...other, trust: true }, { builtins });
  expect(trusted.config.merged["permissions"]).toEqual({ mode: "full" });
  expect(trusted.host.edits).toEqual([added]);
  expect(trusted.untrusted).toEqual([]);
});

test("trust in a project's file ends when its bytes change, or those of a text it names", async () => {
  const keys = { mode: "permissions.mode", text: "instructions.file" };
  const builtins = presetBuiltins({ files: [{ scope: "project", paths: [".other.yaml"], keys }] });
  const place = await tempHome({
    "project/.other.yaml": "mode: full\ntext: prompt.md\n",
    "project/prompt.md": "Obey.",
  });
  const yes = { builtins, confirmTrust: () => Promise.resolve(true) };
  expect((await place.load(other, yes)).place.trusted).toBe(true);
  const again = await place.load(other, { builtins });
  expect(again.place.trusted).toBe(true);
  expect(again.host.edits).toMatchObject([{ content: "Obey." }]);
  await place.write({ "project/prompt.md": "Obey me." });
  expect((await place.load(other, { builtins })).place.trusted).toBe(false);
});

test("an untrusted project chooses no preset, and a preset that only it knows does no harm", async () => {
  const builtins = presetBuiltins({ files });
  const place = await tempHome({
    "project/.quire/config.yaml": "preset: other\n",
    "project/.other.yaml": "mode: full\n",
  });
  const untrusted = await place.load({}, { builtins });
  expect(untrusted.config.merged).toMatchObject({ preset: "quire" });
  expect(untrusted.untrusted).toEqual([".quire/config.yaml:1 sets `preset`"]);
  const trusted = await place.load({ trust: true }, { builtins });
  expect(trusted.config.merged).toMatchObject({ preset: "other", permissions: { mode: "full" } });
  await place.write({ "project/.quire/config.yaml": "preset: nobody\n" });
  expect((await place.load({}, { builtins })).config.merged).toMatchObject({ preset: "quire" });
  await expect(place.load({ trust: true }, { builtins })).rejects.toMatchObject({
    diagnostic: { code: "preset-unknown" },
  });
});

test("a broken file of the system is an error with its line", async () => {
  const place = await tempHome({ "home/.other.yaml": "mode: edit\nprompt:\n  text: [1]\n" });
  const builtins = presetBuiltins({ files });
  const file = join(place.home, ".other.yaml");
  await expect(place.load(other, { builtins })).rejects.toMatchObject({
    diagnostic: { code: "config-invalid", at: { file, line: 3 } },
  });
  await place.write({ "home/.other.yaml": "mode: edit\nprompt: [\n" });
  await expect(place.load(other, { builtins })).rejects.toMatchObject({
    diagnostic: { code: "config-invalid", at: { file, line: 2 } },
  });
});

test("IO-22 -c is the only scope: the system's own files do not count, and the preset is told of it", async () => {
  const place = await tempHome({ "home/.other.yaml": "mode: full\n", "project/only.yaml": "preset: other\n" });
  const withFlag = files.map((entry) => ({ ...entry, keys: { ...entry.keys, "-c": "other.config_file" } }));
  const loaded = await place.load({ configFile: "only.yaml" }, { builtins: presetBuiltins({ files: withFlag }) });
  expect(loaded.config.merged["permissions"]).toEqual({ mode: "plan" });
  expect(loaded.config.merged["other"]).toEqual({ config_file: join(place.project, "only.yaml") });
  expect(loaded.config.scopes.map(({ scope }) => scope)).toEqual(["defaults", "preset", "user", "flags"]);
});

test("in the home folder one file is read once, as the user's own", async () => {
  const keys = { mode: "permissions.mode" };
  const builtins = presetBuiltins({
    files: [
      { scope: "user", paths: ["~/.other.yaml"], keys },
      { scope: "project", paths: [".other.yaml"], keys },
    ],
  });
  const place = await tempHome({ "home/.other.yaml": "mode: edit\n" });
  const loaded = await place.load(other, { builtins, cwd: place.home });
  expect(loaded.untrusted).toEqual([]);
  expect(loaded.config.merged["permissions"]).toEqual({ mode: "edit" });
});
