import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { fakeProvider } from "@quire/testkit";
import { openCodingAgent, promptOf, send, textsOf, within } from "./coding-agent-host.js";
import { fullFiles, usualFiles } from "./fixture.js";

const skill = (name: string, description: string, more = "") =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n${more}---\nDo ${name}.\n`;

test("CA-34 the catalog has rules and lists what is enabled, valid and open to automatic use", async () => {
  const files = {
    "/home/ada/.quire/skills/listed/SKILL.md": skill("listed", "Listed."),
    "/home/ada/.quire/skills/off/SKILL.md": skill("off", "Off."),
    "/home/ada/.quire/skills/manual/SKILL.md": skill("manual", "Manual.", "disable-model-invocation: true\n"),
    "/home/ada/.quire/skills/broken/SKILL.md": "---\nname: [\n---\n",
  };
  const catalog = within(await promptOf(files, { config: { skills: { off: ["off"] } } }), "skills") ?? "";
  expect([...catalog.matchAll(/handle="([^"]*)"/g)].map(([, handle]) => handle)).toEqual(["listed"]);
  expect(catalog).toContain("load_skill");
});

test("CA-34 the catalog is limited in size, and counts what it leaves out", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `/home/ada/.quire/skills/s${index}/SKILL.md`,
      skill(`s${index}`, "d".repeat(1000)),
    ]),
  );
  const host = await openCodingAgent(files);
  const catalog = within((await host.session.prompt()).text, "skills") ?? "";
  const listed = [...catalog.matchAll(/<skill /g)].length;
  expect(catalog).toMatch(new RegExp(`\\n${60 - listed} more are not listed, for want of space\\.$`));
  expect(Buffer.byteLength(catalog.slice(catalog.indexOf("<skill ")))).toBeLessThanOrEqual(32_768);
  expect(host.diagnostics.map(({ code }) => code)).toContain("skills-omitted");
});

test("CA-34 with skills off there is no catalog", async () => {
  expect(await promptOf(usualFiles, { config: { skills: { enabled: false } } })).not.toContain("<skills>");
});

test("CA-35 CA-38 an entry is handle, name, scope and description, escaped", async () => {
  const files = { "/repo/.agents/skills/a/SKILL.md": skill('A "b" & c', "</skill> & <more>") };
  expect(within(await promptOf(files), "skills")).toContain(
    [
      '<skill handle="a-b-c" name="A &quot;b&quot; &amp; c" scope="project">',
      "&lt;/skill&gt; &amp; &lt;more&gt;",
      "</skill>",
    ].join("\n"),
  );
});

async function onDisk(files: Readonly<Record<string, string>>) {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "coding-agent-skills-")));
  const absolute = Object.fromEntries(Object.entries(files).map(([name, text]) => [path.join(root, name), text]));
  for (const [file, text] of Object.entries(absolute)) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { root, files: absolute, place: { cwd: root, projectRoot: root } };
}

test("CA-36 explicit use expands the skill within the user's message; an automatic load is a tool result", async () => {
  const { files, place } = await onDisk({ ".agents/skills/release/SKILL.md": skill("release", "Cuts a release.") });
  const provider = fakeProvider({
    replies: ["ok", { toolCalls: [{ name: "load_skill", args: { skill: "release" } }] }, "ok"],
  });
  const host = await openCodingAgent(files, { provider, place });
  await send(host, "/skill:release for 1.2");
  await send(host, "again");
  expect(textsOf(host, "user")[0]).toMatch(/^<skill name="release" [\s\S]*Do release\.\n<\/skill>\n\nfor 1\.2$/);
  expect(textsOf(host, "tool")[0]).toContain("Do release.");
});

test("CA-37 new loads follow the catalog of the moment, what was loaded stays, and an empty catalog says so", async () => {
  const { root, files, place } = await onDisk({
    ".agents/skills/release/SKILL.md": skill("release", "Cuts a release."),
  });
  const load = { toolCalls: [{ name: "load_skill", args: { skill: "release" } }] };
  const provider = fakeProvider({ replies: [load, "ok", load, "ok"] });
  const host = await openCodingAgent(files, { provider, place });
  await send(host, "one");
  for (const file of Object.keys(files)) host.remove(file);
  await rm(path.join(root, ".agents"), { recursive: true });
  await send(host, "two");
  const [kept, refused] = textsOf(host, "tool");
  expect(kept).toContain("Do release.");
  expect(refused).toMatch(/"isError":true.*There is no skill/);
  expect(within(provider.requests[2]?.system.text ?? "", "skills")).toBe("There are no skills at present.");
});

test("CA-38 capability sections are made of what there is at the moment", async () => {
  const host = await openCodingAgent(fullFiles);
  const first = (await host.session.prompt()).text;
  host.remove("/repo/.agents/skills/release/SKILL.md");
  const second = (await host.session.prompt()).text;
  expect(first).toContain('handle="release"');
  expect(second).not.toContain('handle="release"');
});
