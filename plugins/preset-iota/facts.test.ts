import { mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { environmentContent, readFacts, type EnvironmentFacts } from "./facts.js";
import { iotaOptions } from "./options.js";

const place = {
  cwd: "/repo",
  projectRoot: "/repo",
  home: "/home/ada",
  platform: "linux (x64)",
  shell: "bash",
  today: "2026-01-02",
  env: () => undefined,
  read: () => Promise.resolve(null),
};
const { iota: noOptions } = iotaOptions.parse({});

test("IO-19 shows what agent runs with links resolved, and unknown when there is nothing of that name", async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "iota-")));
  const bin = path.join(folder, "bin");
  await mkdir(path.join(folder, "first/agent"), { recursive: true });
  await mkdir(bin);
  await writeFile(path.join(folder, "agent.cjs"), "", { mode: 0o755 });
  await symlink("../agent.cjs", path.join(bin, "agent"));
  const on = (...folders: readonly string[]) => ({ ...place, env: () => folders.join(path.delimiter) });
  const found = await readFacts(on("relative", path.join(folder, "first"), bin), noOptions);
  expect(found.binary).toBe(path.join(folder, "agent.cjs"));
  const unknown = environmentContent(await readFacts(on(folder), noOptions));
  expect(unknown).toMatchObject({ facts: expect.arrayContaining([["agent binary", "(unknown)"]]) });
});

test("a config file that cannot be read is there all the same", async () => {
  const locked = { ...place, read: () => Promise.reject(new Error("locked")) };
  expect((await readFacts(locked, noOptions)).userConfig).toBe("/home/ada/.iota.yaml");
});

test("IO-24 composing needs nothing but the facts, and each keeps its line", () => {
  const facts: EnvironmentFacts = {
    projectRoot: "/a\nshell: zsh",
    platform: "linux (x64)",
    shell: "(none)",
    date: "2026-01-02",
  };
  expect(environmentContent(facts)).toEqual({
    kind: "facts",
    facts: [
      ["project root", "/a\\nshell: zsh"],
      ["platform", "linux (x64)"],
      ["shell", "(none)"],
      ["date", "2026-01-02"],
      ["agent binary", "(unknown)"],
      ["user config", "(absent)"],
      ["project config", "(absent)"],
    ],
  });
});
