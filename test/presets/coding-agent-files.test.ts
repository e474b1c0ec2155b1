import { expect, test } from "vitest";
import { openCodingAgent, promptOf } from "./coding-agent-host.js";

const pathsIn = (text: string) => [...text.matchAll(/project_instructions path="([^"]*)"/g)].map(([, file]) => file);

test.for([
  { there: ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"], read: "AGENTS.override.md" },
  { there: ["AGENTS.md", "CLAUDE.md"], read: "AGENTS.md" },
  { there: ["CLAUDE.md"], read: "CLAUDE.md" },
  { there: ["CLAUDE.MD", "AGENTS.MD"], read: undefined },
])("CA-52 of $there in one directory it reads $read", async ({ there, read }) => {
  const text = await promptOf(Object.fromEntries(there.map((name) => [`/repo/${name}`, "x"])));
  expect(pathsIn(text)).toEqual(read === undefined ? [] : [`/repo/${read}`]);
});

test("CA-52 CA-53 CA-07 reads from the top of the disk down to the folder, ancestors first, and no deeper", async () => {
  const files = {
    "/AGENTS.md": "top",
    "/repo/CLAUDE.md": "root",
    "/repo/packages/AGENTS.override.md": "packages",
    "/repo/packages/app/AGENTS.md": "app",
    "/repo/packages/app/deep/AGENTS.md": "deeper",
    "/home/ada/.quire/AGENTS.md": "the user's",
    "/else/AGENTS.md": "elsewhere",
  };
  expect(pathsIn(await promptOf(files))).toEqual([
    "/AGENTS.md",
    "/repo/CLAUDE.md",
    "/repo/packages/AGENTS.override.md",
    "/repo/packages/app/AGENTS.md",
  ]);
});

test("each file is in the account with its path, and its range holds what stands there", async () => {
  const files = { "/repo/AGENTS.md": "a < b\n", "/repo/packages/CLAUDE.md": "c" };
  const { pieces } = await (await openCodingAgent(files)).session.prompt();
  const written = pieces.filter(({ from }) => from.kind === "file").map(({ from, text }) => [from.file, text]);
  expect(written).toEqual([
    ["/repo/AGENTS.md", "a &lt; b\n"],
    ["/repo/packages/CLAUDE.md", "c"],
  ]);
});

test("cuts no file, however large", async () => {
  const large = "line\n".repeat(100_000);
  expect(await promptOf({ "/repo/AGENTS.md": large })).toContain(large);
});
