import { expect, test } from "vitest";
import type { PluginHost, TurnResult } from "@quire/core";
import { type Bed, openBed, plugin, resultsOf, textOf, textSection } from "../support/core-bed.js";
import { historyProblems } from "../support/history-check.js";
import { recordingTool } from "../support/recording-tool.js";
import { call, calls, never, type Reply, says, untilStopped } from "../support/scripted-provider.js";

/** Runs a turn and stops it when `moment` is reached. The bed's plugin gets `reached` to call. */
async function stoppedAt(
  setup: (host: PluginHost, reached: () => void) => void,
  replies: (reached: () => void) => readonly Reply[] = () => [],
): Promise<{ bed: Bed; result: TurnResult }> {
  const stop = new AbortController();
  const reached = () => void setImmediate(() => stop.abort(new Error("Escape")));
  const bed = await openBed({ plugins: [plugin("own", (host) => setup(host, reached))], replies: replies(reached) });
  const result = await bed.send("hello", stop.signal);
  expect(historyProblems(bed.session.messages)).toEqual([]);
  const again = await bed.host.open({ cwd: "/repo", resume: bed.session.info.id });
  expect(again.messages).toEqual(bed.session.messages);
  // The session goes on as if nothing had happened.
  expect(await bed.send("again")).toMatchObject({ stop: "end" });
  expect(historyProblems(bed.provider.requests.at(-1)?.messages ?? [])).toEqual([]);
  return { bed, result };
}

test("stopped in the stream, the text so far is stored and half a tool call is not", async () => {
  const { bed, result } = await stoppedAt(
    () => {},
    (reached) => [
      [
        { type: "text", delta: "I will " },
        { type: "block", block: call("c1", "look") },
        { type: "text", delta: "now" },
        { type: "tool-args", id: "c2", name: "look", delta: '{"at": "half' },
        (signal) => {
          reached();
          return untilStopped(signal);
        },
      ],
    ],
  );
  expect(result).toMatchObject({ stop: "aborted", text: "I will now" });
  expect(bed.session.messages[1]).toMatchObject({
    role: "assistant",
    stop: "aborted",
    content: [{ type: "text", text: "I will now" }],
  });
});

test("stopped before anything arrived, only the words remain", async () => {
  const { bed, result } = await stoppedAt(
    () => {},
    (reached) => [
      [
        (signal) => {
          reached();
          return untilStopped(signal);
        },
      ],
    ],
  );
  expect(result).toMatchObject({ stop: "aborted", text: "" });
  expect(bed.session.messages.slice(0, 2).map(({ role }) => role)).toEqual(["user", "user"]);
});

test("stopped in a tool, that call and those behind it get results, finished ones keep theirs", async () => {
  const { bed, result } = await stoppedAt(
    (host, reached) => {
      host.tools.register(recordingTool("own/quick"));
      host.tools.register(
        recordingTool("own/slow", {
          async run(_args, context) {
            reached();
            await untilStopped(context.signal);
            return "";
          },
        }),
      );
    },
    () => [calls(["quick"], ["slow"], ["quick"])],
  );
  expect(result.stop).toBe("aborted");
  expect(resultsOf(bed.session.messages).map(({ id, isError }) => [id, isError])).toEqual([
    ["c1", false],
    ["c2", true],
    ["c3", true],
  ]);
  expect(resultsOf(bed.session.messages).map(textOf)).toEqual([
    "done",
    expect.stringContaining("Stopped by the user"),
    expect.stringContaining("Not run"),
  ]);
});

test("stopped while parallel tools run, each of them gets a result", async () => {
  let running = 0;
  const { bed } = await stoppedAt(
    (host, reached) => {
      host.tools.register(
        recordingTool("own/slow", {
          parallel: true,
          async run(_args, context) {
            running += 1;
            if (running === 2) reached();
            await untilStopped(context.signal);
            return "";
          },
        }),
      );
    },
    () => [calls(["slow"], ["slow"])],
  );
  expect(resultsOf(bed.session.messages).map(({ id, isError }) => [id, isError])).toEqual([
    ["c1", true],
    ["c2", true],
  ]);
});

