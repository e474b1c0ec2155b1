import { expect, test } from "vitest";
import type { TurnResult } from "@quire/core";
import { openBed, plugin } from "../support/core-bed.js";
import { historyProblems } from "../support/history-check.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, never } from "../support/scripted-provider.js";

/** The result, or a word that it takes too long. */
function soon(result: Promise<TurnResult>): Promise<TurnResult | string> {
  const late = new Promise<string>((resolve) => setTimeout(() => resolve("still running"), 2_000).unref());
  return Promise.race([result, late]);
}

test("stopped while afterToolCall waits, every call has a result and nothing is left unhandled", async () => {
  const stop = new AbortController();
  const bed = await openBed({
    plugins: [
      plugin("own", (host) => {
        host.tools.register(recordingTool("own/look", { parallel: true }));
        host.hooks.afterToolCall.tap(() => {
          setImmediate(() => stop.abort(new Error("Escape")));
          return never();
        });
      }),
    ],
    replies: [calls(["look"], ["look"])],
  });
  expect(await bed.send("x", stop.signal)).toMatchObject({ stop: "aborted" });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(historyProblems(bed.session.messages)).toEqual([]);
});

test("a stop ends a turn whose tool hears no signal", async () => {
  const stop = new AbortController();
  const bed = await openBed({
    plugins: [
      plugin("own", (host) =>
        host.tools.register(
          recordingTool("own/deaf", {
            run() {
              setImmediate(() => stop.abort());
              return never();
            },
          }),
        ),
      ),
    ],
    replies: [calls(["deaf"])],
  });
  expect(await soon(bed.send("x", stop.signal))).toMatchObject({ stop: "aborted" });
  expect(historyProblems(bed.session.messages)).toEqual([]);
});

test("a stop ends a turn whose provider hears no signal", async () => {
  const stop = new AbortController();
  const bed = await openBed({
    replies: [
      [
        { type: "text", delta: "half" },
        () => {
          setImmediate(() => stop.abort());
          return never();
        },
      ],
    ],
  });
  expect(await soon(bed.send("x", stop.signal))).toMatchObject({ stop: "aborted", text: "half" });
});

test("a stop ends a turn whose command never settles, and a command that throws is named", async () => {
  const stop = new AbortController();
  const bed = await openBed({
    plugins: [
      plugin("own", (host) => {
        host.commands.register({
          name: "own/hang",
          description: "Hangs",
          run() {
            setImmediate(() => stop.abort());
            return never();
          },
        });
        host.commands.register({
          name: "own/break",
          description: "Breaks",
          run() {
            throw new Error("command broke");
          },
        });
      }),
    ],
  });
  expect(await bed.send("/break")).toMatchObject({ stop: "error", error: { plugin: "own" } });
  expect(await soon(bed.send("/hang", stop.signal))).toMatchObject({ stop: "aborted" });
});

test("stopped while afterProviderResponse waits, every call of the answer has a result", async () => {
  const stop = new AbortController();
  const own = plugin("own", (host) => {
    host.tools.register(recordingTool("own/look"));
    host.hooks.afterProviderResponse.tap(() => {
      setImmediate(() => stop.abort(new Error("Escape")));
      return never();
    });
  });
  const bed = await openBed({ plugins: [own], replies: [calls(["look"], ["look"])] });
  expect(await bed.send("x", stop.signal)).toMatchObject({ stop: "aborted" });
  expect(historyProblems(bed.session.messages)).toEqual([]);
});
