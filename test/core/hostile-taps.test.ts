import { expect, test } from "vitest";
import { openBed, plugin, textOf, textSection } from "../support/core-bed.js";
import { historyProblems } from "../support/history-check.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, says } from "../support/scripted-provider.js";

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
