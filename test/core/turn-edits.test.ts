import { expect, test } from "vitest";
import type { AgentStart, ContextItem, Trigger } from "@quire/core";
import { type Bed, openBed, plugin, textOf, textSection } from "../support/core-bed.js";
import { calls } from "../support/scripted-provider.js";

const base = plugin("base", (host) => {
  textSection("base/identity", "identity", "You are Q.")(host);
  textSection("base/rules", "rules", "Be brief.")(host);
});

type Tap = (start: AgentStart) => void;

function tapping(name: string, tap: Tap) {
  return plugin(name, (host) => host.hooks.beforeAgentStart.tap(tap));
}

function toldIn(bed: Bed): readonly ContextItem[] {
  return bed.session.messages.flatMap((message) => message.context ?? []);
}

test("every trigger reaches beforeAgentStart", async () => {
  const heard: [Trigger, string, number][] = [];
  const starter = plugin("starter", (host) => {
    host.hooks.beforeAgentStart.tap((start) => void heard.push([start.trigger, start.prompt, start.session.depth]));
    host.tools.register({
      name: "starter/go",
      description: "Starts turns",
      effect: "read",
      input: { type: "object" },
      async execute(_args, context) {
        await host.turns.start({ prompt: "sub", parent: context }, context.signal).result;
        await host.turns.start({ prompt: "own" }, context.signal).result;
        return "";
      },
    });
  });
  const bed = await openBed({ plugins: [starter], replies: [calls(["go"])] });
  await bed.send("mine");
  expect(heard).toEqual([
    ["user", "mine", 0],
    ["subagent", "sub", 1],
    ["synthetic", "own", 0],
  ]);
});

test("an edit without bust leaves prefix and regions alone and goes out with the turn's words", async () => {
  let isOn = false;
  const editor = tapping("editor", ({ edits }) => {
    if (!isOn) return;
    edits.replace("base/identity", "You are R.");
    edits.append({ section: "base/rules" }, "Be kind.");
    edits.append({ slot: "end" }, "For now.");
    edits.remove("base/rules");
  });
  const bed = await openBed({ plugins: [base, editor], replies: [] });
  await bed.send("one");
  isOn = true;
  await bed.send("two");
  const [first, second] = bed.provider.requests;
  expect(second?.system).toEqual(first?.system);
  expect(toldIn(bed).map(({ section, op, cause, content }) => [section, op, cause, content])).toEqual([
    ["base/identity", "replace", "turn", { kind: "text", text: "You are R." }],
    ["base/rules", "add", "turn", { kind: "text", text: "Be kind." }],
    ["editor/turn-3", "add", "turn", { kind: "text", text: "For now." }],
    ["base/rules", "remove", "turn", null],
  ]);
  expect(second?.messages.slice(-2).map(({ role }) => role)).toEqual(["user", "context"]);
  expect(textOf(second?.messages.at(-1))).toContain("You are R.");
});

test("the next turn says that the edits no longer hold, and only once", async () => {
  let isOn = true;
  const editor = tapping("editor", ({ edits }) => {
    if (isOn) edits.replace("base/rules", "Be long.");
  });
  const bed = await openBed({ plugins: [base, editor] });
  await bed.send();
  await bed.send();
  expect(toldIn(bed)).toHaveLength(1);
  isOn = false;
  await bed.send();
  await bed.send();
  expect(toldIn(bed).map(({ section, op, cause }) => [section, op, cause])).toEqual([
    ["base/rules", "replace", "turn"],
    ["base/rules", "remove", "turn-over"],
  ]);
});

test("another edit of the same section takes the earlier one back and is told", async () => {
  let text = "Be long.";
  const bed = await openBed({
    plugins: [base, tapping("editor", ({ edits }) => edits.replace("base/rules", text))],
  });
  await bed.send();
  text = "Be loud.";
  await bed.send();
  expect(toldIn(bed).map(({ cause, content }) => [cause, content])).toEqual([
    ["turn", { kind: "text", text: "Be long." }],
    ["turn-over", null],
    ["turn", { kind: "text", text: "Be loud." }],
  ]);
});

test("with bust the edit stands in place for all requests of that turn alone, and the break is reported", async () => {
  let isOn = true;
  const bust = { bust: "the task asks for it" };
  const editor = tapping("editor", ({ edits }) => {
    if (!isOn) return;
    edits.replace("base/identity", "You are R.", bust);
    edits.append({ section: "base/rules" }, "Be kind.", bust);
    edits.append({ slot: "end" }, "For now.", bust);
  });
  const bed = await openBed({ plugins: [base, editor], replies: [calls(["nothing"])] });
  await bed.send();
  isOn = false;
  await bed.send();
  expect(bed.provider.requests.map(({ system }) => system.text)).toEqual([
    "You are R.\n\nBe brief.\n\nBe kind.\n\nFor now.",
    "You are R.\n\nBe brief.\n\nBe kind.\n\nFor now.",
    "You are Q.\n\nBe brief.",
  ]);
  expect(toldIn(bed)).toEqual([]);
  const breaks = bed.diagnostics.filter(({ code }) => code === "cache-break");
  expect(breaks.map(({ section, plugin }) => [section, plugin])).toEqual([
    ["base/identity", "editor"],
    ["base/rules", "editor"],
    ["editor/turn-3", "editor"],
  ]);
  expect(breaks[0]?.message).toContain("the task asks for it");
});

