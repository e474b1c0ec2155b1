import { expect, test } from "vitest";
import type { ToolContext, ToolResult, ToolSpec } from "@quire/core";
import { parseInput, useTool } from "./use-tool.js";

const search: ToolSpec = {
  name: "wiki/search",
  description: "Searches the wiki.",
  input: { type: "object" },
  effect: "network",
  execute: () => "",
};
const read: ToolSpec = { ...search, name: "files/read", description: "Reads a file." };

interface Passed {
  readonly name: string;
  readonly args: unknown;
  readonly context: ToolContext;
}

function gateway(list: readonly ToolSpec[], result: Partial<ToolResult> = {}) {
  const passed: Passed[] = [];
  const call = async (name: string, args: unknown, context: ToolContext): Promise<ToolResult> => {
    passed.push({ name, args, context });
    return { type: "tool-result", id: "1", name, isError: false, content: [], ...result };
  };
  const tool = useTool({ list: () => list, call }, () => new Set(["read"]));
  return { passed, run: async (args: unknown) => await tool.execute(args, context) };
}

const signal = new AbortController().signal;
const context: ToolContext = {
  cwd: "/repo",
  projectRoot: "/repo",
  home: "/home/ada",
  quireHome: "/home/ada/.quire",
  trusted: true,
  env: () => undefined,
  childEnv: () => ({}),
  read: () => Promise.resolve(null),
  list: () => Promise.resolve(null),
  session: { id: "s1", interactive: false, depth: 0 },
  model: { provider: "rehearsal", id: "rehearsal" },
  turnId: "t1",
  request: 1,
  signal,
  callId: "c1",
  update: () => undefined,
  ask: () => Promise.resolve(null),
};

test("shows the late tools that match a search, and no declared one", async () => {
  const answer = await gateway([read, search]).run({ search: "" });
  expect(answer).toContain("## wiki/search\nSearches the wiki.");
  expect(answer).not.toContain("files/read");
});

test("says what there is when nothing matches", async () => {
  expect(await gateway([read, search]).run({ search: "calendar" })).toContain("There are: wiki/search.");
  expect(await gateway([read]).run({ search: "calendar" })).toContain("no tools beyond the declared ones");
});

test("passes a call on under the called tool's own name, with the same context", async () => {
  const { run, passed } = gateway([read, search], { content: [{ type: "text", text: "found" }] });
  expect(await run({ name: "search", args: { words: "x" } })).toEqual([{ type: "text", text: "found" }]);
  expect(passed).toEqual([{ name: "wiki/search", args: { words: "x" }, context }]);
});

test("fails with the words of the called tool", async () => {
  const { run } = gateway([search], { isError: true, content: [{ type: "text", text: "no such page" }] });
  await expect(run({ name: "wiki/search" })).rejects.toThrow(/^no such page$/);
});

test("names the late tools when a name is unknown, and does not call itself", async () => {
  const { run, passed } = gateway([read, search, { ...read, name: "base/use_tool" }]);
  await expect(run({ name: "use_tool", args: {} })).rejects.toThrow("Late tools are: wiki/search");
  expect(passed).toEqual([]);
});

test.for([
  { name: "a search", raw: { search: "wiki" }, want: { search: "wiki" } },
  { name: "a name without arguments", raw: { name: "get" }, want: { name: "get", args: {} } },
  {
    name: "an empty search beside a name",
    raw: { search: "", name: "get" },
    want: { name: "get", args: {} },
  },
])("understands $name", ({ raw, want }) => expect(parseInput(raw)).toEqual(want));

test.for([
  { name: "nothing", raw: {} },
  { name: "both a search and a name", raw: { search: "wiki", name: "get" } },
  { name: "arguments that are no object", raw: { name: "get", args: "x" } },
  { name: "a number as name", raw: { name: 4 } },
])("refuses $name", ({ raw }) => expect(() => parseInput(raw)).toThrow("tool-input-invalid"));
