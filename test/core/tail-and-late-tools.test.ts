import { expect, test } from "vitest";
import type { ToolSpec } from "@quire/core";
import { openBed, plugin, resultsOf, textOf } from "../support/core-bed.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, says } from "../support/scripted-provider.js";

test("a tail section goes out after everything with every request and is never stored", async () => {
  let turn = 0;
  const own = plugin("own", (host) => {
    for (const [name, slot] of [
      ["own/late", "end"],
      ["own/early", "identity"],
    ] as const) {
      host.sections.register({
        name,
        slot,
        cache: { volatile: "changes with every turn", deliver: "tail" },
        compute: () => `${name} of turn ${turn}`,
      });
    }
    host.tools.register(recordingTool("own/look"));
  });
  const bed = await openBed({ plugins: [own], replies: [calls(["look"])] });
  turn = 1;
  await bed.send();
  turn = 2;
  await bed.send();
  expect(bed.provider.requests.map(({ tail }) => tail)).toEqual([
    "own/early of turn 1\n\nown/late of turn 1",
    "own/early of turn 1\n\nown/late of turn 1",
    "own/early of turn 2\n\nown/late of turn 2",
  ]);
  expect(new Set(bed.provider.requests.map(({ system }) => system.text))).toEqual(new Set([""]));
  expect(JSON.stringify([bed.log.records, bed.session.messages])).not.toContain("of turn");
  expect(bed.codes()).toEqual([]);
});

