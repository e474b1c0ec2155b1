import { expect, test } from "vitest";
import { definePlugin } from "@quire/core";
import type { PluginDefinition } from "@quire/core";
import { fakeProvider } from "@quire/testkit";
import { promptDocument } from "../../packages/cli/src/prompt/prompt-document.js";
import { fullFiles, usualFiles } from "./fixture.js";
import { codesOf, openPi, promptOf, sent, toolPlugin } from "./pi-host.js";

/** Replaces the role, seeing what earlier taps made of it, in the first turn alone. */
function changer(name: string, seen: string[]): PluginDefinition {
  let turns = 0;
  return definePlugin({
    name,
    apiVersion: 1,
    setup(host) {
      host.hooks.beforeAgentStart.tap(({ sections, edits }) => {
        turns += 1;
        const role = sections.find((section) => section.name === "base/identity")?.content;
        const text = role?.kind === "text" ? role.text : "";
        seen.push(`${name}: ${text}`);
        if (turns === 1) edits.replace("base/identity", `${text.slice(0, 7)} ${name}.`);
      });
    },
  });
}

test("PI-32 PI-33 PI-34 handlers change the prompt for one turn, one after another, and see all its parts", async () => {
  const seen: string[] = [];
  const provider = fakeProvider({ replies: () => "ok" });
  const host = await openPi(usualFiles, { provider, plugins: [changer("first", seen), changer("second", seen)] });
  await host.session.send("one", AbortSignal.timeout(20_000)).result;
  await host.session.send("two", AbortSignal.timeout(20_000)).result;
  const starts = provider.requests.map(({ system }) => system.text.split("\n")[0]);
  expect(starts[0]).toBe("You are second.");
  expect(starts[1]).toMatch(/^You are an expert at coding/);
  expect(seen[1]).toBe("second: You are first.");
  expect(provider.requests[0]?.system.text.slice("You are second.".length)).toBe(
    provider.requests[1]?.system.text.slice(starts[1]?.length),
  );
});

test("PI-35 PI-36 a template of user, project, package or settings becomes the user's message", async () => {
  const files = {
    ...fullFiles,
    "/pkg/package.json": '{ "pi": { "prompts": ["./texts"] } }',
    "/pkg/texts/packed.md": "Packed $@.",
    "/texts/set.md": "Set $1.",
  };
  const config = { commands: { packages: ["/pkg"], paths: ["/texts"] } };
  const before = await promptOf(files);
  const texts = ["/standup the week", "/review a.ts", "/packed a b", "/set x"].map((text) =>
    sent(files, text, { config }),
  );
  expect(await Promise.all(texts)).toEqual([
    "Sum up the week.",
    "Review a.ts with the eye of a colleague.",
    "Packed a b.",
    "Set x.",
  ]);
  expect(await promptOf(files, { config })).toBe(before);
});

test("PI-37 PI-38 templates can be off, and nested ones are none", async () => {
  expect(await sent(fullFiles, "/standup x", { config: { disable: ["commands"] } })).toBe("/standup x");
  const nested = { "/home/ada/.pi/agent/prompts/deep/lost.md": "Lost." };
  expect(await sent(nested, "/lost")).toBe("/lost");
});

test("PI-46 cuts nothing: a large file and a hundred skills go in whole", async () => {
  const large = "word ".repeat(200_000);
  const skills = Array.from({ length: 100 }, (_, index) => [
    `/home/ada/.pi/agent/skills/s${index}/SKILL.md`,
    `---\nname: s${index}\ndescription: ${"d".repeat(900)}\n---\n`,
  ]);
  const host = await openPi({ "/repo/AGENTS.md": large, ...Object.fromEntries(skills) });
  const { text } = await host.session.prompt();
  expect(text).toContain(large);
  expect([...text.matchAll(/<name>/g)]).toHaveLength(100);
  expect(codesOf(host).filter((code) => /cut|omitted/.test(code))).toEqual([]);
});

test("PI-47 files and guidelines that contradict each other all stay, each with its origin", async () => {
  const files = { "/repo/AGENTS.md": "Use tabs.", "/repo/packages/app/AGENTS.md": "Never use tabs." };
  const plugins = [toolPlugin([{ name: "a", guidelines: ["Always ask", "Never ask"] }])];
  const host = await openPi(files, { plugins });
  const { text, pieces } = await host.session.prompt();
  for (const part of ["Use tabs.", "Never use tabs.", "- Always ask", "- Never ask"]) expect(text).toContain(part);
  const written = pieces.filter(({ from }) => from.kind === "file").map(({ from, text: part }) => [from.file, part]);
  expect(written).toEqual(Object.entries(files));
});

test("PI-49 tells four numbers: sections, tools listed, context files with paths, skills", async () => {
  const host = await openPi(fullFiles);
  const prompt = await host.session.prompt();
  const { counts, sections } = promptDocument(prompt, { preset: "pi", plugins: host.plugins, diagnostics: [] });
  expect(counts).toEqual({ sections: 7, instruction_files: 4, skills: 4, tools: 8 });
  const files = sections.find(({ name }) => name === "agents-md/files")?.sources ?? [];
  expect(files.map(({ path }) => path)).toEqual([
    "/home/ada/.pi/agent/AGENTS.md",
    "/repo/AGENTS.md",
    "/repo/packages/AGENTS.md",
    "/repo/packages/app/AGENTS.md",
  ]);
  for (const { path, start, end } of files) {
    const bytes = Buffer.from(prompt.text).subarray(start, end).toString();
    expect(bytes).toBe(fullFiles[path]);
  }
});

test("PI-50 reports each trap under a code of its own", async () => {
  const files = {
    ...fullFiles,
    "/home/ada/.pi/agent/SYSTEM.md": "Mine.",
    "/home/ada/.pi/agent/prompts/deep/lost.md": "Lost.",
    "/repo/CLAUDE.md": "Second of its directory.",
  };
  const traps = await Promise.all([
    openPi(files),
    openPi(files, { place: { trusted: false } }),
    openPi(fullFiles, { plugins: [toolPlugin([{ name: "silent" }])] }),
    openPi(fullFiles, { config: { tools: { off: ["read"] } } }),
    openPi(fullFiles),
    openPi(files, { strict: false }),
  ]);
  for (const host of traps) await host.session.prompt();
  await traps[4]?.session.send("/review $2 x", AbortSignal.timeout(20_000)).result;
  await traps[5]?.session.send("/lost", AbortSignal.timeout(20_000)).result;
  const codes = traps.map(codesOf);
  expect(codes[0]).toContain("system-file-replaces");
  expect(codes[0]).toContain("instruction-file-hidden");
  expect(codes[1]).toContain("project-file-untrusted");
  expect(codes[2]).toContain("tool-unlisted");
  expect(codes[3]).toContain("skills-unreachable");
  expect(codes[4]).toContain("command-placeholder-literal");
  expect(codes[5]).toContain("command-folder-nested");
});

test("every byte of a file is in the account with the file's name", async () => {
  const files = { ...usualFiles, "/repo/.pi/SYSTEM.md": "Mine alone.", "/repo/.pi/APPEND_SYSTEM.md": "And more." };
  const { pieces } = await (await openPi(files)).session.prompt();
  const named = new Map(pieces.filter(({ from }) => from.kind === "file").map(({ from, text }) => [from.file, text]));
  expect(named.get("/repo/.pi/SYSTEM.md")).toBe("Mine alone.");
  expect(named.get("/repo/.pi/APPEND_SYSTEM.md")).toBe("And more.");
  expect(named.get("/repo/AGENTS.md")).toBe(usualFiles["/repo/AGENTS.md"]);
});
