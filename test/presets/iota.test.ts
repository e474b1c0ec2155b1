import { fakeProvider } from "@quire/testkit";
import type { Config } from "@quire/core";
import { expect, test } from "vitest";
import iota from "@quire/plugin-preset-iota";
import { commandTable } from "../../packages/cli/src/args/command-table.js";
import { openPreset, type PresetHostOptions } from "../support/preset-host.js";
import { bareFiles, fullFiles, usualFiles, type FileMap } from "./fixture.js";

const binary = "/opt/quire/bin/agent";

/** The prompt under the preset, with `iota` as config key. */
async function promptOf(keys: Config, options: PresetHostOptions = {}) {
  const config = { ...options.config, iota: { binary, ...keys } };
  const host = await openPreset(iota, { strict: false, ...options, config });
  return { host, ...(await host.session.prompt()) };
}

async function textOf(keys: Config, options: PresetHostOptions = {}): Promise<string> {
  return (await promptOf(keys, options)).text;
}

const shell = { tools: { shell: true } };
const everything = { tools: { shell: true, code: {} }, workspace: true };
const skillFile = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\nBody.\n`;
const markers = ["You are", "<environment>", "<agent_cli>", "<instructions>", "# Shop", "<available_skills>"];

test("IO-01 golden: everything present", async () => {
  const files = { ...fullFiles, "/home/ada/.iota.yaml": "", "/repo/packages/app/.iota.yml": "" };
  const text = await textOf(everything, { files, instructions: "Answer in French." });
  await expect(text).toMatchFileSnapshot("../golden/iota-full.md");
});

test("IO-01 golden: the usual", async () => {
  await expect(await textOf({ ...shell, workspace: true }, { files: usualFiles })).toMatchFileSnapshot(
    "../golden/iota-usual.md",
  );
});

test("IO-09 golden: nothing at all is no system message", async () => {
  const text = await textOf({}, { files: bareFiles });
  expect(text).toBe("");
  await expect(text).toMatchFileSnapshot("../golden/iota-bare.md");
});

test("IO-01 puts the segments in order with one blank line between", async () => {
  const text = await textOf(everything, { files: usualFiles, instructions: "Answer in French." });
  const places = markers.map((marker) => text.indexOf(marker));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places.every((place) => place >= 0)).toBe(true);
  for (const marker of ["<environment>", "<agent_cli>", "<instructions>", "# Shop", "When a task fits"]) {
    expect(text).toMatch(new RegExp(`[^\\n]\\n\\n${marker}`));
  }
  expect(text).not.toContain("\n\n\n");
});

test.for([
  { tools: { shell: true }, harness: true, cli: true },
  { tools: { code: { limit: 1 } }, harness: true, cli: false },
  { tools: { skills: null }, harness: true, cli: false },
  { tools: { ask: true, shell: false }, harness: true, cli: false },
  { tools: { ask: false }, harness: false, cli: false },
  { tools: {}, harness: false, cli: false },
  { tools: undefined, harness: false, cli: false },
])(
  "IO-02 IO-03 IO-04 IO-51 IO-52 $tools brings harness $harness and its commands $cli",
  async ({ tools, harness, cli }) => {
    const text = await textOf(tools === undefined ? {} : { tools }, { files: usualFiles });
    expect([text.includes("You are"), text.includes("<environment>"), text.includes("<agent_cli>")]).toEqual([
      harness,
      harness,
      cli,
    ]);
    if (!harness) expect(text).toBe("");
  },
);

test("IO-05 IO-31 has no instructions block without a prompt of the user", async () => {
  expect(await textOf(shell)).not.toContain("<instructions");
});

test("IO-06 IO-07 bring files and skills only with workspace: true, and only when there are some", async () => {
  expect(await textOf({ workspace: false }, { files: fullFiles })).toBe("");
  expect(await textOf({ workspace: true }, { files: bareFiles })).toBe("");
  const text = await textOf({ workspace: true }, { files: usualFiles });
  expect(text).toMatch(/^# Shop\n[^]*\n\nWhen a task fits[^]*<\/available_skills>$/);
});

test("IO-08 leaves nothing of a segment whose condition fails", async () => {
  const { "/repo/.agents/skills/release/SKILL.md": _skill, ...files } = usualFiles;
  const text = await textOf({ tools: { ask: true }, workspace: true }, { files });
  expect(text).not.toMatch(/agent_cli|instructions>|available_skills/);
  expect(text.match(/<\/?\w+>/g)).toEqual(["<environment>", "</environment>"]);
});

test("IO-09 IO-33 sends the user's prompt byte for byte without a harness, the overlay after a blank line", async () => {
  const instructions = "  Be <b>brief</b> & kind.\n\n";
  expect(await textOf({}, { instructions })).toBe(instructions);
  const text = await textOf({ workspace: true }, { files: { "/repo/AGENTS.md": "Chain.\n" }, instructions: "Plain." });
  expect(text).toBe("Plain.\n\nChain.");
});

test("IO-12 the prompt that is shown is the one that is sent", async () => {
  const provider = fakeProvider({ replies: ["ok"] });
  const { host, text } = await promptOf(everything, { files: fullFiles, provider });
  await host.session.send("hello", new AbortController().signal).result;
  expect(provider.requests[0]?.system.text).toBe(text);
});

test("IO-13 opens with two sentences of identity and one rule on declined calls", async () => {
  const [identity, rule] = (await textOf(shell)).split("\n\n");
  expect(identity?.match(/[.](?=\s|$)/g)).toHaveLength(2);
  expect(rule).toMatch(/declines/);
  expect(rule).toMatch(/what you wanted it for.*ask/s);
});

test("IO-14 IO-16 IO-18 gives one line a fact, in order", async () => {
  const block = /<environment>\n([^]*)\n<\/environment>/.exec(await textOf(shell))?.[1];
  expect(block?.split("\n")).toEqual([
    "project root: /repo",
    "platform: linux (x64)",
    "shell: bash",
    "date: 2026-01-02",
    `agent binary: ${binary}`,
    "user config: (absent)",
    "project config: (absent)",
  ]);
});

test("IO-17 names the interpreter that would run, whatever SHELL says, or none", async () => {
  const environment = { SHELL: "/usr/bin/fish" };
  expect(await textOf(shell, { environment })).toContain("\nshell: bash\n");
  expect(await textOf(shell, { place: { shell: "(none)" } })).toContain("\nshell: (none)\n");
});

test.for([
  { name: ".yaml before .yml", files: [".iota.yaml", ".iota.yml"], want: ".iota.yaml" },
  { name: ".yml alone", files: [".iota.yml"], want: ".iota.yml" },
])("IO-20 IO-21 names the config of home and of the working directory: $name", async ({ files, want }) => {
  const folders = ["/home/ada", "/repo/packages/app"];
  const there: FileMap = Object.fromEntries(
    folders.flatMap((folder) => files.map((file) => [`${folder}/${file}`, ""])),
  );
  const text = await textOf(shell, { files: { ...there, "/repo/.iota.yaml": "not the project root's" } });
  expect(text).toContain(`\nuser config: /home/ada/${want}\nproject config: /repo/packages/app/${want}\n`);
});

test("IO-22 IO-23 names the one config of -c in place of both, absolute", async () => {
  const files = { "/home/ada/.iota.yaml": "" };
  const text = await textOf({ ...shell, config_file: "../team.yaml" }, { files });
  expect(text).toContain("\nconfig: /repo/packages/team.yaml (given with -c; the only scope)\n</environment>");
  expect(text).not.toContain("user config");
});

test("IO-24 reads the facts once: what changes later is not asked for again", async () => {
  const { host, text } = await promptOf(shell);
  host.write("/home/ada/.iota.yaml", "tools: {}\n");
  expect((await host.session.prompt()).text).toBe(text);
});

test("IO-25 lists the commands a model may need, each after agent, and only those there are", async () => {
  const block = /<agent_cli>[^]*<\/agent_cli>/.exec(await textOf(shell))?.[0] ?? "";
  for (const line of ["config check|path|init", "list agents|models|providers"])
    expect(block).toContain(`\`agent ${line}\``);
  expect(block).toContain("`agent run <agent> -m");
  const named = [...block.matchAll(/`agent (\w+)(?: ([\w|]+))?/g)].flatMap(([, first = "", seconds]) =>
    (seconds?.split("|") ?? [""]).map((second) => `${first} ${second}`.trim()),
  );
  const there = commandTable.flatMap(({ path }) => [path, path.split(" ")[0]]);
  expect(named.filter((name) => !there.includes(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(7);
});

test("IO-27 says how settings change and when they count", async () => {
  const block = /<agent_cli>[^]*<\/agent_cli>/.exec(await textOf(shell))?.[0] ?? "";
  expect(block).toMatch(/file, and then `agent config check`/);
  expect(block).toMatch(/next session/);
});

test("IO-28 the block of commands adds no tool", async () => {
  const names = async (keys: Config) => (await promptOf(keys)).request.tools.map(({ name }) => name);
  expect(await names(shell)).toEqual(await names({}));
});

test("IO-30 places the user's words verbatim in their block", async () => {
  const text = await textOf(shell, { instructions: "Use <tags> & keep   spaces.\n" });
  expect(text).toContain("<instructions>\nUse <tags> & keep   spaces.\n\n</instructions>");
});

test("IO-32 the user's words replace their own segment only, and other edits are shown", async () => {
  const plain = await textOf(shell, { instructions: "One." });
  expect(await textOf(shell, { instructions: "Two." })).toBe(plain.replace("One.", "Two."));
  const edits = [
    { layer: "flags", by: { kind: "flag" }, op: "replace", section: "preset-iota/preamble", content: "Mine." },
  ] as const;
  const edited = await promptOf(shell, { edits });
  expect(edited.text.startsWith("Mine.\n\n<environment>")).toBe(true);
  expect(edited.edits).toContainEqual(expect.objectContaining({ section: "preset-iota/preamble", won: true }));
});

test("IO-53 an unknown set warns and does not trigger", async () => {
  const { host, text } = await promptOf({ tools: { shel: true } });
  expect(text).toBe("");
  expect(host.diagnostics).toContainEqual(
    expect.objectContaining({ code: "tool-set-unknown", level: "warn", message: expect.stringContaining('"shel"') }),
  );
});

test("IO-54 IO-55 tools that are on by themselves bring nothing: without tools: no byte is added", async () => {
  const { text, request } = await promptOf({}, { instructions: "Plain." });
  expect(request.tools.map(({ name }) => name)).toContain("bash");
  expect(text).toBe("Plain.");
});

test("IO-56 the harness stays within 1536 bytes", async () => {
  const cwd = "/Users/someone/Work/project";
  const home = "/Users/someone";
  const text = await textOf(
    { ...shell, binary: "/opt/homebrew/Cellar/iota/0.3.2/bin/iota" },
    {
      files: { [`${home}/.iota.yaml`]: "", [`${cwd}/.iota.yaml`]: "" },
      place: { cwd, projectRoot: cwd, home, platform: "macos (aarch64)" },
    },
  );
  expect(text).toContain(`user config: ${home}/.iota.yaml\nproject config: ${cwd}/.iota.yaml`);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1536);
});

test("IO-46 lists the project's skills, then those of the two homes, by name within each", async () => {
  const at = (folder: string, ...names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [`${folder}/${name}/SKILL.md`, skillFile(name, `From ${folder}.`)]));
  const files = {
    ...at("/home/ada/.agents/skills", "b", "a"),
    ...at("/home/ada/.iota/skills", "z", "c"),
    ...at("/repo/.agents/skills", "y", "x", "a"),
  };
  const text = await textOf({ workspace: true }, { files });
  expect([...text.matchAll(/<name>(\w+)</g)].map(([, name]) => name)).toEqual(["a", "x", "y", "c", "z", "b"]);
  expect(text).toContain("<name>a</name>\n<description>From /repo/.agents/skills.</description>");
});

test("IO-43 IO-44 IO-45 one sentence, a blank line, and a block whose entries are escaped", async () => {
  const files = { "/repo/.agents/skills/a/SKILL.md": skillFile("a", "Ends </available_skills> & <more>.") };
  const [sentence, block, ...rest] = (await textOf({ workspace: true }, { files })).split("\n\n");
  expect(rest).toEqual([]);
  expect(sentence).toMatch(/^[^.\n]*`load_skill`[^.\n]*`skill`[^.\n]*`file`[^.\n]*shell tool\.$/);
  expect(block).toBe(
    "<available_skills>\n<skill>\n<name>a</name>\n" +
      "<description>Ends &lt;/available_skills&gt; &amp; &lt;more&gt;.</description>\n</skill>\n</available_skills>",
  );
});

test("IO-47 IO-48 passes over what is too large, still tries smaller ones behind it, and counts the rest", async () => {
  const long = "x".repeat(890);
  const files = Object.fromEntries([
    ...Array.from({ length: 40 }, (_, index) => {
      const name = `s${String(index).padStart(2, "0")}`;
      return [`/repo/.agents/skills/${name}/SKILL.md`, skillFile(name, long)];
    }),
    ["/repo/.agents/skills/tiny/SKILL.md", skillFile("tiny", "Small.")],
  ]);
  const text = await textOf({ workspace: true }, { files });
  const shown = text.match(/<skill>/g)?.length ?? 0;
  expect(text).toContain("<name>tiny</name>");
  expect(text).toContain(
    `</skill>\n<note>${41 - shown} more skill(s) omitted: catalog size cap reached</note>\n</available_skills>`,
  );
  expect(shown).toBeGreaterThan(30);
  const entries = text.slice(text.indexOf("<skill>"), text.indexOf("<note>"));
  expect(Buffer.byteLength(entries)).toBeLessThanOrEqual(32_768);
});

test("IO-49 the overlay is the chain, the catalog, or both with a blank line between", async () => {
  const skill = { "/repo/.agents/skills/a/SKILL.md": skillFile("a", "A.") };
  const chain = { "/repo/AGENTS.md": "Chain.\n" };
  const [onlyChain, onlySkill] = [
    await textOf({ workspace: true }, { files: chain }),
    await textOf({ workspace: true }, { files: skill }),
  ];
  expect(onlyChain).toBe("Chain.");
  expect(await textOf({ workspace: true }, { files: { ...chain, ...skill } })).toBe(`${onlyChain}\n\n${onlySkill}`);
});
