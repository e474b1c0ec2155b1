import { expect, test } from "vitest";
import type { ToolContext } from "@quire/core";
import { ToolError } from "@quire/core";
import { collect, openBed, plugin, resultsOf, textOf } from "../support/core-bed.js";
import { recordingTool } from "../support/recording-tool.js";
import { calls, says, someUsage, textBlock } from "../support/scripted-provider.js";

test("a turn goes on until the model has no call left, every answer and result in order", async () => {
  const tool = recordingTool("own/look", { run: ({ at }) => `saw ${String(at)}` });
  const bed = await openBed({
    plugins: [plugin("own", (host) => host.tools.register(tool))],
    replies: [calls(["look", { at: 1 }], ["look", { at: 2 }]), calls(["look", { at: 3 }]), says("all ", "seen")],
  });
  const turn = bed.session.send("look around", new AbortController().signal);
  const events = await collect(turn);
  expect(await turn.result).toEqual({
    text: "all seen",
    stop: "end",
    usage: { input: 30, cacheRead: 9, cacheWrite: 6, output: 15 },
  });
  expect(bed.session.messages.map((message) => [message.role, textOf(message)])).toEqual([
    ["user", "look around"],
    ["assistant", ""],
    ["tool", ""],
    ["tool", ""],
    ["assistant", ""],
    ["tool", ""],
    ["assistant", "all seen"],
  ]);
  expect(resultsOf(bed.session.messages).map((result) => [result.id, textOf(result)])).toEqual([
    ["c1", "saw 1"],
    ["c2", "saw 2"],
    ["c1", "saw 3"],
  ]);
  expect(events.flatMap((event) => (event.type === "request" ? [event.request] : []))).toEqual([1, 2, 3]);
  expect(events.filter(({ type }) => type === "tool-start")).toHaveLength(3);
  expect(bed.provider.requests.map(({ messages }) => messages.length)).toEqual([1, 4, 6]);
});

test("prefix and tools are one snapshot for all requests of a turn", async () => {
  let computed = 0;
  const own = plugin("own", (host) => {
    host.tools.register(recordingTool("own/look"));
    host.sections.register({
      name: "own/count",
      slot: "rules",
      cache: { volatile: "counts every computation", deliver: "prefix" },
      compute: () => `${++computed}`,
    });
  });
  const bed = await openBed({ plugins: [own], replies: [calls(["look"]), calls(["look"])] });
  await bed.send();
  expect(bed.provider.requests.map(({ system }) => system.text)).toEqual(["1", "1", "1"]);
});

/** Two calls in one answer; says whether the second began before the first was over. */
async function overlapOf(parallel: boolean): Promise<{ overlaps: boolean; order: readonly string[] }> {
  const running = new Set<string>();
  let overlaps = false;
  const tool = recordingTool("own/wait", {
    parallel,
    async run({ ms }, context) {
      if (running.size > 0) overlaps = true;
      running.add(context.callId);
      await new Promise((resolve) => setTimeout(resolve, Number(ms)));
      running.delete(context.callId);
      return context.callId;
    },
  });
  const bed = await openBed({
    plugins: [plugin("own", (host) => host.tools.register(tool))],
    replies: [calls(["wait", { ms: 20 }], ["wait", { ms: 1 }])],
  });
  await bed.send();
  return { overlaps, order: resultsOf(bed.session.messages).map(textOf) };
}

test("calls of a parallel tool overlap, and their results keep the order of the calls", async () => {
  expect(await overlapOf(true)).toEqual({ overlaps: true, order: ["c1", "c2"] });
});

test("calls of any other tool run one after another", async () => {
  expect(await overlapOf(false)).toEqual({ overlaps: false, order: ["c1", "c2"] });
});

test.for([
  { name: "a required key is missing", args: {}, want: "at: is required" },
  { name: "they were no valid JSON", args: { $invalid: '{"at": "x' }, want: '{"at": "x' },
])("arguments are refused and the model reads why: $name", async ({ args, want }) => {
  const input = { type: "object", properties: { at: { type: "string" } }, required: ["at"] };
  const tool = recordingTool("own/look", { input });
  const bed = await openBed({
    plugins: [plugin("own", (host) => host.tools.register(tool))],
    replies: [calls(["look", args])],
  });
  expect(await bed.send()).toMatchObject({ stop: "end", text: "ok" });
  expect(tool.runs).toEqual([]);
  const [result] = resultsOf(bed.session.messages);
  expect(result).toMatchObject({ isError: true, id: "c1", name: "look" });
  expect(textOf(result)).toContain(want);
});

test("a schema's own judgement and conversion reach tool and model", async () => {
  const tool = recordingTool("own/look", {
    input: {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value: unknown) =>
          typeof value === "object" && value !== null && "at" in value && typeof value.at === "number"
            ? { value: { at: value.at * 2 } }
            : { issues: [{ message: "expected a number", path: ["at"] }] },
        jsonSchema: { input: () => ({ type: "object", properties: { at: { type: "number" } } }) },
      },
    },
  });
  const bed = await openBed({
    plugins: [plugin("own", (host) => host.tools.register(tool))],
    replies: [calls(["look", { at: "x" }], ["look", { at: 4 }])],
  });
  await bed.send();
  expect(tool.runs).toEqual([{ at: 8 }]);
  expect(textOf(resultsOf(bed.session.messages)[0])).toContain("at: expected a number");
});

