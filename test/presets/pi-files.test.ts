import { expect, test } from "vitest";
import { fullFiles, usualFiles } from "./fixture.js";
import { codesOf, cwdLine, openPi, promptOf, sent } from "./pi-host.js";

test("PI-14 after the body come append text, project context, skills and the working directory", async () => {
  const text = await promptOf(fullFiles, { append: "From the flag." });
  const order = [
    "Guidelines:",
    "Mention the ticket number.",
    "From the flag.",
    "<project_context>",
    "<available_skills>",
  ];
  const places = [...order, cwdLine].map((part) => text.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
});

test("PI-15 each instruction file stands raw in a block with its path, behind one lead line", async () => {
  const text = await promptOf({ "/repo/AGENTS.md": 'A & B <c> "d" @docs/x.md' });
  expect(text).toMatch(
    /\n\n<project_context>\n[^\n<]+\n\n<project_instructions path="\/repo\/AGENTS.md">\nA & B <c> "d" @docs\/x\.md\n<\/project_instructions>\n<\/project_context>\n\n/,
  );
});

test.for([
  { there: ["AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"], read: "AGENTS.md" },
  { there: ["AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"], read: "AGENTS.MD" },
  { there: ["CLAUDE.md", "CLAUDE.MD"], read: "CLAUDE.md" },
  { there: ["CLAUDE.MD"], read: "CLAUDE.MD" },
  { there: ["AGENTS.override.md", "agents.md"], read: undefined },
])("PI-16 of $there in one directory it reads $read", async ({ there, read }) => {
  const text = await promptOf(Object.fromEntries(there.map((name) => [`/repo/${name}`, `I am ${name}.`])));
  expect([...text.matchAll(/^I am (.*)\.$/gm)].map(([, name]) => name)).toEqual(read === undefined ? [] : [read]);
});

test("PI-17 reads the user's file, then every directory from the top down to the working directory", async () => {
  const files = Object.fromEntries(
    ["/home/ada/.pi/agent", "", "/repo", "/repo/packages", "/repo/packages/app", "/repo/packages/app/deep"].map(
      (folder) => [`${folder}/AGENTS.md`, "x"],
    ),
  );
  const text = await promptOf(files);
  expect([...text.matchAll(/path="([^"]*)"/g)].map(([, path]) => path)).toEqual([
    "/home/ada/.pi/agent/AGENTS.md",
    "/AGENTS.md",
    "/repo/AGENTS.md",
    "/repo/packages/AGENTS.md",
    "/repo/packages/app/AGENTS.md",
  ]);
});

test("PI-18 without context files the rest of the prompt stays as it is", async () => {
  const off = await promptOf(fullFiles, { config: { disable: ["agents-md"] } });
  expect(off).not.toContain("<project_context>");
  const on = await promptOf(fullFiles);
  expect(on.replace(/<project_context>[\s\S]*<\/project_context>\n\n/, "")).toBe(off);
});

test("PI-19 PI-21 lists skills with name, description and location, each sign of markup escaped", async () => {
  const text = await promptOf({
    "/home/ada/.pi/agent/skills/a&b/SKILL.md": '---\nname: a&b\ndescription: "</skill> & \'x\' \\"y\\""\n---\n',
    "/home/ada/.pi/agent/skills/own/SKILL.md": "---\nname: own\ndescription: x\ndisable-model-invocation: true\n---\n",
  });
  expect(text).toContain(
    [
      "<available_skills>",
      "  <skill>",
      "    <name>a&amp;b</name>",
      "    <description>&lt;/skill&gt; &amp; &apos;x&apos; &quot;y&quot;</description>",
      "    <location>/home/ada/.pi/agent/skills/a&amp;b/SKILL.md</location>",
      "  </skill>",
      "</available_skills>",
    ].join("\n"),
  );
});

test("PI-20 tells that paths in a skill resolve against the skill's folder", async () => {
  expect(await promptOf(usualFiles)).toMatch(/relative\s+paths in it resolve against the folder that holds it/);
});

test("PI-22 has skills only while the read tool is on; PI-50 the diagnostic says why they are not there", async () => {
  const host = await openPi(usualFiles, { config: { tools: { off: ["read"] } } });
  expect((await host.session.prompt()).text).not.toContain("<available_skills>");
  expect(codesOf(host)).toContain("skills-unreachable");
  expect((await (await openPi(usualFiles)).session.prompt()).text).toContain("<available_skills>");
});

