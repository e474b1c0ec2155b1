import { mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { diskFiles } from "@quire/loader";
import { maxFileBytes, readSkillFile } from "./skill-file.js";
import type { Skill } from "./skill.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const place = {
  async read(file: string, options?: { readonly maxBytes?: number }) {
    const bytes = await diskFiles.read(file, options?.maxBytes);
    return bytes === null ? null : decoder.decode(bytes);
  },
  list: async (folder: string) => await diskFiles.list(folder),
};

async function skillWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<Skill> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "skill-file-")));
  const folder = path.join(root, "release");
  await mkdir(folder);
  await writeFile(path.join(root, "secret.txt"), "secret");
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  const file = path.join(folder, "SKILL.md");
  const owner = "user" as const;
  return { name: "release", handle: "release", description: "", file, folder, scope: owner, owner, isAutomatic: true };
}

test("reads SKILL.md by default, and any file inside the folder", async () => {
  const skill = await skillWith({ "SKILL.md": "body", "scripts/run.sh": "echo" });
  expect(await readSkillFile(place, skill)).toEqual({ file: skill.file, text: "body", isCut: false });
  expect((await readSkillFile(place, skill, "./scripts/../scripts/run.sh")).text).toBe("echo");
  expect((await readSkillFile(place, skill, path.join(skill.folder, "scripts/run.sh"))).text).toBe("echo");
});

test.for([
  { name: "a path with ..", file: "../secret.txt" },
  { name: "an absolute path outside", file: "/etc/hostname" },
  { name: "a link to a file outside", file: "leak.txt" },
  { name: "a file behind a link to a folder outside", file: "up/secret.txt" },
  { name: "a file that is not there behind such a link", file: "up/nothing.txt" },
])("refuses $name", async ({ file }) => {
  const skill = await skillWith({ "SKILL.md": "body" });
  await symlink("../secret.txt", path.join(skill.folder, "leak.txt"));
  await symlink("..", path.join(skill.folder, "up"));
  await expect(readSkillFile(place, skill, file)).rejects.toThrow("skill-file-outside");
});

test("reads a skill whose folder is itself a link", async () => {
  const skill = await skillWith({ "SKILL.md": "body", "notes.md": "notes" });
  const linked = path.join(path.dirname(skill.folder), "linked");
  await symlink(skill.folder, linked);
  const viaLink = { ...skill, folder: linked, file: path.join(linked, "SKILL.md") };
  expect((await readSkillFile(place, viaLink, "notes.md")).text).toBe("notes");
});

test("follows a linked SKILL.md of the user, and not one of the project", async () => {
  const skill = await skillWith({});
  await symlink("../secret.txt", skill.file);
  expect((await readSkillFile(place, skill)).text).toBe("secret");
  const ofProject: Skill = { ...skill, owner: "project" };
  await expect(readSkillFile(place, ofProject)).rejects.toThrow("skill-file-outside");
});

test("says what is there when a file is missing or is a folder", async () => {
  const skill = await skillWith({ "SKILL.md": "body", "scripts/run.sh": "echo" });
  await expect(readSkillFile(place, skill, "run.sh")).rejects.toThrow("there are: SKILL.md, scripts/");
  await expect(readSkillFile(place, skill, "scripts")).rejects.toThrow("there are: run.sh");
});

test("says where a file stands that is no text", async () => {
  const skill = await skillWith({ "SKILL.md": "body", "logo.png": new Uint8Array([0x89, 0xff, 0xfe]) });
  await expect(readSkillFile(place, skill, "logo.png")).rejects.toThrow(path.join(skill.folder, "logo.png"));
});

test("cuts a large file between characters", async () => {
  const skill = await skillWith({ "SKILL.md": `x${"é".repeat(maxFileBytes)}` });
  const lenient = {
    ...place,
    read: async (file: string, options?: { readonly maxBytes?: number }) =>
      new TextDecoder().decode((await diskFiles.read(file, options?.maxBytes)) ?? undefined).replace(/\uFFFD$/, ""),
  };
  const { text, isCut } = await readSkillFile(lenient, skill);
  expect(isCut).toBe(true);
  expect(Buffer.byteLength(text)).toBe(maxFileBytes - 1);
  expect(text.endsWith("é")).toBe(true);
});
