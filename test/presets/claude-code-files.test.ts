import { expect, test } from "vitest";
import type { Prompt } from "@quire/core/host";
import { namesInText, openOnDisk, sectionText, type DiskHost } from "./claude-code-host.js";

/** The files in the prompt, in its order, by their paths below the machine's root. */
function filesShown(prompt: Prompt, { machine }: DiskHost): readonly string[] {
  const paths = prompt.pieces.flatMap(({ from, section }) =>
    section === "agents-md/files" && from.kind === "file" ? [from.file ?? ""] : [],
  );
  return [...new Set(paths)].map((file) => file.replace(`${machine.root}/`, ""));
}

async function shown(
  files: Readonly<Record<string, string | Uint8Array>>,
  folder?: string,
): Promise<readonly string[]> {
  const disk = await openOnDisk(files, folder === undefined ? {} : { folder });
  return filesShown(await disk.session.prompt(), disk);
}

const fourScopes = {
  "system/etc/claude-code/CLAUDE.md": "Managed.\n",
  "home/.claude/CLAUDE.md": "User.\n",
  "project/CLAUDE.md": "Project.\n",
  "project/.claude/CLAUDE.md": "Project too.\n",
  "project/.claude/rules/b.md": "Rule b.\n",
  "project/.claude/rules/a.md": "Rule a.\n",
  "project/.claude/rules/notes.txt": "No rule.\n",
  "project/CLAUDE.local.md": "Local.\n",
  "project/app/CLAUDE.md": "App.\n",
  "project/app/CLAUDE.local.md": "Local app.\n",
  "project/other/CLAUDE.md": "Not on the way.\n",
};

test("CC-18 CC-19 reads four scopes, the lower priority first", async () => {
  expect(await shown(fourScopes, "app")).toEqual([
    "system/etc/claude-code/CLAUDE.md",
    "home/.claude/CLAUDE.md",
    "project/CLAUDE.md",
    "project/.claude/CLAUDE.md",
    "project/.claude/rules/a.md",
    "project/.claude/rules/b.md",
    "project/app/CLAUDE.md",
    "project/CLAUDE.local.md",
    "project/app/CLAUDE.local.md",
  ]);
});

test("CC-18 the user's folder may be moved by CLAUDE_CONFIG_DIR", async () => {
  const disk = await openOnDisk(
    { "home/.claude/CLAUDE.md": "Not this.", "elsewhere/CLAUDE.md": "Moved." },
    { environment: (root) => ({ CLAUDE_CONFIG_DIR: `${root}/elsewhere` }) },
  );
  expect(filesShown(await disk.session.prompt(), disk)).toEqual(["elsewhere/CLAUDE.md"]);
});

test("CC-18 a file is there once, also where the home folder is on the way to the project", async () => {
  const disk = await openOnDisk(
    { "home/.claude/CLAUDE.md": "User.\n", "home/shop/CLAUDE.md": "Shop.\n" },
    { folder: "../home/shop" },
  );
  const prompt = await disk.session.prompt();
  expect(filesShown(prompt, disk)).toEqual(["home/.claude/CLAUDE.md", "home/shop/CLAUDE.md"]);
  expect(prompt.text.match(/User\./g)).toHaveLength(1);
});

test.for([
  { name: "@name", target: "@docs/a.md", file: "project/docs/a.md" },
  { name: "@./x", target: "@./docs/a.md", file: "project/docs/a.md" },
  { name: "@~/x", target: "@~/notes/a.md", file: "home/notes/a.md", from: "home/.claude/CLAUDE.md" },
  {
    name: "@ and an absolute path",
    target: "@ROOT/home/notes/a.md",
    file: "home/notes/a.md",
    from: "home/.claude/CLAUDE.md",
  },
  { name: "a name with a full stop behind it", target: "@docs/a.md.", file: "project/docs/a.md" },
])(
  "CC-20 CC-22 includes $name, before the file that names it",
  async ({ target, file, from = "project/CLAUDE.md" }) => {
    const disk = await openOnDisk({ [file]: "Included.\n" });
    await disk.machine.write({ [from]: `See ${target.replace("ROOT", disk.machine.root)} for more.\n` });
    const prompt = await disk.session.prompt();
    expect(filesShown(prompt, disk)).toEqual([file, from]);
    const text = sectionText(prompt, "agents-md/files");
    expect(text).toContain(`File ${disk.machine.root}/${file} (`);
    expect(text).toContain(`included by ${disk.machine.root}/${from}):\n\nIncluded.`);
  },
);

test("CC-21 includes nothing that is named in code, and takes no address or package for a file", async () => {
  const text = [
    "`@docs/span.md` and ``a ` @docs/span.md``",
    "```sh",
    "cat @docs/fence.md",
    "```",
    "",
    "    @docs/indented.md",
    "",
    "Ask ada@example.org, use @shop/cart.",
    "",
  ].join("\n");
  const files = {
    "project/CLAUDE.md": text,
    "project/docs/span.md": "x",
    "project/docs/fence.md": "x",
    "project/docs/indented.md": "x",
  };
  const disk = await openOnDisk(files);
  expect(filesShown(await disk.session.prompt(), disk)).toEqual(["project/CLAUDE.md"]);
  expect(disk.host.diagnostics).toEqual([]);
});

test("CC-22 an included file that includes another stands between the two", async () => {
  expect(
    await shown({
      "project/CLAUDE.md": "@a.md",
      "project/a.md": "@b.md",
      "project/b.md": "@c.md",
      "project/c.md": "@d.md",
      "project/d.md": "end",
    }),
  ).toEqual(["project/d.md", "project/c.md", "project/b.md", "project/a.md", "project/CLAUDE.md"]);
});

