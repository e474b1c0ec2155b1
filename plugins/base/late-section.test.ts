import { definePlugin } from "@quire/core";
import type { Message, ToolSpec } from "@quire/core";
import { createTestHost, fakeProvider } from "@quire/testkit";
import type { FakeReply } from "@quire/testkit";
import { expect, test } from "vitest";
import base from "./index.js";
import { lateToolsContent } from "./late-section.js";

function tool(name: string, description: string): ToolSpec {
  return { name, description, input: { type: "object" }, effect: "read", execute: () => "done" };
}

/** A server whose tools come and go, and a tool that lets the model make them do so. */
async function openServer(replies: readonly FakeReply[] = []) {
  const offered: ToolSpec[] = [];
  const server = definePlugin({
    name: "server",
    apiVersion: 1,
    setup(host) {
      host.tools.source({ name: "server", list: () => offered });
      host.tools.register({
        ...tool("server/connect", "Connects."),
        execute: () => `${offered.push(tool("server/joined", "Came with the turn."))}`,
      });
    },
  });
  const provider = fakeProvider({ replies: (_request) => replies[provider.requests.length - 1] ?? "ok" });
  const host = await createTestHost({ plugins: [base, server], provider, config: { layout: "quire" } });
  const send = async () => (await host.session.send("go", AbortSignal.timeout(20_000)).result).stop;
  const told = () => host.session.messages.filter(({ role }) => role === "context").map(textOf);
  return { host, offered, provider, send, told };
}

function textOf({ content }: Message): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

test("lists late tools by name, each with the first line of its description, and none as nothing", () => {
  const content = lateToolsContent([
    tool("wiki/search", "Searches.\nSlowly."),
    tool("jira/issue", " Files an issue. "),
  ]);
  expect(content).toMatchObject({
    kind: "items",
    items: [
      { id: "jira/issue", text: "Files an issue." },
      { id: "wiki/search", text: "Searches." },
    ],
  });
  expect(lateToolsContent([])).toBeNull();
});

test("a source that is ready, grows and goes costs one context message each, and the prefix nothing", async () => {
  const { offered, provider, send, told } = await openServer();
  await send();
  expect(told()).toEqual([]);
  offered.push(tool("server/search", "Searches."), tool("server/open", "Opens."));
  await send();
  await send();
  expect(told()).toHaveLength(1);
  expect(told()[0]).toMatch(/use_tool[\s\S]*- server\/open: Opens\.\n- server\/search: Searches\./);
  offered.push(tool("server/close", "Closes."));
  offered.reverse();
  await send();
  await send();
  expect(told()).toHaveLength(2);
  expect(told()[1]).toContain("- server/close: Closes.");
  expect(told()[1]).not.toContain("server/open");
  offered.length = 0;
  await send();
  await send();
  expect(told()).toHaveLength(3);
  expect(told()[2]).toContain("no longer holds");
  const prefixes = provider.requests.map(({ system, tools }) => JSON.stringify([system, tools]));
  expect(new Set(prefixes).size).toBe(1);
});

test("one of several tools that goes is named", async () => {
  const { offered, send, told } = await openServer();
  offered.push(tool("server/search", "Searches."), tool("server/open", "Opens."));
  await send();
  offered.pop();
  await send();
  await send();
  expect(told()).toHaveLength(2);
  expect(told()[1]).toContain("server/open");
  expect(told()[1]).toContain("removed");
  expect(told()[1]).not.toContain("Searches");
});

test("a tool that comes while a turn goes on is told at the next request of that turn", async () => {
  const { host, provider, send } = await openServer([{ toolCalls: [{ name: "connect", args: {} }] }]);
  await send();
  expect(host.session.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "context", "assistant"]);
  const last = provider.requests.at(-1)?.messages.at(-1);
  expect(last === undefined ? "" : textOf(last)).toContain("- server/joined: Came with the turn.");
});

test("says nothing where the gateway is off", async () => {
  const offered = [tool("server/search", "Searches.")];
  const server = definePlugin({
    name: "server",
    apiVersion: 1,
    setup: (host) => host.tools.source({ name: "server", list: () => offered }),
  });
  const config = { layout: "quire", tools: { off: ["use_tool"] } };
  const host = await createTestHost({ plugins: [base, server], config });
  const prompt = await host.session.prompt({ message: "go" });
  expect(prompt.context).toEqual([]);
  expect(prompt.leftOut).toContainEqual({ section: "base/late-tools", why: "condition" });
});
