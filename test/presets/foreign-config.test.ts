import { createHost } from "@quire/core/host";
import type { LoadFlags } from "@quire/loader";
import { fakeProvider } from "@quire/testkit";
import { expect, test } from "vitest";
import { builtins } from "../../packages/cli/src/builtins.js";
import { tempHome } from "../../packages/loader/src/testing/temp-home.js";

/** The prompt of a start under a preset, with that system's own files on the real disk. */
async function start(preset: string, files: Readonly<Record<string, string>>, flags: Partial<LoadFlags> = {}) {
  const place = await tempHome(files);
  const provider = {
    name: "fake-provider",
    configKeys: [],
    load: () => Promise.resolve(fakeProvider({ replies: ["ok"] })),
  };
  const loaded = await place.load(
    { trust: true, ...flags, config: { preset, ...flags.config } },
    { builtins: [...builtins.filter(({ name }) => !name.startsWith("provider-")), provider] },
  );
  const host = await createHost(loaded.host);
  const session = await host.open({ cwd: place.project, persist: false });
  const { text } = await session.prompt();
  return { text: text.replaceAll(place.root, ""), diagnostics: [...loaded.diagnostics, ...host.diagnostics] };
}

test("IO-29 the user's words come from system:, without it from system_file:, and -s stands in for both", async () => {
  const both = {
    "home/.iota.yaml": "system: From the key.\nsystem_file: ~/words.md\n",
    "home/words.md": "From the file.\n",
  };
  expect((await start("iota", both)).text).toBe("From the key.");
  const file = { ...both, "home/.iota.yaml": "system_file: ~/words.md\n" };
  expect((await start("iota", file)).text).toBe("From the file.");
  expect((await start("iota", both, { instructions: "From the flag." })).text).toBe("From the flag.");
});

test("IO-31 an empty -s removes what the config says", async () => {
  const files = { "home/.iota.yaml": "system: From the key.\ntools: { ask: true }\n" };
  expect((await start("iota", files, { instructions: "" })).text).not.toMatch(/instructions|From the key/);
});

test("IO-02 IO-06 the system's own keys are read: tools and workspace, the project's above the user's", async () => {
  const files = {
    "home/.iota.yaml": "tools: { shell: true }\n",
    "project/.iota.yml": "workspace: true\n",
    "project/AGENTS.md": "Chain.\n",
  };
  const { text, diagnostics } = await start("iota", files);
  expect(text).toMatch(/^You are [^]*<agent_cli>[^]*\n\nChain\.$/);
  expect(text).toContain("\nuser config: /home/.iota.yaml\nproject config: /project/.iota.yml\n");
  expect(diagnostics.filter(({ level }) => level !== "info")).toEqual([]);
});

test("IO-22 with -c the environment names the one file, and the system's own files do not count", async () => {
  const files = {
    "home/.iota.yaml": "system: Not this.\n",
    "project/team.yaml": "preset: iota\niota: { tools: { shell: true } }\n",
  };
  const { text } = await start("iota", files, { configFile: "team.yaml" });
  expect(text).toContain("\nconfig: /project/team.yaml (given with -c; the only scope)\n</environment>");
  expect(text).not.toContain("Not this.");
});

test("MG-28 MG-43 the system's own keys are read: further files, further skills, code mode", async () => {
  const place = await tempHome();
  const config = [
    "knowledge:",
    `  instructions: { additional_markdown_paths: ["${place.root}/notes.md"] }`,
    `  skills: { additional_paths: ["${place.root}/skills"] }`,
    "capabilities: { tools: { code_mode: { enabled: true } } }",
  ];
  await place.write({ "notes.md": "Notes.", "skills/a/SKILL.md": "---\nname: a\ndescription: A.\n---\n" });
  const { text, diagnostics } = await start("magi-code", { "home/.magi-code/config.yaml": config.join("\n") });
  expect(text).toContain("/notes.md>\nNotes.\n</Context>");
  expect(text).toContain("\n- a: A.\n</Available-Skills>");
  expect(diagnostics.filter(({ level }) => level !== "info")).toEqual([]);
});
