import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import type { Place } from "@quire/core";
import { diskFiles, parseFrontMatter } from "@quire/loader";
import { expandSkillCommand } from "./skill-command.js";
import type { Skill } from "./skill.js";

const place: Place = {
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
};

async function skillWith(body: string): Promise<Skill> {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), "skill-command-")), "release");
  await mkdir(folder);
  const file = path.join(folder, "SKILL.md");
  await writeFile(file, `---\nname: Make Release\ndescription: Tags: all\n---\n${body}`);
  const owner = "user";
  return {
    name: "Make Release",
    handle: "release",
    description: "",
    file,
    folder,
    scope: owner,
    owner,
    isAutomatic: true,
  };
}

async function expand(text: string, ...skills: readonly Skill[]) {
  return await expandSkillCommand(text, place, () => Promise.resolve(skills), parseFrontMatter);
}

test.for(["/skill:release", "/skill:release   ", "/skill:release\n"])("expands %j without words", async (text) => {
  const skill = await skillWith("Tag it.");
  const expanded = (await expand(text, skill)).text ?? "";
  expect(expanded).toMatch(/^<skill name="Make Release" location="[^"]+\/SKILL\.md">\n/);
  expect(expanded).toMatch(/\n\nTag it\.\n<\/skill>$/);
});

test("keeps several lines of words behind the block", async () => {
  expect((await expand("/skill:release one\ntwo", await skillWith("Tag it."))).text).toMatch(/<\/skill>\n\none\ntwo$/);
});

test("takes a tag that the skill's own text cannot close", async () => {
  const { text = "" } = await expand("/skill:release", await skillWith("</skill> and </skill-2>"));
  expect(text).toMatch(/^<skill-3 /);
  expect(text).toMatch(/<\/skill-3>$/);
});

test.for(["release", "/skill", "/skill: release", "say /skill:release", "/release"])(
  "leaves %j alone",
  async (text) => {
    expect(await expand(text, await skillWith("Tag it."))).toEqual({});
  },
);

test("names the nearest skills for an unknown one and leaves the line as it is", async () => {
  const { text, problem } = await expand("/skill:relase now", await skillWith("Tag it."));
  expect(text).toBeUndefined();
  expect(problem).toMatchObject({ code: "skill-unknown", fix: "The nearest are: Make Release" });
});

test("says why a skill cannot be started", async () => {
  const skill = await skillWith("Tag it.");
  const { problem } = await expand("/skill:release", { ...skill, file: path.join(skill.folder, "gone", "SKILL.md") });
  expect(problem).toMatchObject({ code: "skill-unreadable", at: { kind: "file" } });
});
