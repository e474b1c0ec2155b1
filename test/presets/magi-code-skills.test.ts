import type { Profile } from "@quire/core";
import { definePlugin } from "@quire/core";
import magiCode from "@quire/plugin-preset-magi-code";
import { fakeProvider } from "@quire/testkit";
import { expect, test } from "vitest";
import { openPreset, type PresetHostOptions } from "../support/preset-host.js";
import type { FileMap } from "./fixture.js";

const home = "/home/ada/.magi-code";

async function promptOf(files: FileMap, options: PresetHostOptions = {}) {
  const host = await openPreset(magiCode, { files, strict: false, ...options });
  return { host, ...(await host.session.prompt()) };
}

/** The lines of the list of skills. */
async function listOf(files: FileMap, options: PresetHostOptions = {}): Promise<readonly string[]> {
  const { text } = await promptOf(files, options);
  return text.match(/(?<=<Available-Skills>[^]*)^- .*$(?=[^]*<\/Available-Skills>)/gm) ?? [];
}

const skill = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\nBody of ${name}.\n`;

test("MG-40 MG-41 lists names, and descriptions where there are some, of the skills that are on", async () => {
  const files = {
    "/repo/.agents/skills/one/SKILL.md": skill("one", "Does <one> & more."),
    "/repo/.agents/skills/two/SKILL.md": "---\nname: two\n---\nBody.\n",
    "/repo/.agents/skills/three/SKILL.md": skill("three", "Is off."),
  };
  expect(await listOf(files, { config: { skills: { off: ["three"] } } })).toEqual([
    "- one: Does <one> & more.",
    "- two",
  ]);
  expect((await promptOf(files)).text).not.toContain("Body");
});

test("MG-43 of three roots the last one wins: home, the configured folders in order, the repository", async () => {
  const files = {
    [`${home}/skills/a/SKILL.md`]: skill("a", "home"),
    [`${home}/skills/b/SKILL.md`]: skill("b", "home"),
    [`${home}/skills/c/SKILL.md`]: skill("c", "home"),
    "/first/b/SKILL.md": skill("b", "first"),
    "/first/c/SKILL.md": skill("c", "first"),
    "/second/c/SKILL.md": skill("c", "second"),
    "/second/d/SKILL.md": skill("d", "second"),
    "/repo/.agents/skills/d/SKILL.md": skill("d", "repository"),
    "/home/ada/.agents/skills/e/SKILL.md": skill("e", "not a root"),
    "/home/ada/.quire/skills/f/SKILL.md": skill("f", "not a root"),
  };
  const config = { skills: { paths: ["/first", "/second"] } };
  expect(await listOf(files, { config })).toEqual(["- a: home", "- b: first", "- c: second", "- d: repository"]);
  const moved = { environment: { MC_HOME: "/mc" }, config };
  expect(await listOf({ ...files, "/mc/skills/a/SKILL.md": skill("a", "moved") }, moved)).toContain("- a: moved");
});

test("MG-44 finds a skill in a folder of its own and in a group, and no deeper", async () => {
  const files = {
    "/repo/.agents/skills/flat/SKILL.md": skill("flat", "1"),
    "/repo/.agents/skills/group/inner/SKILL.md": skill("inner", "2"),
    "/repo/.agents/skills/group/more/deep/SKILL.md": skill("deep", "3"),
  };
  expect(await listOf(files)).toEqual(["- flat: 1", "- inner: 2"]);
});

test("MG-46 a child gets the same guidance with fewer tools, MG-50 and nobody else's role", async () => {
  const asks = definePlugin({
    name: "asks",
    apiVersion: 1,
    setup(host) {
      host.tools.register({
        name: "asks/ask_child",
        description: "Asks a child.",
        input: { type: "object" },
        effect: "read",
        execute: async (_args, context) => {
          const turn = host.turns.start({ prompt: "child", parent: context, tools: ["read"] }, context.signal);
          return (await turn.result).text;
        },
      });
    },
  });
  const provider = fakeProvider({
    replies: [{ toolCalls: [{ name: "ask_child", args: {} }] }, "from the child", "done"],
  });
  const primary: Profile = { name: "Lead", instructions: "Lead the way." };
  const host = await openPreset(magiCode, { plugins: [asks], provider });
  const session = await host.open({ cwd: "/repo", profile: primary });
  await session.send("hello", new AbortController().signal).result;
  const [main, child] = provider.requests;
  const roleOfMain = "\n<Your-Role Persona=Lead>\nLead the way.\n</Your-Role>\n";
  expect(child?.tools.map(({ name }) => name)).toEqual(["read"]);
  expect(child?.system.text).not.toContain("Your-Role");
  expect(main?.system.text).toBe(`${child?.system.text}${roleOfMain}`);
});

test.for([
  { profile: { name: "Rita", instructions: "\n\nRead every line. {{SKILLS_LIST}}\n\n" }, want: "Rita" },
  { profile: { name: "two\nlines", instructions: "Read every line. {{SKILLS_LIST}}" }, want: "two\\nlines" },
])("MG-47 MG-48 a chosen profile stands trimmed at the end under its name $want", async ({ profile, want }) => {
  const host = await openPreset(magiCode, { append: "Appended." });
  const { text } = await host.session.prompt({ profile });
  expect(text).toMatch(/\n\nAppended\.\n\n<Additional-Context-Files>[^]*<\/Additional-Context-Files>\n\n<Your-Role/);
  expect(text.endsWith(`\n\n<Your-Role Persona=${want}>\nRead every line. {{SKILLS_LIST}}\n</Your-Role>\n`)).toBe(true);
});

test("MG-47 a profile without instructions leaves nothing", async () => {
  const host = await openPreset(magiCode);
  expect((await host.session.prompt({ profile: { name: "Empty", instructions: " \n" } })).text).not.toContain(
    "Your-Role",
  );
});

test("MG-48 MG-51 lists the profiles of MC_HOME/subagents by file stem, with their names", async () => {
  const files = {
    "/mc/subagents/review.md": "---\nname: Rita\ndescription: |\n  Reads\n  changes.\n---\nBody.\n",
    "/mc/subagents/plain.md": "No front matter.\n",
    "/mc/subagents/broken.md": "---\nname: [\n---\n",
    "/mc/agents/lead.md": "---\nname: Lead\ndescription: primary\n---\n",
    [`${home}/subagents/other.md`]: "---\ndescription: other home\n---\n",
  };
  const { host, text } = await promptOf(files, { environment: { MC_HOME: "/mc" } });
  expect(text).toContain("\n\n- plain\n- review (Rita): Reads changes.\n</Subagent-Identities>");
  expect(host.diagnostics).toContainEqual(
    expect.objectContaining({ code: "profile-unreadable", at: { kind: "file", file: "/mc/subagents/broken.md" } }),
  );
});
