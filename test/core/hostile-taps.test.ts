import { expect, test } from "vitest";
import { openBed, plugin, resultsOf, textOf, textSection } from "../support/core-bed.js";
import { historyProblems } from "../support/history-check.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, createScriptedProvider, says } from "../support/scripted-provider.js";

test("strict: an error reported inside the turn stops it", async () => {
  const bed = await openBed({
    strict: true,
    plugins: [
      plugin("own", (host) => {
        host.tools.register(recordingTool("own/look"));
        host.hooks.afterToolCall.tap(() => {
          throw new Error("tap broke");
        });
      }),
    ],
    replies: [calls(["look"])],
  });
  expect(await bed.send()).toMatchObject({ stop: "error", error: { code: "hook-failed", plugin: "own" } });
  expect(bed.provider.requests).toHaveLength(1);
  expect(historyProblems(bed.session.messages)).toEqual([]);
});

test("what the host hands out is frozen: a tap that writes into it changes nothing", async () => {
  const own = plugin("own", (host) => {
    textSection("own/it", "rules", "original")(host);
    host.hooks.beforeAgentStart.tap((start) => {
      (start.sections[0] as { content: { text: string } }).content.text = "smuggled";
    });
    host.hooks.beforeProviderRequest.tap((request) => {
      (request.messages as unknown[]).length = 0;
    });
    host.hooks.afterProviderResponse.tap((message) => {
      (message.content as unknown[]).length = 0;
    });
  });
  const bed = await openBed({ plugins: [own], replies: [says("one"), says("two")] });
  await bed.send("first");
  await bed.send("second");
  expect(bed.session.messages.map(textOf)).toEqual(["first", "one", "second", "two"]);
  expect(bed.provider.requests.map(({ system }) => system.text)).toEqual(["original", "original"]);
});

test("what afterToolCall returns cannot give the result another id, or content that is none", async () => {
  for (const wrong of [{ id: "other" }, { content: "a string" as never }]) {
    const own = plugin("own", (host) => {
      host.tools.register(recordingTool("own/look"));
      host.hooks.afterToolCall.tap((result) => ({ ...result, ...wrong }));
    });
    const bed = await openBed({ plugins: [own], replies: [calls(["look"])] });
    expect(await bed.send()).toMatchObject({ stop: "end" });
    expect(historyProblems(bed.session.messages)).toEqual([]);
    expect(Array.isArray(resultsOf(bed.session.messages)[0]?.content)).toBe(true);
  }
});

test.for([
  { hook: "userInput", value: {} },
  { hook: "userInput", value: { text: 5 } },
  { hook: "sectionsAssembled", value: [{}] },
  { hook: "sectionsAssembled", value: [{ text: 5, from: { kind: "plugin" } }] },
  { hook: "beforeProviderRequest", value: {} },
  { hook: "afterToolCall", value: {} },
] as const)("a tap of $hook that returns $value is skipped and named, the turn goes on", async ({ hook, value }) => {
  const bed = await openBed({
    timeScale: 0.001,
    plugins: [
      plugin("own", (host) => {
        host.tools.register(recordingTool("own/look"));
        textSection("own/it", "rules", "x")(host);
      }),
      plugin("wrong", (host) => host.hooks[hook].tap(() => value as never)),
    ],
    provider: {
      ...createScriptedProvider([calls(["look"])]),
      project(request) {
        if (typeof request.system.text !== "string") throw new Error("no request");
        return { url: "", headers: {}, body: request };
      },
    },
  });
  expect(await bed.send("hello")).toMatchObject({ stop: "end", text: "ok" });
  expect(textOf(bed.session.messages[0])).toBe("hello");
  expect(textOf(resultsOf(bed.session.messages)[0])).toBe("done");
  expect(bed.diagnostics).toContainEqual(expect.objectContaining({ code: "hook-failed", plugin: "wrong", hook }));
});