test.for([
  {
    name: "throws",
    run: () => {
      throw new Error("no such file");
    },
    want: "no such file",
  },
  {
    name: "throws an error with a remedy",
    run: () => {
      throw new ToolError({ code: "not-unique", level: "error", message: "Found twice", fix: "Give more context" });
    },
    want: "Found twice. Give more context.",
  },
  {
    name: "throws an error whose words end in marks of their own",
    run: () => {
      throw new ToolError({ code: "gone", level: "error", message: "It is gone!", fix: 'Did you mean "b"?' });
    },
    want: /It is gone! Did you mean "b"\?$/,
  },
  { name: "rejects with no error", run: () => Promise.reject("plain words"), want: "plain words" },
  { name: "returns nothing", run: () => undefined as never, want: "neither a text nor blocks" },
])("a tool that $name is an answer to the model, not a crash", async ({ run, want }) => {
  const tool = recordingTool("own/look", { run });
  const bed = await openBed({
    plugins: [plugin("own", (host) => host.tools.register(tool))],
    replies: [calls(["look"])],
  });
  expect(await bed.send()).toMatchObject({ stop: "end", text: "ok" });
  expect(resultsOf(bed.session.messages)[0]).toMatchObject({ isError: true });
  expect(textOf(resultsOf(bed.session.messages)[0])).toMatch(want);
});

test("progress is shown and not stored, blocks are stored as they are", async () => {
  const image = { type: "image", mime: "image/png", base64: "AAAA" } as const;
  const own = plugin("own", (host) =>
    host.tools.register({
      name: "own/look",
      description: "Looks",
      effect: "read",
      input: { type: "object" },
      execute(_args, context) {
        context.update("half way");
        return [textBlock("seen"), image];
      },
    }),
  );
  const bed = await openBed({ plugins: [own], replies: [calls(["look"])] });
  const events = await collect(bed.session.send("x", new AbortController().signal));
  expect(events).toContainEqual({ type: "tool-update", id: "c1", text: "half way" });
  expect(JSON.stringify(bed.log.records)).not.toContain("half way");
  expect(resultsOf(bed.session.messages)[0]?.content).toEqual([textBlock("seen"), image]);
});

test("a tool may ask who is there, and hears null when nobody is", async () => {
  const asking = () =>
    plugin("own", (host) =>
      host.tools.register(recordingTool("own/ask", { run: async (_args, context) => `${await context.ask("Sure?")}` })),
    );
  const alone = await openBed({ plugins: [asking()], replies: [calls(["ask"])] });
  await alone.send();
  expect(textOf(resultsOf(alone.session.messages)[0])).toBe("null");
  const answered = await openBed({
    plugins: [asking()],
    replies: [calls(["ask"])],
    ask: (question) => Promise.resolve(`${question} Yes.`),
  });
  await answered.send();
  expect(textOf(resultsOf(answered.session.messages)[0])).toBe("Sure? Yes.");
  expect([alone.session.info.interactive, answered.session.info.interactive]).toEqual([false, true]);
});

test("afterToolCall changes what the model reads, and a failing tap leaves it as it was", async () => {
  const seen: ToolContext[] = [];
  const own = plugin("own", (host) => {
    host.tools.register(recordingTool("own/look", { run: () => "password: swordfish" }));
    host.hooks.afterToolCall.tap((result, context) => {
      seen.push(context);
      return { ...result, content: [textBlock(textOf(result).replace("swordfish", "****"))] };
    });
    host.hooks.afterToolCall.tap(() => {
      throw new Error("tap broke");
    });
  });
  const bed = await openBed({ plugins: [own], replies: [calls(["look"])] });
  await bed.send();
  expect(textOf(resultsOf(bed.session.messages)[0])).toBe("password: ****");
  expect(JSON.stringify(bed.log.records)).not.toContain("swordfish");
  expect(seen[0]).toMatchObject({ callId: "c1", request: 1 });
  expect(bed.codes()).toEqual(["hook-failed"]);
});

test("an answer of several texts and thoughts is kept block by block, with its usage and model", async () => {
  const thinking = { type: "thinking", text: "hm", signature: "sig", provider: "scripted" } as const;
  const bed = await openBed({
    replies: [
      [
        { type: "thinking", delta: "hm" },
        { type: "block", block: thinking },
        ...says("one").slice(0, 2),
        { type: "block", block: textBlock("two") },
        { type: "usage", usage: someUsage },
        { type: "end", stop: "length" },
      ],
    ],
  });
  expect(await bed.send()).toMatchObject({ text: "onetwo", stop: "length", usage: someUsage });
  expect(bed.session.messages.at(-1)).toMatchObject({
    role: "assistant",
    content: [thinking, textBlock("one"), textBlock("two")],
    model: { provider: "scripted", id: "one" },
    usage: someUsage,
    stop: "length",
  });
});

test("text that no block closed is kept all the same", async () => {
  const bed = await openBed({
    replies: [
      [
        { type: "text", delta: "un" },
        { type: "text", delta: "closed" },
      ],
    ],
  });
  expect(await bed.send()).toMatchObject({ text: "unclosed", stop: "end" });
  expect(textOf(bed.session.messages.at(-1))).toBe("unclosed");
});

test("an empty reply ends the turn and is reported", async () => {
  const bed = await openBed({ replies: [[{ type: "end", stop: "end" }]] });
  expect(await bed.send()).toMatchObject({ text: "", stop: "end" });
  expect(bed.codes()).toEqual(["reply-empty"]);
  expect(bed.session.messages.map(({ role }) => role)).toEqual(["user"]);
});
