import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import type { Config } from "@quire/core";
import { createHost } from "@quire/core/host";
import type { Host, LoadedPlugin, Session } from "@quire/core/host";
import { diskFiles, parseFrontMatter } from "@quire/loader";
import skills from "./index.js";

/** A layout that shows names and descriptions, and a provider whose first answer loads the skill `release`. */
const bare = definePlugin({
  name: "bare",
  apiVersion: 1,
  setup(host) {
    host.layouts.register({
      name: "bare",
      slots: [{ slot: "skills" }],
      escape: "raw",
      render(section, p) {
        if (section.content.kind !== "items") return p.body(section);
        const lines = section.content.items.map(({ id, text = "" }) => `${id}=${text}`);
        return p`${lines.join("\n")}\nomitted=${String(section.content.omitted ?? 0)}`;
      },
    });
    let requests = 0;
    host.providers.register({
      name: "loader",
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
        requests += 1;
        if (requests === 1) {
          const args = { skill: "release" };
          yield { type: "block", block: { type: "tool-call", id: "c1", name: "load_skill", args } };
        }
        yield { type: "end", stop: requests === 1 ? "tools" : "end" };
      },
    });
  },
});

interface Opened {
  readonly host: Host;
  readonly session: Session;
}

async function open(root: string, config: Config = {}): Promise<Opened> {
  const host = await createHost({
    plugins: [skills, bare].map((plugin): LoadedPlugin => ({
      name: plugin.name,
      version: "1.0.0",
      hash: plugin.name,
      tier: "builtin",
      plugin,
    })),
    config: { model: "loader/one", layout: "bare", ...config },
    files: diskFiles,
    log: { append: () => Promise.resolve(), read: async function* () {} },
    place: (cwd) => ({
      cwd,
      projectRoot: root,
      home: path.join(root, "home"),
      quireHome: path.join(root, "home", ".quire"),
      trusted: false,
      env: () => undefined,
      platform: "linux (x64)",
      shell: "bash",
    }),
    frontMatter: parseFrontMatter,
  });
  return { host, session: await host.open({ cwd: root, persist: false }) };
}

async function projectWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "skills-plugin-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  return root;
}

const skill = (name: string, more = "") => `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nDo ${name}.\n`;

test("MG-40 shows enabled names and their descriptions, and nothing of a body", async () => {
  const root = await projectWith({
    ".quire/skills/release/SKILL.md": skill("release"),
    ".agents/skills/plain/SKILL.md": "---\nname: plain\n---\nSecret body.",
    "home/.quire/skills/old/SKILL.md": skill("old"),
    "home/.agents/skills/manual/SKILL.md": skill("manual", "disable-model-invocation: true\n"),
  });
  const { session } = await open(root, { skills: { off: ["old"] } });
  expect((await session.prompt()).text).toBe("plain=\nrelease=Does release.\nomitted=0");
});

test("MG-44 finds skills in groups, the project's before the user's", async () => {
  const root = await projectWith({
    ".quire/skills/git/release/SKILL.md": skill("release", "license: MIT\n"),
    "home/.quire/skills/release/SKILL.md": "---\nname: release\ndescription: Hidden.\n---\n",
  });
  const { host, session } = await open(root);
  expect((await session.prompt()).text).toBe("release=Does release.\nomitted=0");
  expect(host.diagnostics.map(({ code, plugin }) => [code, plugin])).toEqual([["skill-duplicate", "skills"]]);
});

test("loads what is valid of a damaged folder and reports the rest once", async () => {
  const root = await projectWith({
    ".quire/skills/bom/SKILL.md": `\uFEFF${skill("bom").replaceAll("\n", "\r\n")}`,
    ".quire/skills/big/SKILL.md": skill("big") + "x".repeat(3_000_000),
    ".quire/skills/yaml/SKILL.md": "---\nname: [\n---\n",
    ".quire/skills/latin/SKILL.md": new Uint8Array([0x2d, 0xe9, 0xff, 0x0a]),
  });
  await symlink(".", path.join(root, ".quire", "skills", "self"));
  const { host, session } = await open(root);
  expect((await session.prompt()).text).toBe("big=Does big.\nbom=Does bom.\nomitted=0");
  await writeFile(path.join(root, ".quire", "skills", "bom", "SKILL.md"), "---\nname: bom\ndescription: New.\n---\n");
  expect((await session.prompt()).text).toContain("bom=New.");
  expect(host.diagnostics.map(({ code }) => code).toSorted()).toEqual(["skill-invalid", "skill-unreadable"]);
});

