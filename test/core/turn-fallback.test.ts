import { expect, test } from "vitest";
import { ProviderError } from "@quire/core";
import { collect, openBed, plugin, textOf } from "../support/core-bed.js";
import { historyProblems } from "../support/history-check.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, createScriptedProvider, says, type Reply } from "../support/scripted-provider.js";

const overloaded = new ProviderError({ code: "x", level: "error", message: "overloaded" }, { status: 529 });

/** Two providers; what fails for good at the first is sent to `model`. */
function bedWith(first: readonly Reply[], second: readonly Reply[], model = "other/two") {
  const other = createScriptedProvider(second, "other");
  const own = plugin("own", (host) => {
    host.providers.register(other);
    host.tools.register(recordingTool("own/look"));
    host.hooks.providerError.tap(({ planned }, context) =>
      planned.retry || context.model.provider === "other" ? undefined : { retry: true, delayMs: 0, model },
    );
  });
  const bed = openBed({ timeScale: 0.001, plugins: [own], replies: first });
  return bed.then((open) => ({ ...open, other }));
}

const always = Array.from({ length: 5 }, (): Reply => [overloaded]);

test("another model goes on with the turn, on a prefix of its own, and the next turn begins with the first again", async () => {
  const bed = await bedWith([calls(["look"]), ...always, says("back")], [calls(["look"]), says("from the other")]);
  expect(await bed.send()).toMatchObject({ stop: "end", text: "from the other" });
  expect(bed.provider.requests).toHaveLength(6);
  const two = { provider: "other", id: "two" };
  expect(bed.other.requests.map(({ model }) => model)).toEqual([two, two]);
  const [first] = bed.other.requests;
  expect(first?.tools.map(({ name }) => name)).toEqual(["look"]);
  expect(first?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  expect(bed.codes().filter((code) => code === "provider-retry")).toHaveLength(4);
  expect(bed.diagnostics.find(({ code }) => code === "provider-fallback")?.message).toContain(
    "overloaded; other/two goes on with this turn",
  );
  const answers = bed.session.messages.filter(({ role }) => role === "assistant");
  expect(answers.map(({ model }) => model?.id)).toEqual(["one", "two", "two"]);
  expect(historyProblems(bed.session.messages)).toEqual([]);
  expect(await bed.send("again")).toMatchObject({ text: "back" });
  expect(bed.session.model).toEqual({ provider: "scripted", id: "one" });
});

test("each model has all its attempts, and the last failure is the turn's", async () => {
  const last = new ProviderError({ code: "y", level: "error", message: "down too" }, { status: 500 });
  const bed = await bedWith(
    always,
    Array.from({ length: 5 }, (): Reply => [last]),
  );
  expect(await bed.send()).toMatchObject({ stop: "error", error: { message: "down too" } });
  expect(bed.other.requests).toHaveLength(5);
});

test("half an answer of the failed model stays out of the history", async () => {
  const half: Reply = [{ type: "text", delta: "half" }, overloaded];
  const bed = await bedWith([...always.slice(1), half], [says("whole")]);
  const events = await collect(bed.session.send("x", new AbortController().signal));
  expect(events).toContainEqual({ type: "text", delta: "half" });
  expect(bed.session.messages.map(textOf)).toEqual(["x", "whole"]);
  const resumed = await bed.host.open({ cwd: "/repo", resume: bed.session.info.id });
  expect(resumed.messages).toEqual(bed.session.messages);
});

test("a model that does not exist is reported, and the failure stands", async () => {
  const bed = await bedWith(always, [], "nobody/x");
  expect(await bed.send()).toMatchObject({ stop: "error", error: { message: "overloaded" } });
  expect(bed.codes()).toContain("model-unknown");
});