test("PI-23 ends with the working directory, its backslashes turned to slashes and no other path touched", async () => {
  const cwd = "C:\\work\\shop";
  const text = await promptOf(
    { "/home/ada/.pi/agent/AGENTS.md": "See C:\\docs." },
    { place: { cwd, projectRoot: cwd } },
  );
  expect(text.split("\n").at(-1)).toBe("Current working directory: C:/work/shop");
  expect(text).toContain("See C:\\docs.");
});

const body = /You are an expert|Available tools:|Guidelines:|Quire's own documentation/;

test.for([
  { name: "a flag", files: {}, options: { systemPrompt: "Mine alone." } },
  { name: "the user's SYSTEM.md", files: { "/home/ada/.pi/agent/SYSTEM.md": "Mine alone.\n" }, options: {} },
  { name: "the project's SYSTEM.md", files: { "/repo/.pi/SYSTEM.md": "Mine alone." }, options: {} },
])(
  "PI-24 PI-25 a custom prompt by $name drops the body and keeps append, context, skills and folder",
  async (wanted) => {
    const files = { ...fullFiles, ...wanted.files };
    const text = await promptOf(files, wanted.options);
    expect(text).not.toMatch(body);
    const whole = await promptOf(fullFiles);
    expect(text).toBe(`Mine alone.\n\n${whole.slice(whole.indexOf("Mention the ticket number."))}`);
  },
);

test("PI-25 the flag stands above the files, the nearer file above the farther", async () => {
  const own = { "/home/ada/.pi/agent/SYSTEM.md": "The user's." };
  const project = { ...own, "/repo/.pi/SYSTEM.md": "The project's." };
  const nearer = { ...project, "/repo/packages/app/.pi/SYSTEM.md": "The folder's." };
  const starts = await Promise.all([own, project, nearer].map((files) => promptOf(files)));
  expect(starts.map((text) => text.split("\n")[0])).toEqual(["The user's.", "The project's.", "The folder's."]);
  const flagged = await promptOf(nearer, { systemPrompt: "The flag's." });
  expect(flagged).toBe(`The flag's.\n\n${cwdLine}`);
});

test("PI-26 appends by the flag and by APPEND_SYSTEM.md of the project, else of the user", async () => {
  const own = { "/home/ada/.pi/agent/APPEND_SYSTEM.md": "The user's.\n" };
  const project = { ...own, "/repo/.pi/APPEND_SYSTEM.md": "The project's.\n" };
  expect(await promptOf(own)).toContain(`\n\nThe user's.\n\n${cwdLine}`);
  const text = await promptOf(project, { append: "One.\n\nTwo." });
  expect(text).toContain(`\n\nThe project's.\n\nOne.\n\nTwo.\n\n${cwdLine}`);
  expect(text).not.toContain("The user's.");
  expect(text).toMatch(body);
});

test("PI-28 PI-29 an untrusted project gives no SYSTEM.md, no APPEND_SYSTEM.md and no skills; the user's stand in", async () => {
  const files = {
    ...fullFiles,
    "/repo/.pi/SYSTEM.md": "The project's.",
    "/home/ada/.pi/agent/SYSTEM.md": "The user's.",
    "/home/ada/.pi/agent/APPEND_SYSTEM.md": "The user's own end.",
  };
  const host = await openPi(files, { place: { trusted: false } });
  const { text } = await host.session.prompt();
  expect(text).toMatch(/^The user's\.\n\nThe user's own end\.\n\n<project_context>/);
  expect([...text.matchAll(/<name>(.*)<\/name>/g)].map(([, name]) => name)).toEqual(["notes", "sketch"]);
  const untrusted = host.diagnostics.filter(({ code }) => code === "project-file-untrusted");
  expect(new Set(untrusted.map(({ at, level }) => `${level} ${at?.file}`))).toEqual(
    new Set(["info /repo/.pi/APPEND_SYSTEM.md", "info /repo/.pi/SYSTEM.md"]),
  );
  expect(codesOf(host)).toContain("skills-untrusted");
});

test("PI-29 an untrusted project's prompts are not expanded", async () => {
  expect(await sent(fullFiles, "/review a.ts", { place: { trusted: false } })).toBe("/review a.ts");
  expect(await sent(fullFiles, "/review a.ts")).toBe("Review a.ts with the eye of a colleague.");
});

test("PI-30 AGENTS.md and CLAUDE.md need no trust", async () => {
  const files = { "/repo/AGENTS.md": "Rules.", "/repo/packages/CLAUDE.md": "More." };
  const trusted = await promptOf(files);
  expect(await promptOf(files, { place: { trusted: false } })).toBe(trusted);
  expect(trusted).toContain("Rules.");
});
