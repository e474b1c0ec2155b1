import { expect, test } from "vitest";
import { openBed, plugin, textOf } from "../support/core-bed.js";
import { historyProblems } from "../support/history-check.js";
import { createMemoryLog } from "../support/memory-log.js";
import { recordingTool } from "../support/recording-tool.js";
import { call, type Reply, says } from "../support/scripted-provider.js";

/** Waits a moment, so that a stop may fall into it. */
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

function team() {
  return plugin("own", (host) => {
    host.sections.register({
      name: "own/mood",
      slot: "rules",
      cache: { volatile: "moods change every turn" },
      compute: async () => pause().then(() => "calm"),
    });
    host.hooks.userInput.tap(() => pause());
    host.hooks.beforeAgentStart.tap(() => pause());
    host.hooks.beforeProviderRequest.tap(() => pause());
    host.hooks.afterProviderResponse.tap(() => pause());
    host.hooks.afterToolCall.tap(() => pause());
    host.hooks.permissionCheck.tap(async () => pause().then(() => ({ level: "allow" })));
    const slow = { run: async () => pause().then(() => "done") };
    host.tools.register(recordingTool("own/look", { parallel: true, ...slow }));
    host.tools.register(recordingTool("own/read", slow));
    host.tools.register(
      recordingTool("own/both", {
        run: async (_args, context) => textOf(await host.tools.call("own/read", {}, context)),
      }),
    );
    host.tools.register(
      recordingTool("own/fail", {
        async run() {
          await pause();
          throw new Error("no such file");
        },
      }),
    );
  });
}

const replies: readonly Reply[] = [
  [
    { type: "thinking", delta: "hm" },
    { type: "block", block: { type: "thinking", text: "hm", provider: "scripted" } },
    pause,
    { type: "text", delta: "I " },
    pause,
    { type: "text", delta: "look." },
    { type: "block", block: { type: "text", text: "I look." } },
    pause,
    { type: "block", block: call("a1", "look") },
    pause,
    { type: "block", block: call("a2", "look") },
    { type: "block", block: call("a3", "read") },
    { type: "end", stop: "tools" },
  ],
  [
    { type: "block", block: call("b1", "both") },
    pause,
    { type: "block", block: call("b2", "fail") },
    { type: "end", stop: "tools" },
  ],
  says("That ", "is ", "it."),
];

/** Runs one turn; the stop comes `after` so many moments: writes to the log and turns of the event loop. */
async function stopAfter(after: number) {
  const stop = new AbortController();
  let moments = 0;
  const tick = () => {
    moments += 1;
    if (moments === after) stop.abort(new Error("Escape"));
  };
  const log = createMemoryLog();
  log.fails = () => {
    tick();
    return false;
  };
  const bed = await openBed({ plugins: [team()], log, replies });
  let beat = setImmediate(function next() {
    tick();
    beat = setImmediate(next);
  });
  const result = await bed.send("hello", stop.signal);
  clearImmediate(beat);
  return { ...bed, result, moments };
}

test("a turn stopped at any moment leaves a valid history, equal in memory and in the log", async () => {
  const { result, moments } = await stopAfter(Number.POSITIVE_INFINITY);
  expect(result.stop).toBe("end");
  expect(moments).toBeGreaterThan(20);
  const stops = new Set<string>();
  for (let after = 1; after <= moments; after++) {
    const bed = await stopAfter(after);
    stops.add(bed.result.stop);
    const where = `stopped after ${after} of ${moments}`;
    expect(bed.result.error, where).toBeUndefined();
    expect(historyProblems(bed.session.messages), where).toEqual([]);
    const resumed = await bed.host.open({ cwd: "/repo", resume: bed.session.info.id });
    expect(resumed.messages, where).toEqual(bed.session.messages);
    expect(bed.codes(), where).toEqual([]);
    expect(await bed.send("go on"), where).toMatchObject({ stop: "end" });
    expect(historyProblems(bed.session.messages), where).toEqual([]);
  }
  expect(stops).toEqual(new Set(["aborted", "end"]));
});
