import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { diskFiles, parseFrontMatter } from "@quire/loader";
import { discoverSkills, type DiscoverRules } from "./discover.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
let bytesRead = 0;
const place = {
  async read(file: string, options?: { readonly maxBytes?: number }) {
    const bytes = await diskFiles.read(file, options?.maxBytes);
    bytesRead += bytes?.length ?? 0;
    return bytes === null ? null : decoder.decode(bytes);
  },
  list: async (folder: string) => await diskFiles.list(folder),
};

async function rootWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "skills-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  return root;
}

const rules: DiscoverRules = { wins: "last", groups: true, order: "name" };

async function discoverBy(changed: Partial<DiscoverRules>, ...roots: readonly string[]) {
  return await discoverSkills(
    place,
    roots.map((folder) => ({ folder, owner: "user", scope: "user" })),
    { ...rules, ...changed },
    parseFrontMatter,
  );
}

async function discover(...roots: readonly string[]) {
  return await discoverBy({}, ...roots);
}

const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`;

test("MG-44 accepts <skill>/SKILL.md and <group>/<skill>/SKILL.md, and nothing deeper", async () => {
  const root = await rootWith({
    "plain/SKILL.md": skill("plain"),
    "group/inner/SKILL.md": skill("inner"),
    "group/deep/deeper/SKILL.md": skill("deeper"),
    "plain/nested/SKILL.md": skill("nested"),
    ".hidden/SKILL.md": skill("hidden"),
    "SKILL.md": skill("root"),
  });
  const { skills, problems } = await discover(root);
  expect(skills.map(({ name, folder }) => [name, path.relative(root, folder)])).toEqual([
    ["inner", "group/inner"],
    ["plain", "plain"],
  ]);
  expect(problems).toEqual([]);
});

test("takes the later root's skill of two with one name, and reports the other", async () => {
  const [low, high] = [await rootWith({ "x/SKILL.md": skill("x") }), await rootWith({ "x/SKILL.md": skill("x") })];
  const { skills, problems } = await discover(low, high);
  expect(skills.map(({ folder }) => folder)).toEqual([path.join(high, "x")]);
  expect(problems).toMatchObject([{ code: "skill-duplicate", at: { file: path.join(low, "x", "SKILL.md") } }]);
});

test("takes the first root's skill of two with one name where the rules say so", async () => {
  const [first, second] = [await rootWith({ "x/SKILL.md": skill("x") }), await rootWith({ "x/SKILL.md": skill("x") })];
  const { skills, problems } = await discoverBy({ wins: "first" }, first, second);
  expect(skills.map(({ folder }) => folder)).toEqual([path.join(first, "x")]);
  expect(problems).toMatchObject([{ code: "skill-duplicate", at: { file: path.join(second, "x", "SKILL.md") } }]);
});

test("IO-46 lists root by root, and by name within each, where the rules say so", async () => {
  const first = await rootWith({ "z/SKILL.md": skill("z"), "b/SKILL.md": skill("b") });
  const second = await rootWith({ "c/SKILL.md": skill("c"), "a/SKILL.md": skill("a") });
  const names = (await discoverBy({ order: "roots" }, first, second)).skills.map(({ name }) => name);
  expect(names).toEqual(["b", "z", "a", "c"]);
  expect((await discover(first, second)).skills.map(({ name }) => name)).toEqual(["a", "b", "c", "z"]);
});

test("looks into no group where the rules say so", async () => {
  const root = await rootWith({ "plain/SKILL.md": skill("plain"), "group/inner/SKILL.md": skill("inner") });
  expect((await discoverBy({ groups: false }, root)).skills.map(({ name }) => name)).toEqual(["plain"]);
});

test("reads nothing under a root that wants trust, and says how many skills that leaves out", async () => {
  const folder = await rootWith({ "one/SKILL.md": skill("one"), "two/SKILL.md": skill("two") });
  const root = { folder, owner: "project", scope: "project", isUntrusted: true } as const;
  const { skills, problems } = await discoverSkills(place, [root], rules, parseFrontMatter);
  expect(skills).toEqual([]);
  expect(problems).toMatchObject([{ code: "skills-untrusted", message: expect.stringContaining("2 skills in") }]);
});

test("gives two names that differ in signs alone two handles", async () => {
  const root = await rootWith({ "a-b/SKILL.md": skill("a-b"), "other/SKILL.md": skill("A b") });
  expect((await discover(root)).skills.map(({ name, handle }) => [name, handle])).toEqual([
    ["A b", "a-b"],
    ["a-b", "a-b-2"],
  ]);
});

test("loads what is valid and reports the rest", async () => {
  const root = await rootWith({
    "good/SKILL.md": skill("good"),
    "yaml/SKILL.md": "---\nname: [\n---\n",
    "latin/SKILL.md": new Uint8Array([0x2d, 0x2d, 0xe9, 0xff]),
    "empty/notes.txt": "no skill",
  });
  const { skills, problems } = await discover(root, path.join(root, "absent"));
  expect(skills.map(({ name }) => name)).toEqual(["good"]);
  expect(problems.map(({ code }) => code)).toEqual(["skill-unreadable", "skill-invalid"]);
});

test("comes to an end in a folder that is linked into itself, and finds each skill once", async () => {
  const root = await rootWith({ "one/SKILL.md": skill("one"), "two/SKILL.md": skill("two") });
  await symlink(root, path.join(root, "again"));
  await symlink(path.join(root, "one"), path.join(root, "one", "self"));
  const { skills, problems } = await discover(root);
  expect(skills.map(({ name, folder }) => [name, path.relative(root, folder)])).toEqual([
    ["one", "one"],
    ["two", "two"],
  ]);
  expect(problems).toEqual([]);
});

test("follows a link to a skill, and reports no duplicate when two roots lead to the same one", async () => {
  const low = await rootWith({ "one/SKILL.md": skill("one") });
  const high = await rootWith({});
  await symlink(path.join(low, "one"), path.join(high, "one"));
  const { skills, problems } = await discover(low, high);
  expect(skills.map(({ folder }) => folder)).toEqual([path.join(high, "one")]);
  expect(problems).toEqual([]);
});

test("reads only the head of a large skill", async () => {
  const root = await rootWith({ "big/SKILL.md": `${skill("big")}${"x".repeat(3_000_000)}` });
  bytesRead = 0;
  expect((await discover(root)).skills.map(({ name }) => name)).toEqual(["big"]);
  expect(bytesRead).toBeLessThan(100_000);
  expect((await readFile(path.join(root, "big", "SKILL.md"))).length).toBeGreaterThan(3_000_000);
});
