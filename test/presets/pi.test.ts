import { expect, test } from "vitest";
import pi from "@quire/plugin-preset-pi";
import { openPreset } from "../support/preset-host.js";
import { bareFiles, fullFiles, usualFiles } from "./fixture.js";
import { documentation, only, openPi, promptOf, toolPlugin, withDocumentation } from "./pi-host.js";

test.for([
  { name: "full", files: { ...fullFiles, ...documentation } },
  { name: "usual", files: { ...usualFiles, ...documentation } },
  { name: "bare", files: bareFiles },
])("the $name prompt", async ({ name, files }) => {
  const config = name === "bare" ? { tools: { only: ["none"] } } : withDocumentation;
  const host = await openPreset(pi, { files, config });
  const { text } = await host.session.prompt();
  await expect(`${text}\n`).toMatchFileSnapshot(`../golden/pi-${name}.md`);
});

test("PI-01 equal inputs give equal bytes, whatever the clock and the place of the program", async () => {
  const later = { now: () => new Date(2031, 5, 6, 7) };
  const other = { place: { platform: "darwin (arm64)", shell: "zsh" }, environment: { LANG: "de_DE" } };
  const text = await promptOf(fullFiles);
  expect(await promptOf(fullFiles, later)).toBe(text);
  expect(await promptOf(fullFiles, other)).toBe(text);
});

test("PI-02 each of the eight inputs reaches the prompt", async () => {
  const text = await promptOf({}, { config: only("read") });
  const changed = await Promise.all([
    promptOf({ "/home/ada/.pi/agent/SYSTEM.md": "Mine." }, { config: only("read") }),
    promptOf({}, { config: only("read", "bash") }),
    promptOf({}, { config: only("read", "look"), plugins: [toolPlugin([{ name: "look", snippet: "look around" }])] }),
    promptOf(
      {},
      { config: only("read", "look"), plugins: [toolPlugin([{ name: "look", guidelines: ["Look twice"] }])] },
    ),
    promptOf({}, { config: only("read"), append: "More." }),
    promptOf({}, { config: only("read"), place: { cwd: "/repo/packages" } }),
    promptOf({ "/repo/AGENTS.md": "Rules." }, { config: only("read") }),
    promptOf(
      { "/home/ada/.pi/agent/skills/x/SKILL.md": "---\nname: x\ndescription: y\n---\n" },
      { config: only("read") },
    ),
  ]);
  expect(new Set([text, ...changed]).size).toBe(9);
});

test("PI-03 keeps the inputs beside the text: tool lines, guidelines and resources as section content", async () => {
  const host = await openPi(usualFiles);
  const { sections } = await host.session.prompt();
  const content = (name: string) => sections.find((section) => section.name === name)?.content;
  const line = { id: "read", text: "Show a text file with line numbers, or an image" };
  expect(content("base/tools")).toMatchObject({ items: expect.arrayContaining([expect.objectContaining(line)]) });
  expect(content("agents-md/files")).toMatchObject({ items: [{ attrs: { path: "/repo/AGENTS.md" } }] });
  expect(content("skills/catalog")).toMatchObject({ items: [{ id: "release" }] });
});

test("PI-04 a tool that is off takes its line and its guidelines with it; a new skill shows at once", async () => {
  const without = await promptOf({}, { config: { tools: { off: ["edit", "write"] } } });
  expect(without).not.toContain("- edit:");
  expect(without).not.toContain("old_string");
  const host = await openPi({});
  expect((await host.session.prompt()).text).not.toContain("<available_skills>");
  host.write("/home/ada/.pi/agent/skills/new/SKILL.md", "---\nname: new\ndescription: Fresh.\n---\n");
  expect((await host.session.prompt()).text).toContain("<name>new</name>");
});

test("PI-05 PI-06 opens with the role, then tools, guidelines and pointers", async () => {
  const text = await promptOf({});
  const starts = ["You are an expert at coding", "Available tools:", "Guidelines:", "Quire's own documentation."];
  const places = starts.map((start) => text.indexOf(start));
  expect(places[0]).toBe(0);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(text.split("\n")[0]).toMatch(/inside Quire.*read.*run.*edit.*write/);
});

test("PI-07 points to README, docs and examples by absolute paths, with a map from topics to files", async () => {
  const text = await promptOf({});
  expect(text).toContain("- Start with: /opt/quire/README.md\n- Documentation: /opt/quire/docs\n");
  expect(text).toContain("- Examples: /opt/quire/plugins\n");
  expect(text).toContain("- For plugins, hooks, sections, tools, skills and command files: /opt/quire/docs/plugins.md");
  expect(text).toMatch(/unless the user asks about Quire itself/);
  expect(text).not.toContain("/opt/quire/docs/requirements.md");
});

const bashLine = "- Use bash for file operations like ls, rg, find";

test.for([
  { tools: ["bash"], has: true },
  { tools: ["bash", "read", "edit"], has: true },
  { tools: ["bash", "grep"], has: false },
  { tools: ["bash", "find"], has: false },
  { tools: ["bash", "ls"], has: false },
  { tools: ["read"], has: false },
])("PI-08 with $tools the line about bash stands there: $has", async ({ tools, has }) => {
  expect((await promptOf({}, { config: only(...tools) })).includes(bashLine)).toBe(has);
});

test("PI-09 guidelines of tools stand between the line about bash and the two that always stand", async () => {
  const plugins = [toolPlugin([{ name: "look", snippet: "look", guidelines: ["Look first"] }])];
  const text = await promptOf({}, { config: only("bash", "look"), plugins });
  const lines = text.slice(text.indexOf("Guidelines:")).split("\n\n")[0]?.split("\n");
  expect(lines?.[1]).toBe(bashLine);
  expect(lines).toContain("- Look first");
  expect(lines?.slice(-2)).toEqual([
    "- Be concise in your responses",
    "- Show file paths clearly when working with files",
  ]);
});

test("PI-10 each guideline stands once, compared as it is written", async () => {
  const guidelines = ["Be concise in your responses", "be concise in your responses", "Once", "Once"];
  const plugins = [
    toolPlugin([
      { name: "a", guidelines },
      { name: "b", guidelines: ["Once"] },
    ]),
  ];
  const text = await promptOf({}, { config: only("a", "b"), plugins });
  expect(text.split("\n").filter((line) => /once|concise/i.test(line))).toEqual([
    "- Be concise in your responses",
    "- be concise in your responses",
    "- Once",
  ]);
});

test("PI-11 PI-12 PI-13 lists tools with a one-line snippet alone, and keeps the guidelines of the others", async () => {
  const plugins = [
    toolPlugin([
      { name: "shown", snippet: "shown to all" },
      { name: "hidden", guidelines: ["Use hidden with care"] },
      { name: "long", snippet: "two\nlines" },
    ]),
  ];
  const host = await openPi({}, { config: only("shown", "hidden", "long"), plugins });
  const { text, request } = await host.session.prompt();
  expect(text).toContain("Available tools:\n- shown: shown to all\n\n");
  expect(text).toContain("- Use hidden with care");
  expect(request.tools.map(({ name }) => name)).toEqual(["hidden", "long", "shown"]);
});

test("says so when no tool is listed", async () => {
  expect(await promptOf({}, { config: only("none") })).toContain("Available tools:\n(none)\n");
});