test.for(["beforeToolCall", "permissionCheck", "permissionAsk"] as const)(
  "stopped while %s waits, the call does not run and gets a result",
  async (hook) => {
    const tool = recordingTool("own/write", { effect: "write" });
    const { bed, result } = await stoppedAt(
      (host, reached) => {
        host.tools.register(tool);
        if (hook === "permissionAsk") host.hooks.permissionCheck.tap(() => ({ level: "ask" }));
        const wait = () => {
          reached();
          return never();
        };
        host.hooks[hook].tap(wait);
      },
      () => [calls(["write"])],
    );
    expect(result.stop).toBe("aborted");
    expect(tool.runs).toEqual([]);
    expect(resultsOf(bed.session.messages)).toMatchObject([{ id: "c1", isError: true }]);
  },
);

test("stopped while the prompt is prepared, nothing is sent", async () => {
  const { bed, result } = await stoppedAt((host, reached) => {
    let isFirst = true;
    host.sections.register({
      name: "own/slow",
      slot: "rules",
      cache: { volatile: "changes with every turn", deliver: "prefix" },
      compute() {
        if (!isFirst) return "quick now";
        isFirst = false;
        reached();
        return never();
      },
    });
  });
  expect(result).toMatchObject({ stop: "aborted" });
  expect(bed.provider.requests).toHaveLength(1);
  expect(bed.codes()).toEqual([]);
});

test("a turn that was stopped before it began sends nothing", async () => {
  const bed = await openBed({ plugins: [plugin("own", textSection("own/it", "rules", "x"))] });
  expect(await bed.send("hello", AbortSignal.abort())).toMatchObject({ stop: "aborted" });
  expect(bed.provider.requests).toEqual([]);
});

test("stopped while a retry is waited for, the turn ends at once", async () => {
  const { bed, result } = await stoppedAt(
    (host, reached) =>
      host.hooks.providerError.tap(() => {
        reached();
        return { retry: true, delayMs: 60_000 };
      }),
    () => [[new Error("connection reset")]],
  );
  expect(result.stop).toBe("aborted");
  expect(bed.provider.requests).toHaveLength(2);
});

test("the end of a stopped turn is announced to agentEnd with a signal that still works", async () => {
  const heard: unknown[] = [];
  const stop = new AbortController();
  const bed = await openBed({
    plugins: [
      plugin("own", (host) =>
        host.hooks.agentEnd.tap(({ stop: reason }, context) => void heard.push([reason, context.signal.aborted])),
      ),
    ],
    replies: [
      [
        (signal) => {
          setImmediate(() => stop.abort());
          return untilStopped(signal);
        },
      ],
    ],
  });
  await bed.send("x", stop.signal);
  await bed.send("y");
  expect(heard).toEqual([
    ["aborted", false],
    ["end", false],
  ]);
});

test("two turns sent at once run one after the other", async () => {
  const order: string[] = [];
  const bed = await openBed({
    plugins: [
      plugin("own", (host) => {
        host.hooks.beforeAgentStart.tap(({ prompt }) => void order.push(`start ${prompt}`));
        host.hooks.agentEnd.tap(({ text }) => void order.push(`end ${text}`));
      }),
    ],
    replies: [says("one"), says("two"), says("three")],
  });
  const results = await Promise.all([bed.send("1"), bed.send("2"), bed.send("3")]);
  expect(results.map(({ text }) => text)).toEqual(["one", "two", "three"]);
  expect(order).toEqual(["start 1", "end one", "start 2", "end two", "start 3", "end three"]);
  expect(bed.session.messages.map(textOf)).toEqual(["1", "one", "2", "two", "3", "three"]);
});

test("disposing the host during a turn ends it as aborted, stored, and runs the cleanups in reverse", async () => {
  const order: string[] = [];
  const cleaning = (name: string) => ({ ...plugin(name, () => {}), setup: () => () => void order.push(name) });
  let began = (): void => {};
  const hasBegun = new Promise<void>((resolve) => (began = resolve));
  const bed = await openBed({
    plugins: [cleaning("first"), cleaning("second")],
    replies: [
      [
        { type: "text", delta: "half" },
        (signal) => {
          began();
          return untilStopped(signal);
        },
      ],
    ],
  });
  const running = bed.send("hello").finally(() => order.push("turn over"));
  await hasBegun;
  await bed.host.dispose();
  await bed.host.dispose();
  expect(await running).toMatchObject({ stop: "aborted", text: "half" });
  expect(order).toEqual(["turn over", "second", "first"]);
  expect(bed.log.records.map(({ record }) => record["type"])).toContain("turn-end");
});