test("counts what the catalog's budget leaves out", async () => {
  const files = Array.from({ length: 40 }, (_, index) => {
    const name = `s${String(index).padStart(2, "0")}`;
    return [`.quire/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${"d".repeat(1000)}\n---\n`];
  });
  const { host, session } = await open(await projectWith(Object.fromEntries(files)));
  const { text } = await session.prompt();
  const omitted = Number(/omitted=(\d+)$/.exec(text)?.[1]);
  expect(omitted).toBeGreaterThan(0);
  expect(text.split("\n")).toHaveLength(40 - omitted + 1);
  expect(host.diagnostics).toMatchObject([{ code: "skills-omitted", message: expect.stringContaining('"s39"') }]);
});

test.for([
  { name: "no skill is there", config: {}, why: "empty" },
  { name: "skills are off", config: { skills: { enabled: false } }, why: "condition" },
  { name: "load_skill is off", config: { tools: { off: ["load_skill"] } }, why: "empty" },
])("has no catalog when $name, and declares load_skill all the same", async ({ config, why }) => {
  const { host, session } = await open(await projectWith({}), config);
  expect((await session.prompt()).leftOut).toEqual([{ section: "skills/catalog", why }]);
  expect(host.tools.map(({ name }) => name)).toEqual(["load_skill"]);
});

test("PI-20 a turn that loads a skill gets its text with the folder its references resolve against", async () => {
  const root = await projectWith({ ".quire/skills/release/SKILL.md": skill("release") });
  const { session } = await open(root);
  await session.send("Make a release.", new AbortController().signal).result;
  const [result] = session.messages.flatMap(({ content }) => content.filter(({ type }) => type === "tool-result"));
  expect(JSON.stringify(result)).toContain(`in the folder ${path.join(root, ".quire", "skills", "release")}.`);
  expect(JSON.stringify(result)).toContain("Do release.");
});

test("reports once that the skills cannot be reached, and lists none", async () => {
  const root = await projectWith({ ".quire/skills/release/SKILL.md": skill("release") });
  const { host, session } = await open(root, { tools: { off: ["load_skill"] } });
  expect((await session.prompt()).text).toBe("");
  await session.prompt();
  expect(host.diagnostics).toMatchObject([{ code: "skills-unreachable", message: expect.stringContaining("1 skill") }]);
});

test("PI-22 lists skills that are read by path only while a read tool is there, and else says why not", async () => {
  const root = await projectWith({ ".quire/skills/release/SKILL.md": skill("release") });
  const { host, session } = await open(root, { skills: { load: "read" } });
  expect((await session.prompt()).text).toBe("");
  expect(host.tools).toEqual([]);
  expect(host.diagnostics.map(({ code }) => code)).toEqual(["skills-unreachable"]);
  const always = await open(root, { skills: { load: "read", visible: "always" } });
  expect((await always.session.prompt()).text).toContain("release=Does release.");
});

test("CA-36 /skill:name puts the skill's text into the user's message, where later changes do not reach it", async () => {
  const root = await projectWith({
    ".quire/skills/manual/SKILL.md": skill("manual", "disable-model-invocation: true\n"),
  });
  const { session } = await open(root);
  await session.send("/skill:manual for 1.2", new AbortController().signal).result;
  await writeFile(path.join(root, ".quire", "skills", "manual", "SKILL.md"), skill("manual").replace("Do", "Undo"));
  const file = path.join(root, ".quire", "skills", "manual", "SKILL.md");
  const [words] = session.messages.filter(({ role }) => role === "user").flatMap(({ content }) => content);
  expect(words).toEqual({
    type: "text",
    text: [
      `<skill name="manual" location="${file}">`,
      `Skill "manual", in the folder ${path.dirname(file)}.`,
      "Relative paths in these instructions resolve against that folder, not against the working directory.",
      "",
      "Do manual.",
      "</skill>",
      "",
      "for 1.2",
    ].join("\n"),
  });
});