test("removing a section with bust leaves it out of that turn", async () => {
  const editor = tapping("editor", ({ edits }) => edits.remove("base/rules", { bust: "not needed now" }));
  const bed = await openBed({ plugins: [base, editor] });
  const prompt = await bed.session.prompt();
  expect(prompt.text).toBe("You are Q.");
  expect(prompt.edits).toEqual([
    { section: "base/rules", op: "remove", layer: "turn", by: { kind: "turn", plugin: "editor" }, won: true },
  ]);
});

test("a config that rebuilds the prefix lets every per-turn edit stand in place", async () => {
  const editor = tapping("editor", ({ edits }) => edits.replace("base/rules", "Be long."));
  const config = { layout: "plain", prompt: { prefix: "rebuilt" } };
  const bed = await openBed({ plugins: [base, editor], config });
  const prompt = await bed.session.prompt();
  expect(prompt.text).toBe("You are Q.\n\nBe long.");
  expect(prompt.context).toEqual([]);
});

test("a tap sees the resolved sections with the edits of earlier taps", async () => {
  const seen: string[][] = [];
  const look = (start: AgentStart) => {
    seen.push(start.sections.map(({ name, content }) => `${name}=${content.kind === "text" ? content.text : ""}`));
  };
  const bed = await openBed({
    plugins: [
      base,
      tapping("before", look),
      tapping("editor", ({ edits }) => {
        edits.replace("base/identity", "You are R.");
        edits.remove("base/rules");
      }),
      tapping("after", look),
    ],
  });
  await bed.session.prompt();
  expect(seen).toEqual([["base/identity=You are Q.", "base/rules=Be brief."], ["base/identity=You are R."]]);
});

test("an edit after a failing tap still counts, and the failing plugin is named", async () => {
  const bed = await openBed({
    plugins: [
      base,
      tapping("broken", ({ edits }) => {
        edits.append({ slot: "end" }, "Before the fall.", { bust: "a test of failures" });
        throw new Error("tap broke");
      }),
      tapping("fine", ({ edits }) => edits.append({ slot: "end" }, "Fine.", { bust: "a test of failures" })),
    ],
  });
  const prompt = await bed.session.prompt();
  expect(prompt.text).toBe("You are Q.\n\nBe brief.\n\nBefore the fall.\n\nFine.");
  expect(bed.diagnostics).toContainEqual(
    expect.objectContaining({ code: "hook-failed", plugin: "broken", hook: "beforeAgentStart" }),
  );
  expect(prompt.edits.map(({ by }) => by.plugin)).toEqual(["broken", "fine"]);
});

test("added context is stored as a context message and not told again", async () => {
  let isFirst = true;
  const note = tapping("note", (start) => {
    if (isFirst) start.addContext("The build is red.", "build");
    isFirst = false;
  });
  const bed = await openBed({ plugins: [base, note] });
  await bed.send("one");
  await bed.send("two");
  expect(toldIn(bed)).toEqual([
    expect.objectContaining({ op: "add", cause: "build", content: { kind: "text", text: "The build is red." } }),
  ]);
  const stored = bed.log.records.map(({ record }) => record["message"] as { role?: string } | undefined);
  expect(stored.filter((message) => message?.role === "context")).toHaveLength(1);
  expect(textOf(bed.provider.requests[1]?.messages[1])).toContain("The build is red.");
});

test("a delta section is told with the first words, at each change, and when it goes away", async () => {
  const values: (string | null)[] = ["calm", "calm", "wild", null, "calm"];
  const moody = plugin("moody", (host) =>
    host.sections.register({
      name: "moody/mood",
      slot: "session",
      cache: { volatile: "moods change every turn" },
      compute: () => values.shift() ?? null,
    }),
  );
  const bed = await openBed({ plugins: [base, moody] });
  for (let turn = 0; turn < 5; turn++) await bed.send(`turn ${turn}`);
  expect(
    toldIn(bed).map(({ op, cause, content }) => [op, cause, content?.kind === "text" ? content.text : null]),
  ).toEqual([
    ["add", "start", "calm"],
    ["replace", "changed", "wild"],
    ["remove", "changed", null],
    ["add", "start", "calm"],
  ]);
  expect(new Set(bed.provider.requests.map(({ system }) => system.text)).size).toBe(1);
});

test("a preview shows what the turn will tell and stores nothing", async () => {
  const bed = await openBed({
    plugins: [base, tapping("editor", ({ edits }) => edits.replace("base/rules", "Be long."))],
  });
  const preview = await bed.session.prompt({ message: "hello" });
  expect(bed.session.messages).toEqual([]);
  expect(bed.log.records).toEqual([]);
  expect(preview.context[0]?.text).toContain("Be long.");
  await bed.send("hello");
  const { id: _id, ...sent } = bed.provider.requests[0]?.messages.at(-1) ?? { id: "" };
  expect(preview.request.messages.at(-1)).toMatchObject(sent);
  expect(preview.request.system).toEqual(bed.provider.requests[0]?.system);
  expect(preview.request.cacheKey).toBe(bed.provider.requests[0]?.cacheKey);
});

test("a context note may bear any label", async () => {
  let isFirst = true;
  const own = plugin("own", (host) =>
    host.hooks.beforeAgentStart.tap((start) => {
      if (isFirst) start.addContext("Mind the gap.", "turn");
      isFirst = false;
    }),
  );
  const bed = await openBed({ plugins: [own] });
  await bed.send();
  await bed.send();
  expect(bed.session.messages.filter(({ role }) => role === "context")).toHaveLength(1);
});
