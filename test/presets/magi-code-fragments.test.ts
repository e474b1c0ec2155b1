import magiCode from "@quire/plugin-preset-magi-code";
import { expect, test } from "vitest";
import { fragmentNames, fragmentVariables } from "../../plugins/preset-magi-code/fragment-variables.js";
import { loadFragments } from "../../plugins/preset-magi-code/fragments.js";
import { openPreset, type PresetHostOptions } from "../support/preset-host.js";
import { usualFiles, type FileMap } from "./fixture.js";

const prompts = "/home/ada/.magi-code/prompts";
const profiles = { "/home/ada/.magi-code/subagents/review.md": "---\ndescription: Reads.\n---\n" };

async function textOf(files: FileMap, options: PresetHostOptions = {}): Promise<string> {
  const host = await openPreset(magiCode, { files, strict: false, ...options });
  return (await host.session.prompt()).text;
}

/** Why building fails with this override of a fragment, or undefined when it does not. */
async function problemOf(name: string, text: string): Promise<string | undefined> {
  const host = await openPreset(magiCode, { files: { [`${prompts}/${name}.md`]: text }, strict: false });
  const { stop, error } = await host.session.send("hello", new AbortController().signal).result;
  return stop === "error" ? error?.message : undefined;
}

test("MG-10 bundles six fragments, none of them empty", async () => {
  const place = { home: "/home/ada", cwd: "/repo", env: () => undefined, read: () => Promise.resolve(null) };
  const fragments = await loadFragments(place);
  expect(Object.keys(fragments)).toEqual(["system", "tools", "codemode", "subagents", "skills", "compact"]);
  for (const name of fragmentNames) expect(fragments[name].text.length).toBeGreaterThan(100);
});

test("MG-11 overrides lie in MC_HOME/prompts, else in ~/.magi-code/prompts", async () => {
  const files = { [`${prompts}/system.md`]: "From home.", "/mc/prompts/system.md": "From MC_HOME." };
  expect(await textOf(files)).toMatch(/^<SYSTEM>\nFrom home\.\n/);
  expect(await textOf(files, { environment: { MC_HOME: "/mc" } })).toMatch(/^<SYSTEM>\nFrom MC_HOME\.\n/);
});

test("MG-12 an override counts for its own fragment alone, and its bytes answer to its file", async () => {
  const plain = await textOf(usualFiles);
  const files = { ...usualFiles, [`${prompts}/tools.md`]: "Mine." };
  const host = await openPreset(magiCode, { files });
  const { text, pieces } = await host.session.prompt();
  expect(text).toBe(plain.replace(/<Tools>[^]*<\/Tools>/, "<Tools>\nMine.\n</Tools>"));
  expect(pieces.find((piece) => piece.text === "Mine.")?.from).toEqual({ kind: "file", file: `${prompts}/tools.md` });
});

test("MG-13 MG-14 MG-15 MG-16 MG-17 each fragment has its own variables", () => {
  const facts = ["operating_system", "terminal_environment"];
  expect(fragmentVariables).toEqual({
    system: facts,
    tools: [...facts, "SKILLS_LIST"],
    codemode: [...facts, "SKILLS_LIST"],
    subagents: ["LIST_SUBAGENTS"],
    skills: ["SKILLS_LIST"],
    compact: facts,
  });
});

test("MG-13 MG-14 MG-16 MG-17 puts values in place of variables", async () => {
  const text = await textOf({
    ...usualFiles,
    ...profiles,
    [`${prompts}/system.md`]: "On {{operating_system}} in {{terminal_environment}}.",
    [`${prompts}/tools.md`]: "Here {{operating_system}}.\n{{SKILLS_LIST}}\nEnd {{SKILLS_LIST}}",
    [`${prompts}/subagents.md`]: "They are:\n{{LIST_SUBAGENTS}}",
    [`${prompts}/skills.md`]: "{{SKILLS_LIST}}",
  });
  const skill = "- release: Cuts a release: version, changelog, tag. Use it when the user asks to publish.";
  expect(text).toContain("<SYSTEM>\nOn Linux in unknown.\n</SYSTEM>");
  expect(text).toContain(`<Tools>\nHere Linux.\n${skill}\nEnd ${skill}\n</Tools>`);
  expect(text).toContain("<Subagent-Identities>\nThey are:\n- review: Reads.\n</Subagent-Identities>");
  expect(text).toContain(`<Available-Skills>\n${skill}\n</Available-Skills>`);
});