test("CC-23 a cycle ends where it began, and a file that two name is there once", async () => {
  expect(
    await shown({ "project/CLAUDE.md": "@a.md @b.md", "project/a.md": "@b.md @CLAUDE.md", "project/b.md": "@a.md" }),
  ).toEqual(["project/b.md", "project/a.md", "project/CLAUDE.md"]);
});

test("CC-24 passes over a missing target without a word", async () => {
  const disk = await openOnDisk({ "project/CLAUDE.md": "See @docs/gone.md.\n" });
  const prompt = await disk.session.prompt();
  expect(filesShown(prompt, disk)).toEqual(["project/CLAUDE.md"]);
  expect([...prompt.diagnostics, ...disk.host.diagnostics].filter(({ level }) => level !== "info")).toEqual([]);
});

test("CC-25 includes text by its ending, and no binary file", async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff]);
  expect(
    await shown({
      "project/CLAUDE.md": "@a.ts @b.png @c.exe @d.yaml @e.md",
      "project/a.ts": "const a = 1;\n",
      "project/b.png": png,
      "project/c.exe": "text in disguise",
      "project/d.yaml": "d: 1\n",
      "project/e.md": png,
    }),
  ).toEqual(["project/a.ts", "project/d.yaml", "project/CLAUDE.md"]);
});

const rules = {
  "project/CLAUDE.md": "Project.\n",
  "project/.claude/rules/api.md": '---\npaths:\n  - "packages/api/**/*.ts"\n---\nEvery route has a schema.\n',
  "project/packages/api/route.ts": "export {};\n",
};

test("CC-26 a rule with paths is there for matching work only", async () => {
  const disk = await openOnDisk(rules);
  expect(filesShown(await disk.session.prompt(), disk)).toEqual(["project/CLAUDE.md"]);
  await disk.session.send("Add a route to packages/api/route.ts", AbortSignal.timeout(20_000)).result;
  const prompt = await disk.session.prompt();
  expect(filesShown(prompt, disk)).toEqual(["project/CLAUDE.md", "project/.claude/rules/api.md"]);
  expect(prompt.text).not.toContain("paths:");
});

test("CC-26 a rule with paths is there when the working folder is what it is about", async () => {
  const disk = await openOnDisk({ ...rules, "project/packages/api/x/y.ts": "" }, { folder: "packages/api" });
  expect(filesShown(await disk.session.prompt(), disk)).toContain("project/.claude/rules/api.md");
});

test("CC-27 one header says that what follows overrides the defaults and is to be followed exactly", async () => {
  const disk = await openOnDisk(fourScopes);
  const text = sectionText(await disk.session.prompt(), "agents-md/files");
  expect(text).toMatch(/^# Instructions\n\n[^#]*override the defaults[^#]*followed exactly/);
  expect(text.match(/override/g)).toHaveLength(1);
});

test("CC-28 each file is a block whose label names its path and its scope", async () => {
  const disk = await openOnDisk(fourScopes);
  const text = sectionText(await disk.session.prompt(), "agents-md/files");
  const label = (file: string) =>
    text.split("\n").find((line) => line.startsWith(`File ${disk.machine.root}/${file} `));
  expect(label("system/etc/claude-code/CLAUDE.md")).toMatch(/\(managed instructions/);
  expect(label("home/.claude/CLAUDE.md")).toMatch(/\(the user's own instructions, for every project/);
  expect(label("project/CLAUDE.md")).toMatch(/\(instructions of the project/);
  expect(label("project/CLAUDE.local.md")).toMatch(/\(the user's own instructions for this project/);
  expect(text).toContain(`CLAUDE.local.md (the user's own instructions for this project, not shared):\n\nLocal.`);
});

test("CC-29 the notes of this project are cut at 200 lines, and the cut is named", async () => {
  const disk = await openOnDisk({});
  const folder = disk.machine.project.replaceAll(/[^A-Za-z0-9]/g, "-");
  await disk.machine.write({ [`home/.claude/projects/${folder}/memory/MEMORY.md`]: "note\n".repeat(201) });
  const prompt = await disk.session.prompt();
  const text = sectionText(prompt, "memory/files");
  expect(text.match(/^note$/gm)).toHaveLength(200);
  expect(text).toMatch(/the first 200 lines of it are shown/);
  expect(disk.host.diagnostics.map(({ code }) => code)).toEqual(["memory-file-cut"]);
});

test("CC-29 there is no word of notes when they are turned off", async () => {
  const disk = await openOnDisk({}, { config: { memory: { enabled: false } } });
  const folder = disk.machine.project.replaceAll(/[^A-Za-z0-9]/g, "-");
  await disk.machine.write({ [`home/.claude/projects/${folder}/memory/MEMORY.md`]: "note\n" });
  expect(namesInText(await disk.session.prompt())).not.toContain("memory/files");
});

test("every file is a source: its bytes stand in the prompt as they stand on disk", async () => {
  const disk = await openOnDisk({ "project/CLAUDE.md": "\uFEFFÄpfel </env> & <b>\r\nzwei\r\n" });
  const prompt = await disk.session.prompt();
  const piece = prompt.pieces.find(({ from }) => from.file?.endsWith("project/CLAUDE.md") === true);
  expect(piece?.text).toMatch(/Äpfel <\/env> & <b>\r\nzwei$/);
});
