import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import type { ToolContext } from "@quire/core";
import { diskFiles, parseFrontMatter } from "@quire/loader";
import { loadSkillTool, type LoadSkillInput } from "./load-skill.js";
import { maxFileBytes } from "./skill-file.js";
import type { Skill } from "./skill.js";

const context: ToolContext = {
  cwd: "/repo",
  projectRoot: "/repo",
  home: "/home/ada",
  quireHome: "/home/ada/.quire",
  trusted: true,
  env: () => undefined,
  childEnv: () => ({}),
  async read(file, options) {
    const bytes = await diskFiles.read(file, options?.maxBytes);
    return bytes === null ? null : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  },
  list: (folder) => diskFiles.list(folder),
  session: { id: "s1", interactive: false, depth: 0 },
  model: { provider: "rehearsal", id: "rehearsal" },
  turnId: "t1",
  request: 1,
  signal: new AbortController().signal,
  callId: "c1",
  update: () => undefined,
  ask: () => Promise.resolve(null),
};

async function skillWith(body: string): Promise<Skill> {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), "load-skill-")), "release");
  await mkdir(folder);
  const file = path.join(folder, "SKILL.md");
  await writeFile(file, `---\nname: release\ndescription: Makes a release.\n---\n\n${body}`);
  return {
    name: "release",
    handle: "release",
    description: "Makes a release.",
    file,
    folder,
    scope: "user",
    owner: "user",
    isAutomatic: true,
  };
}

async function load(skills: readonly Skill[], args: LoadSkillInput) {
  return await loadSkillTool(() => Promise.resolve(skills), parseFrontMatter).execute(args, context);
}

test("PI-20 gives the skill's folder and says that relative references resolve against it", async () => {
  const skill = await skillWith("Run scripts/tag.sh.\n");
  await mkdir(path.join(skill.folder, "scripts"));
  expect(await load([skill], { skill: "release" })).toBe(
    [
      `Skill "release", in the folder ${skill.folder}.`,
      "Relative paths in these instructions resolve against that folder, not against the working directory.",
      "Beside them stand: scripts/",
      "",
      "Run scripts/tag.sh.",
    ].join("\n"),
  );
});

test("PI-20 reads a file relative to the skill's folder", async () => {
  const skill = await skillWith("See notes.md.");
  await writeFile(path.join(skill.folder, "notes.md"), "Notes.\n");
  expect(await load([skill], { skill: "release", file: "notes.md" })).toBe("Notes.\n");
});

test("says where the rest of a large body stands", async () => {
  const skill = await skillWith("x".repeat(3_000_000));
  const text = await load([skill], { skill: "release" });
  expect(text).toContain(`[Cut here: ${maxFileBytes} bytes are shown. The rest stands in ${skill.file}.]`);
  expect(text.length).toBeLessThan(maxFileBytes + 1000);
});

test("names the nearest skills when a name is unknown, and says when there are none", async () => {
  const skill = await skillWith("");
  await expect(load([skill, { ...skill, name: "zoom" }], { skill: "relase" })).rejects.toThrow(
    'There is no skill "relase". The nearest are: release, zoom.',
  );
  await expect(load([], { skill: "release" })).rejects.toThrow("There are no skills here");
});

test("does not start a skill that only the user may start, and does not offer it", async () => {
  const skill = { ...(await skillWith("")), isAutomatic: false };
  await expect(load([skill], { skill: "release" })).rejects.toThrow("skill-not-automatic");
  await expect(load([skill], { skill: "x" })).rejects.toThrow("There are no skills here");
});
