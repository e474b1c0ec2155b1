import type { Config } from "@quire/core";
import { definePlugin } from "@quire/core";
import magiCode from "@quire/plugin-preset-magi-code";
import { fakeProvider } from "@quire/testkit";
import { expect, test } from "vitest";
import { openPreset, type PresetHostOptions } from "../support/preset-host.js";
import { bareFiles, fullFiles, usualFiles } from "./fixture.js";

const environment = { TERM_PROGRAM: "kitty", TERM: "xterm-kitty", COLORTERM: "truecolor" };
const home = "/home/ada/.magi-code";
const none = "No AGENTS.md instruction files were discovered.";

async function promptOf(options: PresetHostOptions = {}) {
  const host = await openPreset(magiCode, { environment, ...options });
  return { host, ...(await host.session.prompt()) };
}
const textOf = async (options: PresetHostOptions = {}) => (await promptOf(options)).text;

/** A tool by this name that the model may call. */
const tool = (name: string) =>
  definePlugin({
    name: `with-${name}`,
    apiVersion: 1,
    setup: (host) =>
      host.tools.register({
        name: `with-${name}/${name}`,
        description: "Does something.",
        snippet: "a snippet that no prompt shows",
        input: { type: "object" },
        effect: "read",
        execute: () => "done",
      }),
  });

const codeMode: PresetHostOptions = { plugins: [tool("code")], config: { magi_code: { code_mode: true } } };
const reviewer = { [`${home}/subagents/review.md`]: "---\nname: Rita\ndescription: Reads changes.\n---\nBe kind.\n" };
const extra: Config = { instruction_files: { extra: ["/home/ada/notes/team.md"] } };

test("MG-02 golden: everything present", async () => {
  const config = { ...codeMode.config, ...extra };
  const files = { ...fullFiles, ...reviewer };
  const text = await textOf({ files, config, plugins: [tool("code")], append: "Mention the ticket number." });
  await expect(text).toMatchFileSnapshot("../golden/magi-code-full.md");
});

test("MG-02 golden: the usual", async () => {
  const text = await textOf({ files: usualFiles, place: { cwd: "/repo" } });
  await expect(text).toMatchFileSnapshot("../golden/magi-code-usual.md");
});

test("MG-02 golden: nothing at all", async () => {
  await expect(await textOf({ files: bareFiles })).toMatchFileSnapshot("../golden/magi-code-bare.md");
});

test("MG-01 builds the prompt once: later turns send the same bytes, whatever has changed on the disk", async () => {
  const provider = fakeProvider({ replies: ["one", "two"] });
  const { host } = await promptOf({ files: { "/repo/packages/app/AGENTS.md": "before" }, provider });
  const signal = new AbortController().signal;
  await host.session.send("first", signal).result;
  host.write("/repo/packages/app/AGENTS.md", "after");
  host.write(`${home}/prompts/system.md`, "Another system.");
  host.write(`${home}/AGENTS.md`, "A new file.");
  await host.session.send("second", signal).result;
  const [first, second] = provider.requests;
  expect(first?.system.text).toContain("before");
  expect(second?.system.text).toBe(first?.system.text);
});

test("MG-02 MG-08 MG-09 MG-29 puts the sections in the pinned order, each in its wrapper", async () => {
  const text = await textOf({ ...codeMode, files: { ...fullFiles, ...reviewer } });
  const found = text.match(
    /^<\/?(SYSTEM|USER-SYSTEM|Tools|Subagent-Identities|Available-Skills|Additional-Context-Files)>$/gm,
  );
  expect(found).toEqual([
    "<SYSTEM>",
    "<USER-SYSTEM>",
    "</USER-SYSTEM>",
    "</SYSTEM>",
    "<Tools>",
    "</Tools>",
    "<Subagent-Identities>",
    "</Subagent-Identities>",
    "<Available-Skills>",
    "</Available-Skills>",
    "<Additional-Context-Files>",
    "</Additional-Context-Files>",
  ]);
  const [, between] = text.split(/<\/Tools>\n\n|\n\n<Subagent-Identities>/);
  expect(between).toMatch(/^The tool `code`/);
});

test.for([
  { name: "on, with the tool", code_mode: true, plugins: [tool("code")], off: [], want: true },
  { name: "not on", code_mode: false, plugins: [tool("code")], off: [], want: false },
  { name: "on, without the tool", code_mode: true, plugins: [], off: [], want: false },
  { name: "on, with the tool off", code_mode: true, plugins: [tool("code")], off: ["code"], want: false },
])("MG-03 code mode is $name: told $want", async ({ code_mode, plugins, off, want }) => {
  const text = await textOf({ plugins, config: { magi_code: { code_mode }, tools: { off } } });
  expect(text.includes("The tool `code`")).toBe(want);
});

test("MG-04 MG-45 tells of subagents only when there are some, between tools and skills", async () => {
  expect(await textOf({ files: usualFiles })).not.toContain("Subagent-Identities");
  const text = await textOf({ files: { ...usualFiles, ...reviewer } });
  expect(text).toMatch(
    /<\/Tools>\n\n<Subagent-Identities>\n[^]*\n- review \(Rita\): Reads changes\.\n<\/Subagent-Identities>\n\n<Available-Skills>/,
  );
});

test("MG-05 a section that renders empty leaves no tag", async () => {
  const text = await textOf({ files: { [`${home}/prompts/tools.md`]: "\n\n" } });
  expect(text).not.toMatch(/Tools>|Available-Skills|Subagent/);
});

