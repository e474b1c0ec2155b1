import { expect, test } from "vitest";
import * as z from "zod";
import type { Diagnostic } from "../contracts/diagnostic.js";
import type { ToolContext, ToolSpec } from "../contracts/tool.js";
import { PluginError } from "../errors.js";
import type { HostToolRegistry } from "./tool-registry.js";
import { createToolRegistry } from "./tool-registry.js";

const calls: unknown[] = [];
function create(): { tools: HostToolRegistry; reported: Diagnostic[] } {
  const reported: Diagnostic[] = [];
  const tools = createToolRegistry(
    (diagnostic) => void reported.push(diagnostic),
    (name, args) => {
      calls.push([name, args]);
      return Promise.resolve({ type: "tool-result", id: "c1", name, isError: false, content: [] });
    },
  );
  return { tools, reported };
}

function tool(name: string, parts: Partial<ToolSpec> = {}): ToolSpec {
  return {
    name,
    description: `Does what ${name} says.`,
    input: { type: "object" },
    effect: "read",
    execute: () => "done",
    ...parts,
  };
}

function caught(run: () => unknown): Diagnostic | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof PluginError ? error.diagnostic : undefined;
  }
  return undefined;
}

const namesOf = (tools: readonly { name: string; fullName: string }[]) =>
  tools.map(({ name, fullName }) => `${name}=${fullName}`);

test("the model sees short names, sorted by code point whatever the order of plugins", () => {
  const { tools, reported } = create();
  tools.face("tools-shell").register(tool("tools-shell/bash"));
  tools.face("@acme/focus").register(tool("@acme/focus/note_line"));
  tools.face("tools-files").register(tool("tools-files/a-b"));
  tools.close();
  expect(namesOf(tools.snapshot())).toEqual([
    "a-b=tools-files/a-b",
    "bash=tools-shell/bash",
    "note_line=@acme/focus/note_line",
  ]);
  expect(tools.snapshot()[2]).toMatchObject({ plugin: "@acme/focus", spec: { effect: "read" } });
  expect(tools.snapshot()).toBe(tools.snapshot());
  expect(reported).toEqual([]);
});

test("a taken short name becomes <plugin>__<name>, told once", () => {
  const { tools, reported } = create();
  tools.face("tools-files").register(tool("tools-files/read"));
  tools.face("@acme/focus").register(tool("@acme/focus/read"));
  tools.close();
  expect(namesOf(tools.snapshot())).toEqual(["acme_focus__read=@acme/focus/read", "read=tools-files/read"]);
  expect(reported).toMatchObject([
    {
      code: "tool-renamed",
      plugin: "@acme/focus",
      message: expect.stringContaining('"read" is "tools-files/read"'),
    },
  ]);
});

test.for(["read", "tools-files/read", "acme/", "acme/Read", "acme/two words", "acme/a/b"])(
  "a tool named %s is refused for the plugin acme",
  (name) => {
    const { tools } = create();
    expect(caught(() => tools.face("acme").register(tool(name)))).toMatchObject({
      code: "name-prefix",
      plugin: "acme",
      fix: expect.stringContaining('"acme/'),
    });
  },
);

test.for([
  { name: "nothing", spec: undefined },
  { name: "no description", spec: { ...tool("acme/x"), description: undefined } },
  { name: "an empty description", spec: tool("acme/x", { description: "  " }) },
  { name: "no input", spec: { ...tool("acme/x"), input: undefined } },
  { name: "no execute", spec: { ...tool("acme/x"), execute: "ls" } },
  { name: "an unknown effect", spec: { ...tool("acme/x"), effect: "delete" } },
])("a tool with $name is refused", ({ spec }) => {
  const { tools } = create();
  const diagnostic = caught(() => tools.face("acme").register(spec as ToolSpec));
  expect(diagnostic).toMatchObject({ code: "tool-invalid", plugin: "acme" });
});

test("a tool without an effect counts as one that runs things, methods on a class included", () => {
  const { tools } = create();
  class Note {
    readonly #line = "kept";
    readonly name = "acme/note";
    readonly input = { type: "object" };
    get description() {
      return "Keeps a line.";
    }
    execute() {
      return this.#line;
    }
  }
  tools.face("acme").register(new Note() as unknown as ToolSpec);
  tools.close();
  const [found] = tools.snapshot();
  expect(found?.spec).toMatchObject({ effect: "run", description: "Keeps a line." });
  expect(found?.spec.execute({}, {} as ToolContext)).toBe("kept");
});

test("a tool whose schema cannot be declared is left out and reported, the others stay", () => {
  const { tools, reported } = create();
  tools.face("bad").register(tool("bad/list", { input: z.array(z.string()) }));
  tools.face("good").register(tool("good/note", { input: z.object({ line: z.string() }) }));
  tools.close();
  expect(namesOf(tools.snapshot())).toEqual(["note=good/note"]);
  expect(reported).toMatchObject([{ code: "tool-invalid", level: "error", plugin: "bad" }]);
});

