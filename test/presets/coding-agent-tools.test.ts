import { expect, test } from "vitest";
import { fakeProvider } from "@quire/testkit";
import {
  declaredTools,
  namedTools,
  openCodingAgent,
  promptOf,
  send,
  textsOf,
  toolPlugin,
  within,
} from "./coding-agent-host.js";
import { usualFiles } from "./fixture.js";

test("CA-12 CA-14 <tools> holds the declared names as compact JSON, and no description or schema", async () => {
  const host = await openCodingAgent(usualFiles, { plugins: [toolPlugin("look")] });
  const { text, request } = await host.session.prompt();
  expect(within(text, "tools")).toMatch(/^\["bash","edit",.*"look".*"write"\]$/);
  expect(namedTools(text)).toEqual(declaredTools(request));
  expect(text).not.toContain("Does what look does.");
  expect(text).not.toContain("secret_argument");
  expect(JSON.stringify(request.tools)).toContain("secret_argument");
});

test("CA-13 without tools the array is empty", async () => {
  expect(within(await promptOf({}, { config: { tools: { only: ["none"] } } }), "tools")).toBe("[]");
});

test("CA-15 load_skill is in the array too, and code while it is declared", async () => {
  expect(namedTools(await promptOf({}))).toContain("load_skill");
  expect(namedTools(await promptOf({}))).not.toContain("code");
  expect(namedTools(await promptOf({}, { plugins: [toolPlugin("code")] }))).toContain("code");
});

test("CA-16 names stand as they are declared, escaped for the tag", async () => {
  const content = '["a<b>&c"]';
  const edit = { layer: "flags", by: { kind: "flag" }, op: "replace", section: "preset-coding-agent/tools" } as const;
  expect(within(await promptOf({}, { edits: [{ ...edit, content }] }), "tools")).toBe('["a&lt;b&gt;&amp;c"]');
});

const usage = async (...names: readonly string[]) => {
  const plugins = names.map((name) => toolPlugin(name));
  return within(await promptOf({}, { plugins }), "tool_usage")?.replaceAll(/\s+/g, " ") ?? "";
};

test("CA-17 <tool_usage> holds rules only", async () => {
  const text = await usage("look");
  expect(text).not.toContain("look");
  for (const rule of text.split(" - ")) expect(rule.replace(/^- /, "")).toMatch(/^[A-Z`]/);
});

test.for([
  { id: "CA-18", says: /declarations count.*by its name as declared.*no namespace in front.*take none away/ },
  { id: "CA-19", says: /name those declared now\. Conclude nothing from earlier messages/ },
  { id: "CA-20", says: /`multi_tool_use\.parallel` is not available, even if an earlier reply says/ },
  { id: "CA-21", says: /not list tools that are unavailable unless the user asks/ },
  { id: "CA-22", says: /one after another.*no wrapper that runs several at once/ },
])("the rules say what $id asks", async ({ says }) => {
  expect(await usage()).toMatch(says);
});

test("CA-18 CA-19 CA-21 CA-22 the rules are those of the tool section, once each", async () => {
  const rules = (await usage()).split(/(?:^| )- /).filter((rule) => rule !== "");
  expect(new Set(rules).size).toBe(rules.length);
  expect(rules).toHaveLength(6);
});

test("CA-20 CA-23 what is said of a tool follows from what is declared", async () => {
  expect(await usage()).not.toMatch(/`code`|Promise\.all/);
  expect(await usage("code")).toMatch(/MCP tools are found and called through `code`.*even under `Promise\.all`/);
});

test("CA-24 the rules are rebuilt with a custom base too, and history and replies stay as they are", async () => {
  const provider = fakeProvider({ replies: ["I have multi_tool_use.parallel.", "ok"] });
  const host = await openCodingAgent({}, { provider, systemPrompt: "Mine." });
  await send(host, "one");
  await send(host, "two");
  expect(provider.requests[1]?.system.text).toContain("<tool_usage>");
  expect(textsOf(host, "assistant")).toEqual(["I have multi_tool_use.parallel.", "ok"]);
  expect(textsOf(host, "user")).toEqual(["one", "two"]);
});

test("CA-25 a call of an unknown tool is refused, whatever the prompt says of it", async () => {
  const provider = fakeProvider({ replies: [{ toolCalls: [{ name: "multi_tool_use.parallel", args: {} }] }, "ok"] });
  const host = await openCodingAgent({}, { provider });
  await send(host, "go");
  expect(textsOf(host, "tool")[0]).toMatch(/"isError":true.*There is no tool/);
});

test("CA-26 one more tool lengthens the array of names alone", async () => {
  const [without, withOne] = await Promise.all([promptOf({}), promptOf({}, { plugins: [toolPlugin("look")] })]);
  expect(withOne.replace('"look",', "")).toBe(without);
});

test("CA-39 CA-40 all requests of a turn carry the sections and tools of its first; the next turn sees what changed", async () => {
  const skill = "---\nname: fresh\ndescription: New.\n---\n";
  const provider = fakeProvider({ replies: [{ toolCalls: [{ name: "change", args: {} }] }, "one", "two"] });
  const change = toolPlugin("change", {
    execute() {
      host.write("/home/ada/.quire/skills/fresh/SKILL.md", skill);
      return "written";
    },
  });
  const host = await openCodingAgent(usualFiles, { provider, plugins: [change] });
  await send(host, "go");
  await send(host, "again");
  const [first, second, third] = provider.requests;
  expect(second?.system.text).toBe(first?.system.text);
  expect(second?.tools).toEqual(first?.tools);
  expect(first?.system.text).not.toContain('handle="fresh"');
  expect(third?.system.text).toContain('handle="fresh"');
});

test("CA-42 a changed capability alters the prefix; no patch of it is kept in the history", async () => {
  const provider = fakeProvider({ replies: () => "ok" });
  const host = await openCodingAgent(usualFiles, { provider });
  await send(host, "one");
  host.write("/home/ada/.quire/skills/fresh/SKILL.md", "---\nname: fresh\ndescription: New.\n---\n");
  await send(host, "two");
  expect(provider.requests[1]?.system.text).not.toBe(provider.requests[0]?.system.text);
  expect(textsOf(host, "context")).toHaveLength(1);
});