test("MG-15 the fragment on code mode may list the skills", async () => {
  expect(await problemOf("codemode", "{{SKILLS_LIST}} on {{operating_system}}")).toBeUndefined();
});

test("MG-17 the bundled text states the rule on skills before their list", async () => {
  const text = await textOf(usualFiles);
  expect(text).toMatch(/<Available-Skills>\n[^]*`skill:\/\/<name>`[^]*\n\n- release: /);
});

test("MG-18 the instruction for compacting is never in the normal prompt, and is a compaction's own", async () => {
  const files = { ...usualFiles, [`${prompts}/compact.md`]: "COMPACT on {{operating_system}}" };
  const host = await openPreset(magiCode, { files });
  expect((await host.session.prompt()).text).not.toContain("COMPACT");
  expect((await host.session.prompt({ audience: "compaction" })).text).toContain("COMPACT on Linux");
});

test.for([
  { name: "tools", token: "{{TOOLS_LIST}}", rule: "MG-19 MG-22" },
  { name: "system", token: "{{SKILLS_LIST}}", rule: "MG-13 MG-22" },
  { name: "system", token: "{{Operating_System}}", rule: "MG-20 MG-22" },
  { name: "system", token: "{{ operating_system }}", rule: "MG-21 MG-22" },
  { name: "system", token: "{{operating_system }}", rule: "MG-21 MG-22" },
  { name: "skills", token: "{{operating_system}}", rule: "MG-17 MG-22" },
  { name: "subagents", token: "{{}}", rule: "MG-22" },
  { name: "codemode", token: "{{{SKILLS_LIST}}}", rule: "MG-22" },
  { name: "compact", token: "{{unknown}}", rule: "MG-22" },
])("$rule building fails on $token and names $name.md", async ({ name, token }) => {
  const problem = await problemOf(name, `First line.\nThen ${token} here.`);
  expect(problem).toContain(`${name}.md`);
  expect(problem).toContain(token.replace(/\}+$/, "}}"));
});

test("MG-22 building fails on a variable that is never closed, with all that mending needs", async () => {
  expect(await problemOf("tools", "Then {{operating_system and more")).toContain("{{operating_system and more");
  const files: FileMap = { [`${prompts}/tools.md`]: "One.\nThen {{x}}." };
  const host = await openPreset(magiCode, { files, strict: false });
  await expect(host.session.prompt()).rejects.toThrow("tools.md holds {{x}}");
  const place = { home: "/home/ada", cwd: "/repo", env: () => undefined };
  const read = (file: string) => Promise.resolve(files[file] ?? null);
  await expect(loadFragments({ ...place, read })).rejects.toMatchObject({
    diagnostic: {
      code: "fragment-variable-unknown",
      at: { kind: "file", file: `${prompts}/tools.md`, line: 2 },
      fix: expect.stringContaining("{{SKILLS_LIST}}"),
    },
  });
});

test.for([
  { name: "system", section: "system" },
  { name: "tools", section: "tools" },
  { name: "skills", section: "skills" },
  { name: "compact", section: "system" },
])(
  "MG-22 a wrong $name.md is told of section $section, with its line and how to mend it",
  async ({ name, section }) => {
    const file = `${prompts}/${name}.md`;
    const host = await openPreset(magiCode, { files: { [file]: "One.\nThen {{x}}." }, strict: false });
    const { error } = await host.session.send("hello", new AbortController().signal).result;
    expect(error).toMatchObject({
      code: "section-required",
      section: `preset-magi-code/${section}`,
      at: { kind: "file", file, line: 2 },
      fix: expect.stringContaining("written exactly so"),
    });
  },
);

test("a fragment that cannot be read stops building and is named", async () => {
  const read = () => Promise.reject(new Error("locked"));
  const place = { home: "/home/ada", cwd: "/repo", env: () => undefined, read };
  await expect(loadFragments(place)).rejects.toThrow(/fragment system\.md cannot be read: locked/);
});