test("tools are replaced, wrapped and removed by their full names", () => {
  const { tools, reported } = create();
  const files = tools.face("tools-files");
  for (const name of ["read", "write", "edit"]) files.register(tool(`tools-files/${name}`));
  const acme = tools.face("acme");
  acme.replace("tools-files/read", tool("tools-files/read", { description: "Reads better." }));
  acme.wrap("tools-files/read", (previous) => ({ ...previous, effect: "network" }));
  acme.remove("tools-files/edit");
  acme.remove("tools-files/wirte");
  expect(caught(() => acme.replace("tools-files/write", tool("acme/write")))).toMatchObject({
    code: "name-mismatch",
  });
  tools.close();
  expect(namesOf(tools.snapshot())).toEqual(["read=tools-files/read", "write=tools-files/write"]);
  expect(tools.snapshot()[0]).toMatchObject({
    plugin: "tools-files",
    spec: { description: "Reads better.", effect: "network" },
  });
  expect(reported).toMatchObject([{ code: "name-unknown", fix: 'Did you mean "tools-files/write"?' }]);
});

test("late tools are read anew each time, and their names never move", () => {
  const { tools, reported } = create();
  tools.face("tools-files").register(tool("tools-files/read"));
  let offered: readonly ToolSpec[] = [];
  tools.face("mcp").source({ name: "servers", list: () => offered });
  tools.close();
  expect(tools.lateTools()).toEqual([]);
  offered = [tool("mcp/read"), tool("mcp/getIssue"), tool("mcp/jira.create·issue")];
  const first = namesOf(tools.lateTools());
  expect(first).toEqual(["getIssue=mcp/getIssue", "jira_create_issue=mcp/jira.create·issue", "mcp__read=mcp/read"]);
  offered = [tool("mcp/read")];
  expect(namesOf(tools.lateTools())).toEqual(["mcp__read=mcp/read"]);
  expect(reported.map(({ code }) => code)).toEqual(["tool-renamed", "tool-renamed"]);
  expect(namesOf(tools.snapshot())).toEqual(["read=tools-files/read"]);
  expect(
    tools
      .face("other")
      .list()
      .map(({ name }) => name),
  ).toEqual(["tools-files/read", "mcp/read"]);
});

test("long names are cut to what vendors take and stay apart", () => {
  const { tools } = create();
  const long = "x".repeat(80);
  tools.face("mcp").source({
    name: "servers",
    list: () => [tool(`mcp/${long}a`), tool(`mcp/${long}b`), tool(`mcp/${long}c`), tool("mcp/日本語")],
  });
  tools.close();
  const names = tools.lateTools().map(({ name }) => name);
  expect(new Set(names).size).toBe(4);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(tools.lateTools().map(({ name }) => name)).toEqual(names);
});

test("a failing source and a failing tool of it are told once and never fatal", () => {
  const { tools, reported } = create();
  tools.face("broken").source({
    name: "servers",
    list: () => {
      throw new Error("no connection");
    },
  });
  tools.face("half").source({
    name: "mixed",
    list: () => [tool("half/a"), tool("other/b"), tool("half/c", { description: "" }), tool("half/a")],
  });
  tools.face("none").source({ name: "none", list: () => undefined as unknown as readonly ToolSpec[] });
  tools.close();
  for (let round = 0; round < 3; round++) expect(namesOf(tools.lateTools())).toEqual(["a=half/a"]);
  expect(reported.map(({ code, plugin }) => `${code} ${plugin}`)).toEqual([
    "tool-source-failed broken",
    "name-prefix half",
    "tool-invalid half",
    "tool-source-failed half",
    "tool-source-failed none",
  ]);
  expect(reported[0]?.message).toContain('source "servers": no connection');
});

test("nothing is added after set-up, a source included", () => {
  const { tools } = create();
  const face = tools.face("late");
  tools.close();
  for (const add of [
    () => face.register(tool("late/x")),
    () => face.source({ name: "s", list: () => [] }),
    () => face.remove("late/x"),
  ]) {
    expect(caught(add)).toMatchObject({ code: "registry-closed", plugin: "late" });
  }
  expect(
    caught(() =>
      create()
        .tools.face("a")
        .source({ name: "s" } as never),
    ),
  ).toMatchObject({
    code: "source-invalid",
  });
});

test("a withdrawn plugin leaves no tool and no source behind", () => {
  const { tools } = create();
  const half = tools.face("half");
  half.register(tool("half/x"));
  half.source({ name: "s", list: () => [tool("half/y")] });
  tools.withdraw("half");
  tools.close();
  expect([tools.snapshot(), tools.lateTools()]).toEqual([[], []]);
});

test("a plugin's call goes to the host's one way of running tools", async () => {
  const { tools } = create();
  const result = await tools.face("a").call("tools-files/grep", { pattern: "TODO" }, {} as ToolContext);
  expect(result).toMatchObject({ name: "tools-files/grep", isError: false });
  expect(calls).toEqual([["tools-files/grep", { pattern: "TODO" }]]);
});
