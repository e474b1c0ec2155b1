import { expect, test } from "vitest";
import { findCommands } from "./find-commands.js";
import { commandsOptions } from "./options.js";

interface Setting {
  readonly files: Readonly<Record<string, string>>;
  readonly commands?: object;
  readonly trusted?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

async function find({ files, commands = {}, trusted = true, env = {} }: Setting) {
  const list = (folder: string) => {
    const below = Object.keys(files).filter((file) => file.startsWith(`${folder}/`));
    const names = below.map((file) => file.slice(folder.length + 1).replace(/\/.*/, "/"));
    return Promise.resolve(below.length === 0 ? null : [...new Set(names)].sort());
  };
  const place = {
    cwd: "/repo/src",
    projectRoot: "/repo",
    home: "/home/ada",
    quireHome: "/home/ada/.quire",
    trusted,
    env: (name: string) => env[name],
    read: (file: string) => Promise.resolve(files[file] ?? null),
    list,
  };
  const { commands: found, problems } = await findCommands(place, commandsOptions.parse({ commands }).commands);
  return {
    files: found.map(({ name, file }) => `${name} ${file}`),
    problems: problems.map(({ code, at }) => [code, at?.file]),
  };
}

test("PI-36 finds the user's files, the trusted project's, and those that are named", async () => {
  const files = {
    "/home/ada/.quire/commands/plan.md": "",
    "/repo/.quire/commands/review.md": "",
    "/repo/src/extra/one.md": "",
    "/repo/src/two.md": "",
    "/home/ada/three.md": "",
    "/else/four.md": "",
  };
  const commands = { paths: ["extra", "two.md", "~/three.md"], given: ["/else/four.md"] };
  expect(await find({ files, commands })).toEqual({
    files: [
      "four /else/four.md",
      "one /repo/src/extra/one.md",
      "plan /home/ada/.quire/commands/plan.md",
      "review /repo/.quire/commands/review.md",
      "three /home/ada/three.md",
      "two /repo/src/two.md",
    ],
    problems: [],
  });
});

test("PI-36 uses nothing of a project that is not trusted, and names what that leaves out", async () => {
  const files = { "/repo/.quire/commands/review.md": "", "/home/ada/.quire/commands/plan.md": "" };
  expect(await find({ files, trusted: false })).toEqual({
    files: ["plan /home/ada/.quire/commands/plan.md"],
    problems: [["command-untrusted", "/repo/.quire/commands/review.md"]],
  });
});

test.for([
  { name: "the folder prompts", manifest: "{}", file: "prompts/a.md" },
  { name: "the folder its manifest names", manifest: '{"pi":{"prompts":["./texts"]}}', file: "texts/a.md" },
  { name: "the file its manifest names", manifest: '{"pi":{"prompts":["a.md"]}}', file: "a.md" },
  { name: "the usual folder when its manifest is broken", manifest: "{", file: "prompts/a.md" },
])("PI-36 takes a package's commands from $name", async ({ manifest, file }) => {
  const files = { "/pkg/package.json": manifest, [`/pkg/${file}`]: "" };
  const package_commands = { key: "pi.prompts", folder: "prompts" };
  const packages = ["npm:other", "git:host/name", "https://host/name", { source: "/pkg", skills: [] }];
  expect((await find({ files, commands: { packages, package_commands } })).files).toEqual([`a /pkg/${file}`]);
});

test("PI-37 finds nothing when commands are off", async () => {
  const files = { "/home/ada/.quire/commands/plan.md": "" };
  expect(await find({ files, commands: { enabled: false } })).toEqual({ files: [], problems: [] });
});

test("PI-38 takes the folder's own .md files and no deeper ones, and PI-50 says which folder is passed over", async () => {
  const files = {
    "/home/ada/.quire/commands/plan.md": "",
    "/home/ada/.quire/commands/notes.txt": "",
    "/home/ada/.quire/commands/deep/lost.md": "",
    "/home/ada/.quire/commands/pictures/a.png": "",
  };
  expect(await find({ files })).toEqual({
    files: ["plan /home/ada/.quire/commands/plan.md"],
    problems: [["command-folder-nested", "/home/ada/.quire/commands/deep"]],
  });
});

test("takes the later of two with one name and reports the other", async () => {
  const files = { "/home/ada/.quire/commands/plan.md": "", "/repo/.quire/commands/plan.md": "" };
  expect(await find({ files, commands: { paths: ["/repo/.quire/commands"] } })).toEqual({
    files: ["plan /repo/.quire/commands/plan.md"],
    problems: [["command-duplicate", "/home/ada/.quire/commands/plan.md"]],
  });
});

test("reports a file whose name nobody can type, and a path that is not there", async () => {
  const files = { "/home/ada/.quire/commands/my plan.md": "" };
  expect((await find({ files, commands: { given: ["gone.md"] } })).problems).toEqual([
    ["command-name", "/home/ada/.quire/commands/my plan.md"],
    ["command-missing", "/repo/src/gone.md"],
  ]);
});

test("takes the first folder whose variable is set", async () => {
  const files = { "/x/commands/a.md": "", "/home/ada/commands/b.md": "" };
  const commands = { folders: [{ folder: ["$X_HOME/commands", "~/commands"] }] };
  expect((await find({ files, commands, env: { X_HOME: "/x" } })).files).toEqual(["a /x/commands/a.md"]);
  expect((await find({ files, commands })).files).toEqual(["b /home/ada/commands/b.md"]);
  expect((await find({ files, commands: { folders: [{ folder: "$X_HOME/commands" }] } })).files).toEqual([]);
});