test("a late tool runs through tools.call, and the declared tools keep their bytes", async () => {
  const offered: ToolSpec[] = [];
  const late = recordingTool("servers/jira.create", { run: (args) => `made ${String(args["title"])}` });
  const seen: (readonly string[])[] = [];
  const servers = plugin("servers", (host) => host.tools.source({ name: "servers", list: () => offered }));
  const gateway = plugin("gateway", (host) =>
    host.tools.register({
      name: "gateway/use",
      description: "Calls a late tool",
      effect: "read",
      input: { type: "object" },
      async execute(args, context) {
        seen.push(host.tools.list().map(({ name }) => name));
        return textOf(await host.tools.call("servers/jira.create", args, context));
      },
    }),
  );
  const bed = await openBed({
    plugins: [servers, gateway],
    replies: [calls(["use", { title: "early" }]), says("ok"), calls(["use", { title: "bug" }]), calls(["jira.create"])],
  });
  await bed.send();
  offered.push(late);
  await bed.send();
  expect(resultsOf(bed.session.messages).map(textOf)).toEqual([
    expect.stringContaining('There is no tool "servers/jira.create"'),
    "made bug",
    expect.stringContaining('There is no tool "jira.create"'),
  ]);
  expect(seen).toEqual([["gateway/use"], ["gateway/use", "servers/jira.create"]]);
  expect(new Set(bed.provider.requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
});

test("a late tool's own gates hold: its arguments are judged and permission is asked for", async () => {
  const late = recordingTool("servers/send", {
    effect: "network",
    input: { type: "object", required: ["to"], properties: { to: { type: "string" } } },
  });
  const gateway = plugin("gateway", (host) =>
    host.tools.register({
      name: "gateway/use",
      description: "Calls a late tool",
      effect: "read",
      input: { type: "object" },
      execute: async (args, context) => textOf(await host.tools.call("servers/send", args, context)),
    }),
  );
  const bed = await openBed({
    plugins: [plugin("servers", (host) => host.tools.source({ name: "servers", list: () => [late] })), gateway],
    replies: [calls(["use", {}]), calls(["use", { to: "ada" }])],
  });
  await bed.send();
  expect(resultsOf(bed.session.messages).map(textOf)).toEqual([
    expect.stringContaining("to: is required"),
    expect.stringMatching(/^Refused: /),
  ]);
  expect(late.runs).toEqual([]);
});

test("a source that throws is reported under its plugin, and its tools are merely absent", async () => {
  const bed = await openBed({
    plugins: [
      plugin("servers", (host) =>
        host.tools.source({
          name: "servers",
          list() {
            throw new Error("not connected");
          },
        }),
      ),
      plugin("gateway", (host) =>
        host.tools.register(recordingTool("gateway/list", { run: () => `${host.tools.list().length}` })),
      ),
    ],
    replies: [calls(["list"], ["list"])],
  });
  await bed.send();
  expect(resultsOf(bed.session.messages).map(textOf)).toEqual(["1", "1"]);
  expect(bed.diagnostics).toEqual([
    expect.objectContaining({ plugin: "servers", message: expect.stringContaining("not connected") }),
  ]);
});

test("MG-38 a tool that is off is missing from the request's schemas and refused at dispatch", async () => {
  const look = recordingTool("own/look");
  const peek = recordingTool("own/peek");
  const sections: string[][] = [];
  const own = plugin("own", (host) => {
    host.tools.register(look);
    host.tools.register(peek);
    host.sections.register({
      name: "own/tools",
      slot: "rules",
      cache: "memoized",
      compute({ tools }) {
        sections.push(tools.map(({ name }) => name));
        return null;
      },
    });
  });
  const bed = await openBed({
    plugins: [own],
    config: { layout: "plain", tools: { off: ["look"] } },
    replies: [calls(["look"], ["peek"])],
  });
  await bed.send();
  expect(bed.provider.requests[0]?.tools.map(({ name }) => name)).toEqual(["peek"]);
  expect(sections).toEqual([["peek"]]);
  expect(look.runs).toEqual([]);
  expect(resultsOf(bed.session.messages)).toMatchObject([
    { isError: true, content: [{ text: 'The tool "look" is off: config turns it off (tools.off).' }] },
    { isError: false },
  ]);
});

test("tools.only leaves nothing but the tools it names", async () => {
  const names = ["own/a", "own/b", "own/c"];
  const own = plugin("own", (host) => names.forEach((name) => host.tools.register(recordingTool(name))));
  const config = { layout: "plain", tools: { only: ["c", "own/a"] } };
  const bed = await openBed({ plugins: [own], config, replies: [calls(["b"])] });
  await bed.send();
  expect(bed.provider.requests[0]?.tools.map(({ name }) => name)).toEqual(["a", "c"]);
  expect(resultsOf(bed.session.messages)[0]).toMatchObject({ isError: true });
  expect(bed.host.tools.map(({ name, off }) => [name, off !== undefined])).toEqual([
    ["a", false],
    ["b", true],
    ["c", false],
  ]);
});

test("CA-14 schemas live only in the request's tools, and sections see the same registry by name", async () => {
  let seen: readonly object[] = [];
  const own = plugin("own", (host) => {
    host.tools.register(recordingTool("own/look", { snippet: "look at it", guidelines: ["Look twice."] }));
    host.sections.register({
      name: "own/tools",
      slot: "rules",
      cache: "memoized",
      compute({ tools }) {
        seen = tools;
        return tools.map(({ name, snippet }) => `${name}: ${snippet}`).join("\n");
      },
    });
  });
  const bed = await openBed({ plugins: [own] });
  await bed.send();
  const [request] = bed.provider.requests;
  expect(request?.tools).toEqual([{ name: "look", description: "Records its calls", input: { type: "object" } }]);
  expect(request?.system.text).toBe("look: look at it");
  expect(seen).toEqual([{ name: "look", effect: "read", snippet: "look at it", guidelines: ["Look twice."] }]);
});

test("a tool that a tap turns off stays declared, is refused, and the model is told why", async () => {
  const look = recordingTool("own/look");
  const own = plugin("own", (host) => {
    host.tools.register(look);
    host.hooks.beforeAgentStart.tap((start) => start.disableTool("look", "the disk is full"));
  });
  const bed = await openBed({ plugins: [own], replies: [calls(["look"])] });
  await bed.send();
  expect(bed.provider.requests[0]?.tools).toHaveLength(1);
  expect(textOf(bed.provider.requests[0]?.messages.at(-1))).toContain("the disk is full");
  expect(look.runs).toEqual([]);
  expect(textOf(resultsOf(bed.session.messages)[0])).toContain("the disk is full");
});

test("two plugins' tools of one name are told apart, and each runs as its own", async () => {
  const first = recordingTool("files/read", { run: () => "from files" });
  const second = recordingTool("@acme/web/read", { run: () => "from the web" });
  const bed = await openBed({
    plugins: [
      plugin("files", (host) => host.tools.register(first)),
      plugin("@acme/web", (host) => host.tools.register(second)),
    ],
    replies: [calls(["read"], ["acme_web__read"])],
  });
  await bed.send();
  expect(bed.provider.requests[0]?.tools.map(({ name }) => name)).toEqual(["acme_web__read", "read"]);
  expect(resultsOf(bed.session.messages).map(textOf)).toEqual(["from files", "from the web"]);
  expect(bed.host.diagnostics).toEqual([expect.objectContaining({ code: "tool-renamed", plugin: "@acme/web" })]);
});

test("a late tool that a tap turns off is refused in tools.call", async () => {
  const late = recordingTool("servers/send");
  const bed = await openBed({
    plugins: [
      plugin("servers", (host) => host.tools.source({ name: "servers", list: () => [late] })),
      plugin("gateway", (host) => {
        host.hooks.beforeAgentStart.tap((start) => start.disableTool("servers/send", "no mail today"));
        host.tools.register({
          name: "gateway/use",
          description: "Calls a late tool",
          effect: "read",
          input: { type: "object" },
          execute: async (args, context) => textOf(await host.tools.call("servers/send", args, context)),
        });
      }),
    ],
    replies: [calls(["use"])],
  });
  await bed.send();
  expect(textOf(resultsOf(bed.session.messages)[0])).toContain("no mail today");
  expect(late.runs).toEqual([]);
});

test("a tool that was off for one turn is told to be on again at the next", async () => {
  let isOff = true;
  const own = plugin("own", (host) => {
    host.tools.register(recordingTool("own/look"));
    host.hooks.beforeAgentStart.tap((start) => {
      if (isOff) start.disableTool("look", "the disk is full");
    });
  });
  const bed = await openBed({ plugins: [own] });
  await bed.send();
  isOff = false;
  await bed.send();
  const told = bed.session.messages.flatMap((message) => message.context ?? []);
  expect(told).toHaveLength(2);
});
