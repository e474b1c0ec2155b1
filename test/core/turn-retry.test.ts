import { expect, test } from "vitest";
import type { ProviderFailure, StreamEvent } from "@quire/core";
import { ProviderError } from "@quire/core";
import { collect, openBed, plugin, textOf } from "../support/core-bed.js";
import { historyProblems } from "../support/history-check.js";
import { createMemoryLog } from "../support/memory-log.js";
import { recordingTool } from "../support/recording-tool.js";
import { call, calls, createScriptedProvider, says } from "../support/scripted-provider.js";

function refusal(status: number | undefined, retryAfterMs?: number): ProviderError {
  return new ProviderError(
    { code: "provider-refused", level: "error", message: `The vendor answered ${status ?? "nothing"}` },
    {
      ...(status === undefined ? {} : { status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  );
}

const quick = { timeScale: 0.001 };

test.for([408, 409, 425, 429, 500, 503, 529, undefined])(
  "a request that fails with %s is tried again",
  async (status) => {
    const bed = await openBed({ ...quick, replies: [[refusal(status)], says("there")] });
    expect(await bed.send()).toMatchObject({ stop: "end", text: "there" });
    expect(bed.provider.requests).toHaveLength(2);
    expect(bed.provider.requests[1]).toEqual(bed.provider.requests[0]);
    expect(bed.diagnostics).toEqual([expect.objectContaining({ code: "provider-retry", level: "warn" })]);
  },
);

test.for([400, 401, 403, 404, 413, 422])(
  "a request that fails with %s is not tried again, and the turn says why",
  async (status) => {
    const bed = await openBed({ ...quick, replies: [[refusal(status)]] });
    expect(await bed.send()).toMatchObject({
      stop: "error",
      error: { code: "provider-refused", message: `The vendor answered ${status}` },
    });
    expect(bed.provider.requests).toHaveLength(1);
    expect(bed.session.messages.map(({ role }) => role)).toEqual(["user"]);
    expect(await bed.send("again")).toMatchObject({ stop: "end" });
  },
);

test("the delay the vendor asks for is kept to", async () => {
  const bed = await openBed({ timeScale: 0.1, replies: [[refusal(429, 400)], says("there")] });
  const start = performance.now();
  await bed.send();
  expect(performance.now() - start).toBeGreaterThanOrEqual(38);
  expect(bed.diagnostics[0]?.message).toContain("attempt 2 follows in 400 ms");
});

test("a vendor that asks for more than a minute is not waited for", async () => {
  const bed = await openBed({ ...quick, replies: [[refusal(429, 61_000)]] });
  expect(await bed.send()).toMatchObject({ stop: "error" });
});

test("waiting has a budget of three minutes for all attempts together", async () => {
  const bed = await openBed({ ...quick, replies: Array.from({ length: 9 }, () => [refusal(429, 50_000)]) });
  expect(await bed.send()).toMatchObject({ stop: "error" });
  expect(bed.provider.requests).toHaveLength(4);
});

test("after five attempts the turn ends with the failure", async () => {
  const bed = await openBed({ ...quick, replies: Array.from({ length: 9 }, () => [refusal(529)]) });
  expect(await bed.send()).toMatchObject({ stop: "error", error: { code: "provider-refused" } });
  expect(bed.provider.requests).toHaveLength(5);
});

test("a stream that breaks never leaves half an answer or half a call in the history", async () => {
  const tool = recordingTool("own/look");
  const bed = await openBed({
    ...quick,
    plugins: [plugin("own", (host) => host.tools.register(tool))],
    replies: [
      [
        { type: "text", delta: "I will" },
        { type: "block", block: call("lost", "look") },
        { type: "tool-args", id: "lost2", name: "look", delta: '{"a' },
        new Error("socket hang up"),
      ],
      calls(["look"]),
      says("done"),
    ],
  });
  const turn = bed.session.send("x", new AbortController().signal);
  const events = await collect(turn);
  expect(await turn.result).toMatchObject({ stop: "end", text: "done" });
  expect(tool.runs).toHaveLength(1);
  expect(JSON.stringify(bed.session.messages)).not.toContain("lost");
  expect(bed.session.messages.map(textOf)).toEqual(["x", "", "", "done"]);
  expect(historyProblems(bed.session.messages)).toEqual([]);
  const shown = events.findIndex((event) => event.type === "text" && event.delta === "I will");
  const told = events.findIndex((event) => event.type === "diagnostic" && event.diagnostic.code === "provider-retry");
  expect(shown).toBeGreaterThanOrEqual(0);
  expect(told).toBeGreaterThan(shown);
  const resumed = await bed.host.open({ cwd: "/repo", resume: bed.session.info.id });
  expect(resumed.messages).toEqual(bed.session.messages);
});

test("providerError decides before the host, and the first decision wins", async () => {
  const seen: ProviderFailure[] = [];
  const bed = await openBed({
    ...quick,
    plugins: [
      plugin("first", (host) =>
        host.hooks.providerError.tap((failure) => {
          seen.push(failure);
          return failure.status === 400 ? { retry: true, delayMs: 1 } : undefined;
        }),
      ),
      plugin("second", (host) => host.hooks.providerError.tap(() => ({ retry: false }))),
    ],
    replies: [[refusal(400)], [refusal(429)]],
  });
  expect(await bed.send()).toMatchObject({ stop: "error", error: { message: "The vendor answered 429" } });
  expect(seen).toMatchObject([
    { status: 400, attempt: 1, planned: { retry: false } },
    { status: 429, attempt: 2, planned: { retry: true } },
  ]);
});

test("a provider that throws where it should stream is an error of the turn that names what failed", async () => {
  const provider = createScriptedProvider();
  const bed = await openBed({
    ...quick,
    provider: {
      ...provider,
      stream() {
        throw new TypeError("cannot read properties");
      },
    },
  });
  const result = await bed.send();
  expect(result).toMatchObject({ stop: "error", error: { code: "provider-failed" } });
  expect(result.error?.message).toContain("cannot read properties");
  expect(bed.session.messages.map(({ role }) => role)).toEqual(["user"]);
});

test("beforeProviderRequest changes what is sent, and afterProviderResponse hears what is stored", async () => {
  const heard: string[] = [];
  const own = plugin("own", (host) => {
    host.hooks.beforeProviderRequest.tap((request) => ({ ...request, params: { ...request.params, effort: "low" } }));
    host.hooks.afterProviderResponse.tap(
      (message, context) => void heard.push(`${context.request} ${textOf(message)}`),
    );
  });
  const bed = await openBed({ plugins: [own], replies: [says("hi")] });
  await bed.send();
  expect(bed.provider.requests[0]?.params).toEqual({ effort: "low" });
  expect(heard).toEqual(["1 hi"]);
});

test("another model serves from the next turn on, and answers say who gave them", async () => {
  const bed = await openBed({ replies: [says("a"), says("b")] });
  await bed.send();
  await bed.session.setModel("scripted/two");
  await bed.send();
  const answers = bed.session.messages.filter(({ role }) => role === "assistant");
  expect(answers.map(({ model }) => model?.id)).toEqual(["one", "two"]);
  expect(() => bed.session.setModel("nobody/x")).toThrow(/model-unknown/);
});

test("a short name stands for its model, unless a provider has the name", async () => {
  const bed = await openBed({
    aliases: { fast: "scripted/two", scripted: "nobody/x", lost: "nobody/x" },
    open: { model: "fast" },
  });
  expect(bed.session.model).toEqual({ provider: "scripted", id: "two" });
  await bed.session.setModel("scripted");
  expect(bed.session.model).toEqual({ provider: "scripted", id: "one" });
  expect(() => bed.session.setModel("lost")).toThrow(/No provider is called "nobody"/);
  expect(() => bed.session.setModel("fats")).toThrow(/Did you mean "fast"/);
});

test("after a failed request the text shown is in the history, as it is after a crash", async () => {
  const failure = new ProviderError({ code: "x", level: "error", message: "no" }, { status: 400 });
  const bed = await openBed({ replies: [[{ type: "text", delta: "half an answer" }, failure]] });
  const events = await collect(bed.session.send("hello", new AbortController().signal));
  expect(events).toContainEqual({ type: "text", delta: "half an answer" });
  const resumed = await bed.host.open({ cwd: "/repo", resume: bed.session.info.id });
  expect(resumed.messages).toEqual(bed.session.messages);
});

test("a request that cannot be projected is not tried again", async () => {
  const provider = createScriptedProvider();
  let projected = 0;
  const bed = await openBed({
    timeScale: 0.001,
    provider: {
      ...provider,
      project() {
        projected += 1;
        throw new TypeError("unknown block");
      },
    },
  });
  expect(await bed.send()).toMatchObject({ stop: "error" });
  expect(projected).toBe(1);
});

test("a retry takes back nothing where nothing was shown", async () => {
  const noticeOf = async (shown: readonly StreamEvent[]) => {
    const failed = [...shown, new Error("reset")];
    const bed = await openBed({ timeScale: 0.001, replies: [failed, says("second")] });
    await bed.send();
    return bed.diagnostics.find(({ code }) => code === "provider-retry")?.message;
  };
  expect(await noticeOf([{ type: "text", delta: "first" }])).toContain("what was shown of this answer does not count");
  expect(await noticeOf([])).not.toContain("shown");
});

test("what a failed attempt sent is shown before the notice that it does not count, however slow the log", async () => {
  const log = createMemoryLog();
  const bed = await openBed({
    log,
    timeScale: 0.001,
    replies: [[{ type: "text", delta: "first try" }, new Error("reset")], says("second try")],
  });
  log.delayMs = 5;
  const events = await collect(bed.session.send("x", new AbortController().signal));
  const marks = events.flatMap((event) =>
    event.type === "text" ? [event.delta] : event.type === "diagnostic" ? [event.diagnostic.code] : [],
  );
  expect(marks).toEqual(["first try", "provider-retry", "second try"]);
});