test("MG-06 MG-07 one blank line stands between sections, and one newline at the end", async () => {
  const files = { ...fullFiles, [`${home}/prompts/system.md`]: "\n\nMine.\n\n\n" };
  const config = { instruction_files: { enabled: false } };
  const text = await textOf({ files, append: "\nAppended.\n\n\n", config });
  expect(text).toMatch(/^<SYSTEM>\nMine\.\n<\/SYSTEM>\n\n<Tools>/);
  expect(text).toMatch(/[^\n]\n\nAppended\.\n$/);
  expect(text).toMatch(/<\/Tools>\n\n<Available-Skills>/);
  expect(await textOf({ files })).toMatch(/<\/Available-Skills>\n\n<Additional-Context-Files>[^]*Files>\n$/);
});

test("MG-23 MG-24 MG-25 names the system and the terminal, and nothing else of the environment", async () => {
  const secret = { ...environment, COLORTERM: "true\ncolor; $(x)", SECRET_TOKEN: "hunter2", TERM_SESSION_ID: "w0" };
  const text = await textOf({ environment: secret, place: { platform: "darwin (arm64)" } });
  expect(text).toContain(
    "<USER-SYSTEM>\nOperating system: macOS\nTerminal: TERM_PROGRAM=kitty, TERM=xterm-kitty, COLORTERM=truecolorx\n</USER-SYSTEM>",
  );
  expect(text).not.toMatch(/hunter2|w0/);
  const long = await textOf({ environment: { TERM: "x".repeat(500) } });
  expect(long).toContain(`\nTerminal: TERM=${"x".repeat(40)}\n`);
  expect(await textOf({ environment: {} })).toContain("\nTerminal: unknown\n");
});

test("MG-26 MG-27 MG-28 brings the user's file, the one of the working directory, then the listed ones in order", async () => {
  const files = {
    [`${home}/AGENTS.md`]: "user",
    "/repo/packages/app/AGENTS.md": "here",
    "/z.md": "z",
    "/a.md": "a",
    "/b.txt": "not markdown",
  };
  const config = { instruction_files: { extra: ["/z.md", "/b.txt", "/gone.md", "/a.md"] } };
  const { host, text } = await promptOf({ files, config });
  expect([...text.matchAll(/^<Context File=(.*)>$/gm)].map(([, file]) => file)).toEqual([
    `${home}/AGENTS.md`,
    "/repo/packages/app/AGENTS.md",
    "/z.md",
    "/a.md",
  ]);
  expect(host.diagnostics.map(({ at }) => at?.file)).toEqual(["/b.txt", "/gone.md"]);
  const relative = await openPreset(magiCode, {
    strict: false,
    config: { instruction_files: { extra: ["notes.md"] } },
  });
  expect(relative.diagnostics).toContainEqual(
    expect.objectContaining({ code: "options-invalid", plugin: "agents-md" }),
  );
});

test("MG-26 the user's file follows MC_HOME when it is set", async () => {
  const files = { [`${home}/AGENTS.md`]: "default home", "/mc/AGENTS.md": "own home" };
  expect(await textOf({ files, environment: { MC_HOME: "/mc" } })).toContain(
    "<Context File=/mc/AGENTS.md>\nown home\n",
  );
  expect(await textOf({ files, environment: { MC_HOME: "/mc" } })).not.toContain("default home");
});

test("MG-30 MG-31 MG-32 MG-33 each file is a block with its path in the first line and its raw content", async () => {
  const raw = "\uFEFF<b>&\r\n</Context> @x.md\n\n";
  const files = { "/repo/packages/app/AGENTS.md": raw, "/repo/packages/app/x.md": "never" };
  const text = await textOf({ files });
  const [, lead, rest] =
    /<Additional-Context-Files>\n([^\n]+)\n\n([^]*)\n<\/Additional-Context-Files>\n$/.exec(text) ?? [];
  expect(lead).toMatch(/need no reading by tool/);
  expect(rest).toBe(`<Context File=/repo/packages/app/AGENTS.md>\n${raw}\n</Context>`);
});

test("MG-34 says that there is no file when there is none", async () => {
  expect(await textOf()).toContain(`<Additional-Context-Files>\n${none}\n</Additional-Context-Files>\n`);
  expect(await textOf({ files: { [`${home}/AGENTS.md`]: "one" } })).not.toContain(none);
});

test("MG-35 MG-36 discovers no CLAUDE.md and nothing of parent folders", async () => {
  const files = {
    "/repo/packages/app/CLAUDE.md": "x",
    [`${home}/CLAUDE.md`]: "x",
    "/repo/AGENTS.md": "x",
    "/repo/packages/AGENTS.md": "x",
  };
  expect(await textOf({ files })).toContain(none);
});

test("MG-37 guidance goes into the text, declarations into the request alone", async () => {
  const { text, request } = await promptOf({ plugins: [tool("twist")] });
  expect(request.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["twist", "bash", "read"]));
  expect(text).not.toMatch(/twist|a snippet that no prompt shows/);
  for (const { description } of request.tools) expect(text).not.toContain(description);
});

test("MG-38 MG-39 a tool that is off is not declared and refused, and the text on tools stays whole", async () => {
  const provider = fakeProvider({ replies: [{ toolCalls: [{ name: "twist", args: {} }] }, "done"] });
  const { host, text, request } = await promptOf({
    plugins: [tool("twist")],
    config: { tools: { off: ["twist", "bash"] } },
    provider,
  });
  expect(request.tools.map(({ name }) => name)).not.toContain("twist");
  const block = (whole: string) => /<Tools>[^]*<\/Tools>/.exec(whole)?.[0];
  expect(block(text)).toBe(block(await textOf()));
  await host.session.send("twist it", new AbortController().signal).result;
  const results = host.session.messages.flatMap(({ content }) => content.filter(({ type }) => type === "tool-result"));
  expect(results).toMatchObject([{ isError: true, content: [{ text: expect.stringContaining("is off") }] }]);
});
